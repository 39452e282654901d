"""Numbers of Python's library: complex, Fraction, Decimal."""

import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

from autograder.wire.frames import Unfit
from autograder.wire.kinds.kind import Kind, exactly

# Compared with a Fraction, a Decimal is written out as a whole number.
MAX_EXPONENT = 10_000
_MAX_TEXT = 5_000
_DECIMAL = re.compile(r"-?(?:\d+(?:\.\d+)?(?:E[+-]?\d{1,6})?|Infinity|s?NaN\d*)", re.ASCII)


def _complex(real: Any, imag: Any) -> complex:
    return complex(exactly(real, float), exactly(imag, float))


def _fraction(numerator: Any, denominator: Any) -> Fraction:
    return Fraction(exactly(numerator, int), exactly(denominator, int))


def _decimal_parts(value: Decimal) -> list[str]:
    text = str(value)
    if len(text) > _MAX_TEXT or (value.is_finite() and abs(value.adjusted()) > MAX_EXPONENT):
        raise Unfit("a Decimal is too large or too small")
    return [text]


def _decimal(text: Any) -> Decimal:
    if len(exactly(text, str)) > _MAX_TEXT or not _DECIMAL.fullmatch(text):
        raise ValueError("this is no Decimal")
    value = Decimal(text)
    if value.is_finite() and abs(value.adjusted()) > MAX_EXPONENT:
        raise ValueError("a Decimal is too large or too small")
    return value


KINDS = {
    "complex": Kind(complex, lambda value: [value.real, value.imag], _complex),
    "Fraction": Kind(Fraction, lambda value: [value.numerator, value.denominator], _fraction),
    "Decimal": Kind(Decimal, _decimal_parts, _decimal),
}
