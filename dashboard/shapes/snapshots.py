"""What a snapshot stores of its import and of its resources."""

from typing import TypedDict


class FindingDocument(TypedDict):
    """A warning, how many objects it is about, and the first places of it (`imports/findings.py`)."""

    warning: str
    count: int
    places: list[str]
    of_files: bool


class Amounts(TypedDict):
    """What nodes have of a resource, and what pods on nodes request of it."""

    allocatable: int
    requested: int
    unit: str


class ImportProgress(TypedDict):
    """How far an import is: so many things of all are `done` in a stage."""

    stage: str
    done: int
    total: int
