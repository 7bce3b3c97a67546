"""Terms: pages explain them in the glossary's words, and only those that it has."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template import Context, Template
from django.test import Client

from dashboard.queries.glossary import term_called, terms

ROOT = Path(settings.BASE_DIR)
OF_SCRIPTS = re.compile(r'\bterm\("([^"]+)"')
OF_TEMPLATES = re.compile(r'{% term "([^"]+)" %}')


def test_every_term_that_a_page_uses_is_explained() -> None:
    scripts = [path for path in (ROOT / "static" / "js").rglob("*.js") if path.name != "terms.js"]
    by_script = {name for path in scripts for name in OF_SCRIPTS.findall(path.read_text())}
    assert by_script, "the debugger explains its terms"
    assert by_script <= {term.term for term in terms()}
    templates = (ROOT / "templates").rglob("*.html")
    words = {word for path in templates for word in OF_TEMPLATES.findall(path.read_text())}
    assert [word for word in words if term_called(word) is None] == []


def test_a_form_of_the_word_is_explained_as_the_term() -> None:
    printed = Template('{% load screen %}{% term "reprieved" %} {% term "whatever" %}').render(Context())
    opening = '<button type="button" class="term" data-term="reprieve" data-scripted disabled>'
    assert printed == f"{opening}reprieved</button> whatever"


@pytest.mark.django_db
def test_a_page_has_all_of_them(client: Client, bob: Any) -> None:
    client.force_login(bob)
    page = client.get("/glossary/").text
    for term in terms():
        assert f'<div id="{term.slug}">' in page
    assert len({term.slug for term in terms()}) == len(terms())


def test_every_row_of_the_document_is_a_term() -> None:
    rows = (ROOT / "docs" / "glossary.md").read_text().splitlines()
    assert len(terms()) == len([row for row in rows if row.startswith("| ")]) - len(["head", "rule"])
