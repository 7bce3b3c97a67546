"""The lines of a session's tree with names as controllers make them, at widths of the panel."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
NAME = "team-research/job-0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"
NOTE = "0 of 10 needed, 6 taken back, 2 fit nowhere"
LINE = f"""<ul class="session-tree"><li class="tree-line" style="--level: 3">
<span class="tree-fold">▸</span><span class="tree-mark">↩</span>
<span class="tree-words">{NAME}</span><span class="tree-note">{NOTE}</span></li></ul>"""
SHEETS = ("tokens", "base", "debugger", "volcano")


@pytest.mark.parametrize("width", [330, 420])
def test_a_long_name_leaves_room_for_what_became_of_the_group(chromium: Browser, width: int) -> None:
    page = chromium.new_page(viewport={"width": width, "height": 300})
    page.set_content(f'<main class="debugger">{LINE}</main>')
    for name in SHEETS:
        page.add_style_tag(content=(ROOT / "static/css" / f"{name}.css").read_text())
    words, note = (page.locator(f".tree-{part}").bounding_box() for part in ("words", "note"))
    assert words is not None
    assert note is not None
    assert note["width"] >= 70
    assert words["width"] >= 70
    assert words["x"] + words["width"] <= note["x"]
    assert note["x"] + note["width"] <= width
    page.close()
