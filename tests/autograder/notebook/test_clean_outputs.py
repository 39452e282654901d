"""The outputs of cells: the judge keeps only well-formed ones, and not too much of them."""

import pytest

from autograder.notebook.clean_outputs import MOST, Outputs

PNG = "iVBORw0KGgoAAAANSUhEUgAA\n"
HUGE = "iVBORw0KGgoAAAANSUhEUgAATiAAAE4gCAI="  # 20,000 pixels wide and high


def pictured(*png: str) -> dict[str, object]:
    return {"output_type": "display_data", "data": dict(zip(["image/png"], png, strict=False))}


def kept_outputs(said: object, most: int = MOST) -> object:
    outputs = Outputs(most)
    outputs.keep("cell", said)
    return outputs.of_cells["cell"]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (None, []),
        ([None, {}, {"output_type": "stream", "name": "stdin"}], []),
        (
            [{"output_type": "stream", "name": "stdout", "text": 5}],
            [{"output_type": "stream", "name": "stdout", "text": ""}],
        ),
        (
            [{"output_type": "display_data", "data": {"text/html": "<script>", "text/plain": "x"}}],
            [{"output_type": "display_data", "data": {"text/plain": "x"}, "metadata": {}}],
        ),
        (
            [{"output_type": "error", "ename": "\ud800", "evalue": "\0", "traceback": [1]}],
            [{"output_type": "error", "ename": "?", "evalue": "\ufffd", "traceback": [""]}],
        ),
        ([pictured(PNG)], [{**pictured(PNG), "metadata": {}}]),
        ([pictured(PNG + '"><script>')], [{**pictured(), "metadata": {}}]),
        ([pictured(HUGE)], [{**pictured(), "metadata": {}}]),
    ],
    ids=[
        *("nothing", "nonsense", "odd text", "script", "odd characters"),
        *("picture", "no picture", "huge picture"),
    ],
)
def test_only_well_formed_outputs_are_kept(said: object, kept: object):
    assert kept_outputs(said) == kept


def test_what_all_cells_show_together_is_limited_here_too():
    shown = [{"output_type": "stream", "name": "stdout", "text": "x" * 5000}] * 2
    outputs = Outputs(most=20_000)
    for cell in "abcd":
        outputs.keep(cell, shown)
    texts = [output["text"][:1] for cell in "abcd" for output in outputs.of_cells[cell]]
    assert texts == ["x", "x", "x", "…"]
