"""What an API server says of its own version, in any form in which it is printed: it becomes an object.

The answer is no object of Kubernetes: it has no kind. So that it can stand among the objects of a cluster, it
gets one here, with the version as its name. Two API servers of one cluster may be of two versions.

Sources: k8s.io/apimachinery v0.36 pkg/version (Info), kubectl v0.36 pkg/cmd/version; troubleshoot v0.9
pkg/collect/cluster_info.go (`info`, `string`). Sonobuoy's serverversion.json is the plain answer.
"""

import re
from typing import Any

from scheduler_core.objects.kinds import Kind, kind_of

Object = dict[str, Any]

SERVER_VERSION = Kind("sandtable", "ServerVersion")

_VERSION = re.compile(r"v?\d+\.\d+[0-9A-Za-z.+~_-]{0,100}")
_OLD_WORDS = re.compile(r'GitVersion:"([^"]*)"')
_IN_WORDS = "Server Version"
"""As `kubectl version` without `-o` writes it, which YAML reads as a key."""


def server_version_object(document: Object) -> Object | None:
    """Return the object for what an API server says of its version; None for anything else."""
    if document.get("kind"):
        return None
    version = _version_of(document)
    if not isinstance(version, str) or not _VERSION.fullmatch(version):
        return None
    kind = SERVER_VERSION
    return {
        "apiVersion": f"{kind.group}/v1",
        "kind": kind.name,
        "metadata": {"name": version},
        "gitVersion": version,
    }


def git_version(document: Object) -> str:
    """Return the version that such an object holds; empty for any other object."""
    version = document.get("gitVersion") if kind_of(document) == SERVER_VERSION else ""
    return version if isinstance(version, str) else ""


def says_client_alone(document: Object) -> bool:
    """Tell whether kubectl has printed its own version, and no server's."""
    return not document.get("kind") and isinstance(document.get("clientVersion"), dict)


def _version_of(document: Object) -> Any:
    for key in ("serverVersion", "info"):
        inner = document.get(key)
        if isinstance(inner, dict) and inner.get("gitVersion"):
            return inner["gitVersion"]
    if "gitVersion" in document and "metadata" not in document:
        return document["gitVersion"]
    words = document.get(_IN_WORDS)
    old = _OLD_WORDS.search(words) if isinstance(words, str) else None
    return old[1] if old else words
