"""Annotations that are private: those that hold a whole object, a command line, or the recipe of a secret.

All others stay: schedulers and controllers are told by annotations what to do (`volcano.sh/...`,
`hami.io/...`, `pv.kubernetes.io/...`), and the list of these is not closed.
"""

import re
from typing import Any

import msgspec

from scheduler_core.objects.privacy.dropped import Dropped

_NAMES = frozenset(
    (
        "objectset.rio.cattle.io/applied",
        "kapp.k14s.io/original",
        "kubernetes.io/change-cause",  # the command line of `kubectl set env ... --record`
        "k3s.io/node-args",
        "k3s.io/node-env",
        "rke2.io/node-args",
        "rke2.io/node-env",
    )
)
_WORDS = ("last-applied", "last-handled-configuration")
"""In the names under which tools store the manifest that they applied: kubectl, Banzai's operators, Kopf."""
_DOMAINS = frozenset(
    (
        "ad.datadoghq.com",
        "co.elastic.logs",
        "co.elastic.metrics",
        "conjur.org",
        "operator.1password.io",
        "proxy.istio.io",
        "sidecar.istio.io",
        "vault.hashicorp.com",
        "vault.security.banzaicloud.io",
    )
)
"""Injectors of secrets and of sidecars, and monitors whose checks hold passwords."""
_YAML_OBJECT = re.compile(r"^(?:apiVersion|kind):.*^(?:apiVersion|kind):", re.MULTILINE | re.DOTALL)
_KEYS = tuple(re.compile(rf"\b{key}[\\\"']*\s*:") for key in ("apiVersion", "kind", "metadata"))
"""What every object has, whatever it is wrapped in; a mere reference to an object has no metadata."""


def keep_public_annotations(annotations: Any, place: str, dropped: Dropped) -> Any:
    """Return the annotations without private ones."""
    if not isinstance(annotations, dict):
        return annotations
    private = [name for name, value in annotations.items() if _is_private(name, value)]
    if not private:
        return annotations
    for name in private:
        dropped.count_field(place, name)
    return {name: value for name, value in annotations.items() if name not in private}


def _is_private(name: str, value: Any) -> bool:
    return (
        name in _NAMES
        or name.partition("/")[0] in _DOMAINS
        or any(word in name for word in _WORDS)
        or (isinstance(value, str) and _is_whole_object(value))
    )


class _Object(msgspec.Struct, rename="camel"):
    kind: str
    api_version: str


def _is_whole_object(text: str) -> bool:
    """Tell whether an annotation is the manifest of an object, as JSON or YAML, or has one in it."""
    if "apiVersion" not in text:
        return False
    try:
        msgspec.json.decode(text, type=_Object)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return _YAML_OBJECT.search(text) is not None or all(key.search(text) for key in _KEYS)
    return True
