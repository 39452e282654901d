"""The measurements as a picture, whose format is that of the file's ending."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.bench.contest import Row
from autograder.bench.growth import Growth
from autograder.trouble import Trouble

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure

_OURS, _OTHER, _MUTED = "#1f6f8b", "#b0a89f", "#777777"


def draw(path: Path, rows: Sequence[Row], classes: Sequence[Growth]) -> None:
    """Draw the contest as bars, the growth as lines. Raise `Trouble` if that cannot be done."""
    try:
        import matplotlib

        matplotlib.use("agg")
        from matplotlib import pyplot
    except ImportError as error:
        raise Trouble(
            "--plot needs the Python package matplotlib: pip install matplotlib"
        ) from error
    if Path(path).suffix[1:] not in ("pdf", "png", "svg"):
        raise Trouble(f"{path} cannot be drawn: end its name with .svg, .png or .pdf.")
    parts = [bool(rows), bool(classes)]
    if not any(parts):
        raise Trouble("--plot draws the contest and the growth; measure one of them.")
    figure = pyplot.figure(figsize=(11, 4 * sum(parts)), layout="constrained")
    places = list(figure.subfigures(sum(parts), squeeze=False).flat)
    if rows:
        _contest(places[0], rows)
    if classes:
        _growth(places[-1], classes)
    figure.savefig(path, dpi=120)
    pyplot.close(figure)


def _contest(figure: "SubFigure", rows: Sequence[Row]) -> None:
    sizes = list(dict.fromkeys(row.students for row in rows))
    places = figure.subplots(1, len(sizes), sharey=True, squeeze=False).flat
    for size, axes in zip(sizes, places, strict=True):
        _bars(axes, size, [row for row in rows if row.students == size])
    places[0].invert_yaxis()


def _growth(figure: "SubFigure", classes: Sequence[Growth]) -> None:
    time, memory = figure.subplots(1, 2)
    _time(time, classes)
    _memory(memory, classes)


def _bars(axes: "Axes", size: int, rows: Sequence[Row]) -> None:
    """Draw submissions a second, and how many times as quick as nbgrader that is."""
    names = [row.program.removeprefix("autograder ") for row in rows]
    speeds = [row.students / row.took.seconds for row in rows]
    colours = [_OURS if row.program.startswith("autograder") else _OTHER for row in rows]
    bars = axes.barh(names, speeds, color=colours)
    axes.bar_label(bars, [f"{row.ratio:.1f} ×" for row in rows], padding=3, color=_MUTED)
    axes.margins(x=0.2)
    axes.set_title(f"A class of {size}")
    axes.set_xlabel("submissions a second, start-up included")
    axes.spines[["top", "right"]].set_visible(False)


def _time(axes: "Axes", classes: Sequence[Growth]) -> None:
    """Draw seconds by the size of the class, beside a line of time in proportion to the size."""
    sizes = [one.students for one in classes]
    seconds = [one.took.seconds for one in classes]
    largest = classes[-1]
    linear = [largest.took.seconds * size / largest.students for size in sizes]
    axes.loglog(sizes, linear, "--", color=_OTHER, label="as long for each as in the largest")
    axes.loglog(sizes, seconds, "o-", color=_OURS, label="measured")
    axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
    axes.yaxis.set_major_formatter("{x:g}")
    axes.set_title("Time")
    axes.set_xlabel("submissions")
    axes.set_ylabel("seconds")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)


def _memory(axes: "Axes", classes: Sequence[Growth]) -> None:
    """Draw the memory that the first process holds in the course of each run."""
    for place, one in enumerate(classes, 1):
        shares = [100 * second / one.took.seconds for second, _ in one.memory]
        shade = 1 - 0.8 * (len(classes) - place) / len(classes)
        values = [mib for _, mib in one.memory]
        axes.plot(shares, values, color=_OURS, alpha=shade, label=f"{one.students:,} submissions")
    axes.set_ylim(bottom=0)
    axes.set_title("Memory of the first process")
    axes.set_xlabel("% of the run")
    axes.set_ylabel("MiB")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
