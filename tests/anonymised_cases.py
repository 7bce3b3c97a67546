"""Recorded cases under other names, and answers that are held together name by name."""

import json
import re
from collections.abc import Iterator
from typing import Any

import yaml

from scheduler_core.objects.anonymising import Anonymiser
from scheduler_core.objects.anonymising.texts import Texts
from scheduler_core.objects.kinds import kind_of
from scheduler_core.objects.privacy.kept_by_kind import kept_kinds

Object = dict[str, Any]
_OF_NODES = frozenset(("node", "nodes", "nominate"))
_DONE = frozenset(("cluster", "schedule", "ops", "timeline", "events", "steps", "extenders", "driver"))
_TO_NODES = frozenset(("cordon", "uncordon", "drain", "taint", "untaint", "stop-kubelet", "start-kubelet"))
_MADE = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
_ENTRY = "config"


def anonymised_case(case: Object, key: bytes = b"key") -> tuple[Object, Texts]:
    """Return a case in which all objects, the configuration and what is done to them have other names."""
    given = {name: value for name, value in case.items() if name in _DONE}
    objects = list(_objects_in(given))
    config = _configuration(case.get("config"))
    anonymiser = Anonymiser([*objects, *config], key)
    changed = anonymiser.anonymised().objects
    assert len(changed) == len(objects) + len(config)
    renamed = iter(changed)
    other = {name: _renamed(value, renamed, anonymiser.texts, name) for name, value in given.items()}
    return {**case, **other, "config": _read(next(renamed, None), case.get("config"))}, anonymiser.texts


def _configuration(config: Any) -> list[Object]:
    if isinstance(config, dict) and config.get("kind"):
        return [config]
    if isinstance(config, str):
        return [
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {_ENTRY: config}}
        ]
    return []


def _read(document: Object | None, config: Any) -> Any:
    if document is None:
        return config
    if isinstance(config, dict):
        for one, given in zip(document.get("extenders") or (), config.get("extenders") or (), strict=True):
            one["urlPrefix"] = given["urlPrefix"]  # never in a snapshot; here it is asked from a table
        return document
    (text,) = document["data"].values()
    assert yaml.safe_load(text).keys() == yaml.safe_load(config).keys()
    return text


def _is_object(value: Any) -> bool:
    return isinstance(value, dict) and "metadata" in value and kind_of(value) in kept_kinds()


def numbered_uids(log: Any) -> Any:
    """Return a log in which uids that the engine made of names are numbered, as they come up first.

    Such a uid stands for an object that never saw an API server: another name gives it another uid.
    """
    numbers: dict[str, int] = {}
    text = _MADE.sub(lambda found: f"uid{numbers.setdefault(found[0], len(numbers))}", json.dumps(log))
    return json.loads(text)


def _objects_in(value: Any) -> Iterator[Object]:
    if _is_object(value):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _objects_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _objects_in(inner)


def _renamed(value: Any, objects: Iterator[Object], texts: Texts, field: str) -> Any:
    if _is_object(value):
        return next(objects)
    if isinstance(value, dict):
        of_node = value.get("kind", "Node" if value.get("do") in _TO_NODES else "") == "Node"
        return {
            texts.name(key) if field == "nodeSelector" else _key(key, texts): _renamed(
                inner, objects, texts, "node" if of_node and key == "name" else key
            )
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_renamed(inner, objects, texts, field) for inner in value]
    return _name(value, texts, field) if isinstance(value, str) else value


def _key(text: str, texts: Texts) -> str:
    """Return the same for the key of an object: names of nodes and of pods stand there too."""
    return _name(text, texts, "node") if "/" in text or text in texts.names.nodes else text


def _name(text: str, texts: Texts, field: str) -> str:
    """Return the name that stands for a text, the text itself for one that is no name of the case."""
    if text in texts.names.nodes and field in _OF_NODES:
        return texts.node(text)
    kind, space, name = text.partition(" ")
    if field == "delete" and space:
        return f"{kind} {_name(name, texts, 'node' if kind == 'Node' else '')}"
    try:
        return "/".join(map(texts.name, text.split("/")))
    except KeyError:
        return text


# -- answers that are alike but for names --------------------------------------------------------------

_BETWEEN = re.compile(r"([^A-Za-z0-9_./:@,-]+)")


def difference(one: Any, other: Any, texts: Texts, place: str = "") -> str:
    """Return where an answer differs from one under other names by more than names; nothing if nowhere."""
    if isinstance(one, str) and isinstance(other, str):
        return "" if _stand_for(one, other, texts) else f"{place}: {one!r} and {other!r}"
    if type(one) is not type(other):
        return f"{place}: {one!r} and {other!r}"
    if isinstance(one, dict):
        if len(one) != len(other):
            return f"{place}: {list(one)} and {list(other)}"
        pairs = zip(one.items(), other.items(), strict=True)
        return next(
            (
                found
                for (key, inner), (renamed, changed) in pairs
                if (found := difference(key, renamed, texts, f"{place}, a key"))
                or (found := difference(inner, changed, texts, f"{place}.{key}"))
            ),
            "",
        )
    if isinstance(one, list):
        if len(one) != len(other):
            return f"{place}: {one} and {other}"
        places = (
            difference(*pair, texts, f"{place}[{i}]") for i, pair in enumerate(zip(one, other, strict=True))
        )
        return next(filter(None, places), "")
    return "" if one == other else f"{place}: {one!r} and {other!r}"


def _stand_for(one: str, other: str, texts: Texts) -> bool:
    """Tell whether a text is another one, word by word the same or the name that stands for it."""
    if one == other or other in _names_for(one, texts):
        return True
    words, others = _BETWEEN.split(one), _BETWEEN.split(other)
    return len(words) == len(others) and all(
        word == renamed or _word_stands_for(word, renamed, texts)
        for word, renamed in zip(words, others, strict=True)
    )


def _word_stands_for(word: str, renamed: str, texts: Texts) -> bool:
    if renamed in _names_for(word, texts) or renamed.rstrip(".:,") in _names_for(word.rstrip(".:,"), texts):
        return True
    for between in ("([/:,;])", "([-/:,;])"):  # the latter: names that the run makes, such as web-0-r1
        if _parts_stand_for(re.split(between, word), re.split(between, renamed), texts):
            return True
    return False


def _parts_stand_for(parts: list[str], others: list[str], texts: Texts) -> bool:
    return len(parts) == len(others) and all(
        part == other or other in _names_for(part, texts) for part, other in zip(parts, others, strict=True)
    )


def _names_for(text: str, texts: Texts) -> set[str]:
    found = set()
    for change in (texts.name, texts.node, texts.names.label, lambda text: _of_node(text, texts)):
        try:
            found.add(change(text))
        except KeyError:
            continue
    return found


def _of_node(text: str, texts: Texts) -> str:
    """Return the name of a card whose name begins with its node's."""
    node = max((node for node in texts.names.nodes if text.startswith(f"{node}-")), key=len, default="")
    return f"{texts.node(node)}{text.removeprefix(node)}"
