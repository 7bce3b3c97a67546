"""Cases in which pods come in numbers, as those of a Deployment do: recorded pods differ from each other."""

from collections.abc import Iterator
from copy import deepcopy

from tests.mixtures.mixing import Case, Document, key_of


def repeated(case: Case, times: int) -> Case:
    """Return a case, without what was expected of it, in which each pod to be scheduled comes so many times.

    The others of a kind come after all the first ones.
    """
    case = {key: value for key, value in case.items() if key != "expect"}
    items: list[Document] = case["cluster"]["items"]
    wanted = {key_of(item): item for item in items if item["kind"] == "Pod"}
    schedule = [key for key in case["schedule"] if key in wanted]
    more = [_twin(wanted[key], number) for number in range(1, times) for key in schedule]
    case["cluster"] = {**case["cluster"], "items": [*items, *more]}
    case["schedule"] = [*case["schedule"], *map(key_of, more)]
    if "timeline" in case:
        case["timeline"] = [each for entry in case["timeline"] for each in _entries(entry, times)]
    return case


def _entries(entry: Document, times: int) -> Iterator[Document]:
    yield entry
    item = entry.get("add")
    if item is not None and item["kind"] == "Pod" and not item["spec"].get("nodeName"):
        for number in range(1, times):
            yield {**entry, "add": _twin(item, number)}


def _twin(pod: Document, number: int) -> Document:
    twin = deepcopy(pod)
    twin["metadata"]["name"] += f"-{number}"
    twin["metadata"]["uid"] = f"{pod['metadata'].get('uid', key_of(pod))}-{number}"
    return twin
