"""An answer that was saved as a file: on paper it is dark on white, and nothing of a table is cut off."""

from pathlib import Path

from playwright.sync_api import Page

from dashboard.answers.answer import Answer, Column, Table
from dashboard.answers.printers.file import About, html_file
from dashboard.answers.sentence import sentence

TITLES = (
    "budget",
    "evictions allowed at first",
    "needs healthy",
    "has healthy",
    "refused tries",
    "longest wait",
)
A4 = 794
LIGHTNESS = """element => {
    const channels = getComputedStyle(element).color.match(/[0-9]+/g).slice(0, 3).map(Number);
    return Math.max(...channels);
}"""


def test_a_file_that_is_printed_in_a_dark_system_is_dark_on_white_and_whole(
    page: Page, tmp_path: Path
) -> None:
    columns = [Column(title, title, number=True) for title in (*TITLES, "evictions", "down at the end")]
    row = [sentence("ip-10-0-40-12.eu-central-1.compute.internal"), *[sentence("1")] * (len(columns) - 1)]
    answer = Answer("fits", sentence("All fit."), [], [Table("budgets", "Budgets", columns, [row])])
    saved = tmp_path / "run.html"
    saved.write_text(html_file(answer, About("run 1", [])), encoding="utf-8")
    page.goto(saved.as_uri())
    page.set_viewport_size({"width": A4, "height": 1123})
    page.emulate_media(color_scheme="dark")
    for part in (".say", "td"):
        assert page.locator(part).first.evaluate(LIGHTNESS) > 200, "light on the dark screen"
    page.emulate_media(media="print", color_scheme="dark")
    for part in (".say", "td"):
        assert page.locator(part).first.evaluate(LIGHTNESS) < 100
    table, around = (page.locator(part).first.bounding_box() for part in ("table", ".table-wrap"))
    assert table is not None
    assert around is not None
    assert table["width"] <= around["width"]
