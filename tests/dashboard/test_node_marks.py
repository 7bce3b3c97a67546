"""The words about the nodes of a map, which the browser says too: both are held to the same vectors."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from dashboard.answers.node_marks import counted, of_one

VECTORS: dict[str, Any] = json.loads((Path(__file__).parents[1] / "vectors/node_marks.json").read_text())


def test_one_node_is_worded() -> None:
    assert [of_one(*asked) for asked, _ in VECTORS["of_one"]] == [told for _, told in VECTORS["of_one"]]


def test_many_nodes_are_counted() -> None:
    found = [counted(Counter(titles)) for titles, _ in VECTORS["counted"]]
    assert found == [told for _, told in VECTORS["counted"]]
