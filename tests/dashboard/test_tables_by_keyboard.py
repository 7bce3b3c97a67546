"""A table that is wider than its page is scrolled in a box of its own, by keyboard too."""

import re
from pathlib import Path

TEMPLATES = Path(__file__).parents[2] / "templates"
BOX = re.compile(r'<div class="table-wrap[^"]*"[^>]*>')
BOXES = [(path, box) for path in sorted(TEMPLATES.rglob("*.html")) for box in BOX.findall(path.read_text())]


def test_there_are_boxes() -> None:
    assert len(BOXES) > 20


def test_boxes_that_scroll_take_the_focus_and_have_names() -> None:
    wanted = 'tabindex="0" role="region" aria-label="'
    assert [(path.name, box) for path, box in BOXES if wanted not in box] == []
