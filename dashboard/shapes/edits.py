"""What the edits of a scenario do, as the engine wrote it (`scheduler_core/world/edits/results.py`)."""

from typing import NotRequired, TypedDict


class RefusedEviction(TypedDict):
    """An eviction that budgets won't allow; `lasts` as the engine says it, absent in earlier versions."""

    uid: str
    pod: str
    node: str
    budgets: list[str]
    message: str
    lasts: NotRequired[str]


class EditResult(TypedDict):
    """What an edit, by its index, changes, or why it fails. Earlier versions lack what may be absent."""

    index: int
    op: str
    sentence: str
    changes: list[str]
    problems: list[str]
    more: NotRequired[int]
    evictions: NotRequired[int]
    refused: NotRequired[list[RefusedEviction]]
    at_first: NotRequired[list[RefusedEviction]]
    nodes: NotRequired[list[str]]
    altered: NotRequired[list[str]]
    objects: NotRequired[list[str]]
    budgets: NotRequired[int]
    evicted_by_taints: NotRequired[int]
