"""The terms that pages use and what they mean, out of docs/glossary.md, the one place that says so."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.conf import settings
from django.utils.text import capfirst

FILE = Path(settings.BASE_DIR) / "docs" / "glossary.md"
_ROW = re.compile(r"^\| (?P<term>[^|(]+?)(?: \((?P<forms>[^)]+)\))? \| (?P<means>[^|]+?) \|", re.MULTILINE)
_SLUG = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class Term:
    """A term, other forms of the word that pages use, and what it means, as a sentence."""

    term: str
    forms: tuple[str, ...]
    means: str

    @property
    def slug(self) -> str:
        """The name of its place on the page of all terms."""
        return _SLUG.sub("-", self.term.lower()).strip("-")


@cache
def terms() -> list[Term]:
    """Return all terms in alphabetical order."""
    rows = [found for found in _ROW.finditer(FILE.read_text()) if found["term"] not in ("term", "---")]
    made = [
        Term(row["term"], tuple(row["forms"].split(", ")) if row["forms"] else (), _sentence(row["means"]))
        for row in rows
    ]
    return sorted(made, key=lambda term: term.term.lower())


def term_called(word: str) -> Term | None:
    """Return the term that a word is, or is a form of, None for a word that is not explained."""
    wanted = word.lower()
    return next((term for term in terms() if wanted in (term.term.lower(), *term.forms)), None)


def _sentence(markdown: str) -> str:
    words = markdown.replace("`", "").strip()
    return f"{capfirst(words)}{'' if words.endswith('?') else '.'}"
