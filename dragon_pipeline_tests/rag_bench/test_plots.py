import subprocess
import sys

import matplotlib.image
import pytest

import rag_bench
from dragon_pipeline_tests.rag_bench.test_tables import GOOD, WORSE, evaluate
from rag_bench import plots


@pytest.fixture
def scores():
    return {"Лучшая система": evaluate(GOOD), "_хуже за $5 {x}": evaluate(WORSE)}


@pytest.mark.parametrize("plot", [plots.by_type, plots.radar])
@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_a_plot_is_written_with_russian_letters_and_strange_names(scores, plot, ending, tmp_path):
    path = tmp_path / f"plot.{ending}"
    figure = plot(scores, "exact", path)  # a letter without a glyph is a warning, and that an error
    assert path.stat().st_size > 1000
    (legend,) = figure.legends
    assert [text.get_text().strip("\u200a") for text in legend.get_texts()] == ["Лучшая система", r"_хуже за \$5 {x}"]
    if ending == "png":
        assert matplotlib.image.imread(path).std() > 0.01


def test_bars_stand_for_the_means_of_each_type(scores):
    (axes,) = plots.by_type(scores, "exact").axes
    assert [label.get_text() for label in axes.get_xticklabels()] == ["conditional", "simple", "all"]
    heights = [bar.get_height() for bar in axes.patches]
    assert heights == pytest.approx([1, 1, 1, 0, 1, 2 / 3])


def test_nothing_to_show_is_said():
    with pytest.raises(ValueError, match="there are no scores to show"):
        plots.by_type({}, "exact")


PLOT = """
import sys, matplotlib
before = matplotlib.rcParams["font.family"]
from dragon_pipeline_tests.rag_bench.test_tables import GOOD, evaluate
from rag_bench.plots import by_type
by_type({"m": evaluate(GOOD)}, "exact", sys.argv[1])
print(matplotlib.rcParams["font.family"] == before, "matplotlib.pyplot" in sys.modules)
"""


def test_it_needs_no_screen_and_leaves_settings_alone(tmp_path):
    command = [sys.executable, "-c", PLOT, str(tmp_path / "plot.png")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "True False\n"


def test_plots_are_reached_from_the_package():
    assert rag_bench.plots is plots
