"""Answers as Markdown: for merge requests, tickets and `text/markdown`."""

import re

from dashboard.answers.answer import Answer, Line, Table
from dashboard.answers.printers.links import address
from dashboard.answers.printers.words import NONE, counted, named, worded
from dashboard.answers.sentence import Name, Names, Number, Part, Sentence, Text, Words

_LISTED = 50
_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~])")


def markdown(answer: Answer, site: str = "") -> str:
    """Return the answer; `site` stands before addresses (`https://sandtable.example`), else none are told."""
    printer = _Printer(site.rstrip("/"))
    parts = [f"**{printer.sentence(answer.lead)}**"]
    parts += ["\n".join(map(printer.line, answer.lines))] if answer.lines else []
    parts += [printer.table(table) for table in answer.tables if not table.folds]
    parts += [f"_{printer.sentence(said)}_" for said in answer.trust]
    return "\n\n".join(parts) + "\n"


class _Printer:
    def __init__(self, site: str) -> None:
        self.site = site

    def line(self, line: Line) -> str:
        head, says = self.sentence(line.head), self.sentence(line.says)
        under = [f"  {self.sentence(said)}" for said in line.under]
        return "\\\n".join([f"- {' '.join(filter(None, (head and f'**{head}**', says)))}", *under])

    def table(self, table: Table) -> str:
        title = f"### {_escaped(table.title)}"
        head = "| " + " | ".join(_escaped(column.title) for column in table.columns) + " |"
        rule = "|" + "|".join("---:" if column.number else "---" for column in table.columns) + "|"
        rows = ["| " + " | ".join(map(self._cell, row)) + " |" for row in table.rows[:_LISTED]]
        others = len(table.rows[_LISTED:]) + table.others
        after = [f"and {others:,} more"] if others else []
        says = [self.sentence(table.says)] if table.says else []
        return "\n\n".join([title, *says, "\n".join([head, rule, *rows]), *after])

    def _cell(self, cell: Sentence) -> str:
        return self.sentence(cell) or NONE

    def sentence(self, parts: Sentence) -> str:
        return "".join(map(self._part, parts))

    def _part(self, part: Part) -> str:
        match part:
            case Words(words):
                return _code(words)
            case Text():
                return _escaped(part.text)
            case Name():
                return self._linked(_escaped(named(part)), part)
            case Number():
                return self._linked(_escaped(worded(part)), part)
            case Names():
                return self._names(part)

    def _names(self, part: Names) -> str:
        words = [self._part(name) for name in part.names]
        words += [f"{part.others:,} {counted(part.others, 'other')}"] if part.others else []
        return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)

    def _linked(self, words: str, part: Name | Number) -> str:
        found = address(part) if self.site else ""
        return f"[{words}]({self.site}{found})" if found.startswith("/") else words


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text).replace("\n", " ")


def _code(words: str) -> str:
    """Return words as code, between more backticks than are in them."""
    fence = "`" * (1 + max(map(len, re.findall("`+", words)), default=0))
    inside = words.replace("\n", " ").replace("|", "\\|")
    return f"{fence} {inside} {fence}" if "`" in words else f"{fence}{inside}{fence}"
