"""Documents come back from the database as the standard library reads them, whoever decodes them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.models.documents import DocumentField

_leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None))
_documents = st.recursive(_leaves, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))


def read(text: str) -> Any:
    return DocumentField().from_db_value(text, None, None)


@given(_documents)
def test_any_document_is_read_as_by_the_standard_library(document: Any) -> None:
    text = json.dumps(document)
    assert repr(read(text)) == repr(json.loads(text))


@pytest.mark.parametrize(
    "text", ['{"b": 1, "a": 1, "b": 2}', "1e999", "-0", "-0.0", "18446744073709551616", '"\\ud800"']
)
def test_odd_documents_too(text: str) -> None:
    assert repr(read(text)) == repr(json.loads(text))
