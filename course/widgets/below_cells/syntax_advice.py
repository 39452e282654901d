"""Advice on lines that Python cannot read: the slips of beginners, and signs of other languages."""

import re
from difflib import get_close_matches
from keyword import iskeyword, kwlist

DIGITS = "A number is written in digits only: 2048, and not 2,048."
BELOW_COLON = (
    "Below a line that ends with `:` stand the lines that belong to it, each four spaces further "
    "to the right. There has to be one at least."
)
COMPARE = "A question compares with two signs, `==`. One `=` gives a value."
BY_MESSAGE = {  # by the start of Python's message
    "leading zeros": DIGITS,
    "cannot assign to literal": "The name stands on the left of =, the value on its right.",
    "expected an indented block": BELOW_COLON,
    "unexpected indent": (
        "This line stands too far to the right: only below a line that ends with `:` does a line "
        "begin further to the right."
    ),
    "unindent does not match": (
        "This line is to stand just below the beginning of one of the lines above it."
    ),
    "inconsistent use of tabs": (
        "Some lines begin with tabs, others with spaces: begin all of them with spaces."
    ),
    "invalid decimal literal": (
        "A number has digits only, without letters, and a name begins with a letter."
    ),
    "unterminated string literal": "A text ends with the same quote with which it begins.",
    "'return' outside": "`return` stands inside a function, further to the right than its `def`.",
}
KEYWORD = f"(?:{'|'.join(kwlist)})\\b"
# Patterns of lines that Python cannot read, with advice; the first pattern that fits is used.
BY_LINE = [
    (re.compile(pattern), text)
    for pattern, text in [
        (r"\s*el(?:se\s*|s)if\b", "In Python this is one word: `elif`."),
        (r".*(?:=!|get_ipython\(\)\.getoutput|<>)", "Not equal is `!=` in Python."),
        (r".*(?:&&|\|\|)", "Python has words for that: `and`, `or`."),
        (r".*=<", "Less or equal is `<=`, with the = last."),
        (r".*=>", "Greater or equal is `>=`, with the = last."),
        (r"[^'\"]*!(?!=)", "Python has a word for that: `not`."),
        (r"\s*(\w+)\s*(?:\+\+|--)", "To count on, write `{0} = {0} + 1`."),
        (r"(?:.*[=<>]|\s*[a-z]+\s)\s*\d+,\d\d\d", DIGITS),
        (
            r"\s*(?:let|var|const|int|float|bool|str|list)\s+([a-z_]\w*)\s*=",
            "Python needs no word before a name: begin the line with `{0} =`.",
        ),
        (
            r"\s*def\s+\w+\s*\(\s*[-\d\[\"']",
            "Between the brackets of `def` stands a name, such as `line`. Its value comes later, "
            "when the function is called.",
        ),
        (
            r"\s*def\s+(\w++)\s*+[a-z:]",
            "Behind `def {0}` stand brackets, and in them a name for what the function is given. "
            "To give {0} a value, write no `def`, but `{0} =` and the value.",
        ),
        (r".*\bthen\s*:", "Python needs no `then`: the `:` says it."),
        (r"\s*for(?:\s+|\s*each\s+)\w+\s+(?!in\b)\w", "A loop reads `for … in …:`."),
        (r"\s*foreach\b", "A loop reads `for … in …:`."),
        (
            rf".*\b(?!{KEYWORD})\w+\s+not\s+(?!in\b)\w",
            "Not equal is `!=`. `not` stands before a whole question.",
        ),
        (
            rf".*\b(range|len|sorted|sum|max|min|list|str|int)\s+(?!{KEYWORD})[a-z_]",
            "Behind `{0}` stand brackets.",
        ),
        (r"\s*([a-z_]\w*)\([^()]*\)\s*:\s*$", "A function begins with `def {0}(…):`."),
        (
            r"\s*([a-z_]\w*)\s*=\s*['\"]?(\d+)['\"]?\s+[a-z]",
            "Behind the value stands nothing more: `{0} = {1}`. Notes for people stand behind a #.",
        ),
        (
            r"\s*([a-z_]\w*)\s*=\s*$",
            "Behind `{0} =` the value is missing. What stands behind a # is for people only.",
        ),
        (
            r"\s*([a-z_]\w*)\s+(-?\d+)\s*$",
            "Between a name and its value stands one `=`: `{0} = {1}`.",
        ),
    ]
]
WORDS = re.compile(r"\s*([a-z_]\w*)(?: +[a-z_]\w*)+ *=[^=]")
DASHES = re.compile(r"\s*[a-z_]\w*(?:-[a-z_]\w*)+ *=[^=]")
BLANKS = "A name has no blanks and no - in it: join its words with _, as in two_words."
SENTENCE = re.compile(r"\s*[\w'\"]+(?:[ ,]+[\w'\"]+)+ *[.!?]? *$")
NO_CODE = "Is this a sentence for people? Put a # in front of it: then Python does not read it."

CODE = re.compile(r"""(?:[^#'"]|'[^']*'|"[^"]*"|['"])*""")  # a line without its comment
ASKS_WITH_ONE = re.compile(r"\s*(?:if|elif|while)\b[^=]*[^=!<>]=[^=]")
CLOSE_BY = "Look just before the mark ^: is a sign, a bracket or a comma missing, or one too many?"


def syntax_advice(error: SyntaxError) -> str:
    """Return advice on a line that Python cannot read; "" if there is none.

    >>> syntax_advice(SyntaxError("invalid syntax", ("cell", 1, 1, "retrun new")))
    'Python does not know `retrun`. Is it `return`?'
    >>> syntax_advice(SyntaxError("invalid syntax", ("cell", 1, 1, "winning tile = 2048")))
    'A name has no blanks and no - in it: join its words with _, as in two_words.'
    """
    message, line = str(error.msg), CODE.findall(error.text or "")[0]
    if DASHES.match(line):
        return BLANKS
    if ASKS_WITH_ONE.match(line) and "'=='" in message:
        return COMPARE
    said = next((text for start, text in BY_MESSAGE.items() if message.startswith(start)), "")
    if said or not message.startswith(("invalid syntax", "expected ':'", "expected '('")):
        return said
    is_right_so_far = message == "expected ':'" and (error.offset or 0) > len(line.rstrip())
    for pattern, text in [] if is_right_so_far else BY_LINE:
        if (found := pattern.match(line)) is not None:
            return text.format(*found.groups())
    if message.startswith("invalid syntax."):  # Python itself adds advice
        return ""
    first = re.match(r"\s*(\w*)", line)[1]  # type: ignore[index]  # it always matches
    if message == "expected ':'":
        return f"The line that begins with `{first}` ends with `:`."
    long = [word for word in kwlist if len(word) > 2]
    like = [word for word in long if sorted(word) == sorted(first)]
    like = like or get_close_matches(first, long, 1, 0.7)
    if like and not iskeyword(first):
        return f"Python does not know `{first}`. Is it `{like[0]}`?"
    if WORDS.match(line) and not iskeyword(first):
        return BLANKS
    return NO_CODE if SENTENCE.match(line) and not iskeyword(first) else CLOSE_BY
