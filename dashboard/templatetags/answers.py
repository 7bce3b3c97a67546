"""Filters and tags for answers: `{{ line.head|said }}` prints a sentence, `{% pips line %}` its picture."""

from collections.abc import Iterator

from django import template

from dashboard.answers.answer import HELD_OF_DESERVED, Column, Table
from dashboard.answers.printers.html import html, html_of_file
from dashboard.answers.printers.pips import pips
from dashboard.answers.printers.shares import shares
from dashboard.answers.printers.words import named
from dashboard.answers.sentence import Sentence

register = template.Library()
register.filter("said", html)
register.filter("said_in_file", html_of_file)
register.filter("name_said", named)
register.simple_tag(pips)
register.filter(shares)


@register.filter
def is_of_shares(column: Column) -> bool:
    """Whether a column's cells are drawn as two shares."""
    return column.key == HELD_OF_DESERVED


@register.filter
def cells(table: Table, row: list[Sentence]) -> Iterator[tuple[Column, Sentence]]:
    """The cells of a row, each with its column."""
    return zip(table.columns, row, strict=True)
