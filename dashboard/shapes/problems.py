"""What is wrong with what somebody sent, as it is stored and shown."""

from typing import TypedDict


class ProblemDocument(TypedDict):
    """A problem by its object and field, as the engine names them (`scheduler_core/objects/problems.py`)."""

    object: str
    field: str
    message: str
