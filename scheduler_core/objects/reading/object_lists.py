"""Reading clusters: the JSON or YAML that kubectl prints becomes a flat list of objects.

In comes the text of one file, out go its objects in order: Lists (also typed ones such as PodList, also
nested) are opened, several YAML documents are joined. Nothing is decided here about what the objects mean;
`check_objects` does that.

Everything is bounded: YAML comes by `yaml_documents`, JSON by `json_text`. What exceeds a bound, or is
broken, raises `BadInput`; so does a key that stands twice, unless the caller takes note of them.
"""

from typing import Any

from scheduler_core.objects.checks.cluster_checks import Limits, check_objects
from scheduler_core.objects.kinds import READ_KINDS
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.reading.exports import exported_objects
from scheduler_core.objects.reading.internal_form import internal_items
from scheduler_core.objects.reading.json_text import decode_json, repeated_keys
from scheduler_core.objects.reading.kindless import Type, type_of_list
from scheduler_core.objects.reading.misspelt_kinds import UNKNOWN_KIND
from scheduler_core.objects.reading.repeated_keys import RepeatedKey, find_object, refuse
from scheduler_core.objects.reading.yaml_documents import yaml_documents
from scheduler_core.objects.server_version import server_version_object

__all__ = [
    "Limits",
    "NoObjects",
    "NothingInIt",
    "check_objects",
    "flatten",
    "read_json",
    "read_yaml",
]

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

Object = dict[str, Any]


class NothingInIt(BadInput):
    """A text without any document: empty, or nothing but comments."""


class NoObjects(BadInput):
    """A document that can be read, and of which no part has the form of an object."""


class NotAllObjects(BadInput):
    """Some items of Lists are no objects, such as null; `objects` has an empty one in the place of each."""

    def __init__(self, problems: list[Problem], objects: list[Object]) -> None:
        super().__init__(problems)
        self.objects = objects


def read_json(data: bytes, repeated: list[RepeatedKey] | None = None) -> list[Object]:
    """Return the objects of a JSON text: one object, a List, or an array. Raises BadInput.

    repeated: takes the keys that stand twice, of which the last counts; without it they are refused.
    """
    data = data.removeprefix(BYTE_ORDER_MARK)
    document = decode_json(data)
    _tell([find_object(document, path) for path in repeated_keys(data, document)], repeated)
    return _flatten(document, "")


def read_yaml(data: bytes, repeated: list[RepeatedKey] | None = None) -> list[Object]:
    """Return the objects of a YAML text with any number of documents. Raises BadInput.

    repeated: as for `read_json`.
    """
    documents, twice = yaml_documents(data)
    _tell([find_object(documents[place], path, line) for place, path, line in twice], repeated)
    several = len(documents) > 1
    objects: list[Object] = []
    odd: list[Problem] = []
    for number, document in enumerate(documents, start=1):
        if document is not None:  # an empty document, as between two separators
            try:
                objects.extend(_flatten(document, f"document {number}" if several else ""))
            except NotAllObjects as error:
                objects += error.objects
                odd += error.problems
    if odd:
        raise NotAllObjects(odd, objects)
    if not objects and all(document is None for document in documents):
        raise NothingInIt([Problem("", "", "there is nothing in it")])
    return objects


def _tell(found: list[RepeatedKey], repeated: list[RepeatedKey] | None) -> None:
    if repeated is None:
        refuse(found)
    else:
        repeated.extend(found)


_LISTS = {kind.lower(): kind for kind in ("List", *(f"{read.name}List" for read in READ_KINDS))}


def flatten(document: Any) -> list[Object]:
    """Return the objects of a document that was read elsewhere, Lists opened. Raises BadInput."""
    return _flatten(document, "")


def _flatten(document: Any, place: str) -> list[Object]:
    """Return the objects of a document in order, Lists opened. Raises BadInput with every faulty place."""
    objects: list[Object] = []
    problems: list[Problem] = []
    odd = 0
    waiting: list[tuple[Any, str]] = [(document, place)]
    while waiting:
        item, path = waiting.pop()
        if isinstance(item, list) and path == place:
            waiting.extend(_children(item, path, None))
        elif not isinstance(item, dict):
            odd += 1
            objects.append({})
            problems.append(Problem(path, "", f"expected a Kubernetes object, found {_type_name(item)}"))
        elif (exported := exported_objects(item)) is not None:
            waiting.extend(reversed(exported))
        elif (version := server_version_object(item)) is not None:
            objects.append(version)
        elif (internal := internal_items(item)) is not None:
            waiting.extend(_children(internal[0], path, type_of_list(internal[1])))
        elif meant := _misspelt_list(item):
            problems.append(Problem(path, "kind", f"{item['kind']} {UNKNOWN_KIND}; did you mean {meant}?"))
        elif not _is_list(item):
            objects.append(item)
        elif not isinstance(item.get("items") or [], list):
            problems.append(Problem(path, "items", "must be an array of objects"))
        else:
            waiting.extend(_children(item.get("items") or [], path, type_of_list(item)))
    if problems:
        if not any(objects):
            raise NoObjects(problems)
        raise NotAllObjects(problems, objects) if odd == len(problems) else BadInput(problems)
    return objects


def is_plain_object(item: Any) -> bool:
    """Tell whether an item of a List is an object by itself, and nothing that holds others."""
    if not isinstance(item, dict) or _misspelt_list(item):
        return False
    return exported_objects(item) is None and internal_items(item) is None and not _is_list(item)


def _is_list(item: Object) -> bool:
    kind = item.get("kind")
    if not kind:
        return isinstance(item.get("items"), list) and not _names_itself(item)
    return kind == "List" or (isinstance(kind, str) and kind.endswith("List") and "items" in item)


def _misspelt_list(item: Object) -> str | None:
    """Return how the kind of a List is spelt whose capitals are wrong, None for anything else."""
    kind = item.get("kind")
    if not isinstance(kind, str) or not isinstance(item.get("items"), list) or _names_itself(item):
        return None
    meant = _LISTS.get(kind.lower())
    return meant if meant != kind else None


def _names_itself(item: Object) -> bool:
    """Tell whether a document has a name, as objects have and Lists don't."""
    metadata = item.get("metadata")
    return isinstance(metadata, dict) and bool(metadata.get("name"))


def _children(items: list[Any], path: str, meant: Type | None) -> list[tuple[Any, str]]:
    """Return the items with their places, last first, each as what its list says that they are."""
    prefix = f"{path} items" if path else "items"
    children = []
    for index in range(len(items) - 1, -1, -1):
        item = items[index]
        if meant and isinstance(item, dict) and not item.get("kind"):
            item = {**meant._asdict(), **item, "kind": meant.kind}
        children.append((item, f"{prefix}[{index}]"))
    return children


def _type_name(value: Any) -> str:
    names = {str: "text", int: "a number", float: "a number", bool: "true or false", list: "an array"}
    return "nothing" if value is None else names.get(type(value), "something else")
