"""Which pictures of a student's outputs are kept: of a known type, and not too large."""

import base64
from io import BytesIO

import pytest
from PIL import Image

from autograder.notebook.outputs_from_jail import is_picture

TYPES = ("png", "jpeg", "gif", "webp")


def picture(kind: str, width: int, height: int, **options: object) -> str:
    file = BytesIO()
    Image.new("1" if kind == "png" else "L", (width, height)).save(file, kind, **options)
    return base64.encodebytes(file.getvalue()).decode()


@pytest.mark.parametrize("kind", TYPES)
def test_a_picture_has_its_own_type_and_no_other(kind):
    said = [is_picture(f"image/{other}", picture(kind, 30, 20)) for other in TYPES]
    assert said == [other == kind for other in TYPES]


def test_the_size_of_a_webp_picture_is_read_in_its_lossless_form_too():
    assert is_picture("image/webp", picture("webp", 30, 20, lossless=True))


@pytest.mark.parametrize("kind", ["png", "jpeg", "gif"])  # no webp has more than 2**28 pixels
def test_a_picture_that_would_fill_a_browser_is_none(kind):
    assert is_picture(f"image/{kind}", picture(kind, 5000, 5000))
    assert not is_picture(f"image/{kind}", picture(kind, 5001, 5000))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<svg/>",
        b"\xff\xd8",
        b"\xff\xd8\xff",
        b"\xff\xd8\xff\xe0\0\0",
        b"\x89PNG\r\n\x1a\n",
        b"GIF89a",
    ],
)
def test_what_says_no_size_is_no_picture(data):
    text = base64.b64encode(data).decode()
    assert not any(is_picture(f"image/{kind}", text) for kind in TYPES)
