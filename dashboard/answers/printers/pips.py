"""What became of many, as a picture: a square for each, or a bar where there are many."""

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from dashboard.answers.answer import Line, Pip, State
from dashboard.answers.printers.words import plain

PIPS = 40
"""So many pips are drawn one by one; of more there is a bar."""
_SIGNS: dict[State, str] = {
    "done": "✓", "evicting": "✓", "now": "◔", "ever": "✕", "waiting": "○", "refused": "✕", "gone": "–",
}  # fmt: skip


def pips(line: Line) -> SafeString:
    """One square for each pod or node, or a bar of many, with the counts in words below."""
    total = sum(pip.count for pip in line.pips)
    picture = _squares(line.pips) if total <= PIPS else _bar(line.pips, total)
    words = plain(line.pips_say)
    return format_html('<div class="pips-of">{}<small>{}</small></div>', picture, words)


def _squares(found: list[Pip]) -> SafeString:
    squares = [pip for one in found for pip in [one] * one.count]
    inside = format_html_join(
        "",
        '<span class="pip is-{}" title="{}">{}</span>',
        ((pip.state, plain([pip.name]) if pip.name else "", _SIGNS[pip.state]) for pip in squares),
    )
    return format_html('<div class="pips" aria-hidden="true">{}</div>', inside)


def _bar(found: list[Pip], total: int) -> SafeString:
    counts: dict[State, int] = {}
    for pip in found:
        counts[pip.state] = counts.get(pip.state, 0) + pip.count
    rectangles, left = [], 0.0
    for state, count in counts.items():
        width = 100 * count / total
        rectangles.append((state, f"{left:.3f}%", f"{width:.3f}%"))
        left += width
    inside = format_html_join(
        "", '<rect class="pip-part is-{}" x="{}" width="{}" height="100%"/>', rectangles
    )
    return format_html('<svg class="meter tall pip-bar" aria-hidden="true">{}</svg>', inside)
