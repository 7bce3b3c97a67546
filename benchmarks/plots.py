"""Plots of costs as SVG, drawn by Plotly in Chromium, as the product's own are."""

import json
import math
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from playwright.sync_api import sync_playwright

from tests.fixtures.browser import FLAGS, chromium_path

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
PLOTLY = ROOT / "static" / "plotly" / "plotly-basic.min.js"
WIDTH, HEIGHT = 720, 400
MARKS = ("circle", "square", "diamond", "triangle-up")
COSTS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
DASHES = ("solid", "dash", "dot", "dashdot")
_DRAW = """async ({ data, layout, width, height }) => {
  const place = document.body.appendChild(document.createElement("div"));
  await Plotly.newPlot(place, data, { ...layout, width, height });
  return Plotly.toImage(place, { format: "svg", width, height });
}"""


@dataclass(frozen=True)
class Line:
    """Milliseconds of CPU time a decision, for each size."""

    name: str
    sizes: list[int]
    milliseconds: list[float]


def draw(name: str, sizes: str, lines: list[Line]) -> None:
    """Write the lines as `docs/images/<name>.svg`; both axes are logarithmic."""
    data = [
        {
            "name": line.name,
            "x": line.sizes,
            "y": line.milliseconds,
            "mode": "lines+markers",
            "marker": {"symbol": mark, "size": 8},
            "line": {"dash": dash},
        }
        for line, mark, dash in zip(lines, MARKS, DASHES, strict=False)
    ]
    costs = [cost for line in lines for cost in line.milliseconds]
    lowest = max(cost for cost in COSTS if cost <= min(costs))
    highest = min(cost for cost in COSTS if cost >= max(costs))
    ticks = sorted({size for line in lines for size in line.sizes})
    layout = {
        "xaxis": {
            "title": {"text": sizes},
            "type": "log",
            "tickvals": ticks,
            "ticktext": [f"{size:,}" for size in ticks],
        },
        "yaxis": {
            "title": {"text": "CPU time of a decision, ms"},
            "type": "log",
            "range": [math.log10(lowest), math.log10(highest)],
            "tickvals": COSTS,
            "ticktext": [f"{cost:g}" for cost in COSTS],
        },
        "legend": {"orientation": "h", "y": 1.15},
        "margin": {"l": 60, "r": 20, "t": 40, "b": 50},
    }
    (IMAGES / f"{name}.svg").write_text(_svg({"data": data, "layout": layout}) + "\n")


def _svg(figure: dict[str, object]) -> str:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), headless=True, args=FLAGS)
        page = browser.new_page()
        page.add_script_tag(path=PLOTLY)
        address = page.evaluate(_DRAW, json.loads(json.dumps(figure)) | {"width": WIDTH, "height": HEIGHT})
        browser.close()
    head, _, content = address.partition(",")
    assert head == "data:image/svg+xml", head
    return unquote(content)
