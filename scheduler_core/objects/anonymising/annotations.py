"""Annotations: what a public project reads stays or is renamed; of all others nobody knows what they hold."""

import re
from functools import lru_cache
from typing import Any

import msgspec

from scheduler_core.objects.anonymising.texts import Texts
from scheduler_core.objects.data_modules import data_modules

_NODES = frozenset(
    (
        "volume.kubernetes.io/selected-node",
        "scheduler.kubernetes.io/nominated-node-name",
        "NominatedNodeName",  # of 1.8
    )
)
_AVOIDED = "scheduler.alpha.kubernetes.io/preferAvoidPods"
"""Of a node, up to 1.13: whose pods it should not get, as JSON."""
_PLAIN = re.compile(r"-?[0-9][0-9./:TZ-]*|[0-9.]+(?:[hms]|[KMGT]i?)|true|false|yes|no", re.IGNORECASE)
_TELLING = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}|(?:[0-9]{1,4}:){3}|[0-9]{11,}")
"""An address, or a number as long as that of an account."""
_NAMES = re.compile(r"[A-Za-z0-9](?:[-A-Za-z0-9._/,@]*[A-Za-z0-9])?")


def changed_annotation(key: str, text: Any, texts: Texts) -> str | None:
    """Return what stays of an annotation, None for nothing."""
    if not isinstance(text, str):
        return None
    if "/" in key and not texts.is_public(key):
        return None
    if (change := _change_of(key)) is not None:
        changed: str | None = change(text, texts)
        return changed
    if key in _NODES or texts.is_node_key(key):
        return texts.node(text) if text else text
    if key == _AVOIDED:
        return _avoided(text, texts)
    if not texts.is_public(key):
        return None
    if texts.is_word_key(key):
        return texts.word(text)
    if not text or (_PLAIN.fullmatch(text) and not _TELLING.search(text)):
        return text
    return ",".join(map(texts.name, text.split(","))) if _NAMES.fullmatch(text) else None


def _avoided(text: str, texts: Texts) -> str | None:
    try:
        return msgspec.json.encode(_controllers(msgspec.json.decode(text), texts)).decode()
    except (msgspec.DecodeError, RecursionError):
        return None


def _controllers(value: Any, texts: Texts, field: str = "") -> Any:
    if isinstance(value, dict):
        return {key: _controllers(inner, texts, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [_controllers(inner, texts, field) for inner in value]
    if not isinstance(value, str) or field in ("kind", "apiVersion"):
        return value
    return texts.name(value) if value and field in ("name", "uid", "namespace") else ""


@lru_cache(maxsize=4096)
def _change_of(key: str) -> Any:
    """Return how a scheduler's own annotation is changed, None for all others."""
    known = (rule for module in data_modules("anonymised") for rule in module.ANNOTATIONS)
    return next((change for pattern, change in known if pattern.fullmatch(key)), None)
