"""An answer as one HTML file that is read without a server: no script, no request, light and dark.

Links in it lead to its own tables alone: where the answer was made may be nobody's business.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString

from dashboard.answers.answer import Answer, Table
from dashboard.answers.printers.node_names import cut_of
from dashboard.answers.printers.words import plain

WIDTH, HEIGHT = 640.0, 120.0
"""Of a picture, in its own units; it takes the width that there is."""


class Course(NamedTuple):
    """How a number went, decision by decision: the decision and the number after it."""

    title: str
    steps: Sequence[tuple[int, int]]


class About(NamedTuple):
    """What an answer rests on.

    facts: what and how, each a term and its words. asked: the edits, as sentences. doubts: what would make it
    less sure. tables: what else helps a reader. course: a picture, None for none.
    """

    title: str
    facts: list[tuple[str, str]]
    asked: list[str] = []
    doubts: list[str] = []
    tables: list[Table] = []
    course: Course | None = None


def html_file(answer: Answer, about: About) -> str:
    """Return the whole file."""
    course = None if about.course is None else _picture(about.course)
    tables = [*answer.tables, *about.tables]
    told = {plain(one).rstrip(".") for one in answer.trust}
    about = about._replace(doubts=[one for one in about.doubts if one.rstrip(".") not in told])
    context = {"answer": answer, "about": about, "tables": tables, "course": course, "cut": cut_of(answer)}
    return render_to_string("answers/file.html", context)


def _picture(course: Course) -> SafeString:
    """Return a line with steps; below it stand the first and the last decision, beside it the most."""
    first, last = course.steps[0][0], course.steps[-1][0]
    most = max(number for _, number in course.steps) or 1
    points = []
    before = course.steps[0][1]
    for seq, number in course.steps:
        x = WIDTH * (seq - first) / max(1, last - first)
        points += [f"{x:.1f},{HEIGHT - HEIGHT * value / most:.1f}" for value in (before, number)]
        before = number
    return format_html(
        '<figure><figcaption>{}: at most {}, decisions {} to {}</figcaption>'
        '<svg viewBox="-2 -4 {} {}" role="img" aria-label="{}" preserveAspectRatio="none">'
        '<polyline points="{}" vector-effect="non-scaling-stroke"/></svg></figure>',
        course.title, f"{most:,}", f"{first:,}", f"{last:,}", WIDTH + 4, HEIGHT + 8, course.title,
        " ".join(points),
    )  # fmt: skip
