"""Names for objects that leave them to the API server, by `generateName`.

An API server appends five letters by chance. Here the smallest free number is appended, so that the same
input always gives the same objects.

Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/names/generate.go (lengths).
"""

from collections.abc import Container, Iterator
from itertools import count
from typing import Any

from scheduler_core.objects.identity import namespace_of
from scheduler_core.objects.kinds import Kind, kind_of

Object = dict[str, Any]
Space = tuple[Kind, str]
"""A kind in a namespace: within it names are told apart."""

_LONGEST_BEGINNING = 58


def generate_name(beginning: str, taken: Container[str], numbers: Iterator[int]) -> str:
    """Return the first free name that begins so, with one of the numbers to come."""
    beginning = beginning[:_LONGEST_BEGINNING]
    return next(name for number in numbers if (name := f"{beginning}{number}") not in taken)


def beginning_of_name(document: Object) -> str:
    """Return the `generateName` of an object without a name; nothing if it has a name, or neither."""
    metadata = document.get("metadata")
    if not isinstance(metadata, dict) or metadata.get("name"):
        return ""
    beginning = metadata.get("generateName")
    return beginning if isinstance(beginning, str) else ""


def with_name(document: Object, name: str) -> Object:
    """Return the object with a name."""
    return {**document, "metadata": {**document["metadata"], "name": name}}


def name_all(objects: list[Object]) -> tuple[list[Object], list[Object]]:
    """Return the objects, all that have a `generateName` with a name, and those that were given one."""
    if not any(map(beginning_of_name, objects)):
        return objects, []
    taken: dict[Space, set[str]] = {}
    for document in objects:
        metadata = document.get("metadata")
        if isinstance(metadata, dict) and isinstance(metadata.get("name"), str):
            taken.setdefault(_space(document), set()).add(metadata["name"])
    numbers: dict[tuple[Space, str], Iterator[int]] = {}
    named, given = [], []
    for document in objects:
        if beginning := beginning_of_name(document):
            names = taken.setdefault(_space(document), set())
            following = numbers.setdefault((_space(document), beginning), count(1))
            document = with_name(document, generate_name(beginning, names, following))
            names.add(document["metadata"]["name"])
            given.append(document)
        named.append(document)
    return named, given


def _space(document: Object) -> Space:
    return kind_of(document), str(namespace_of(document))
