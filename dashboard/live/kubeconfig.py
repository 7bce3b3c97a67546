"""A kubeconfig that somebody sends: one context of it, without anything that reaches into this machine.

A file that a kubeconfig names would be one of the server's, and a program in it would run there. So both are
refused, but for programs that the server's operator allows (`exec_plugin.py`). `kubectl config view --flatten
--minify` writes files into it.
"""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from dashboard.live import exec_plugin
from scheduler_core.go.base64_text import is_base64
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.reading.object_lists import read_yaml

MAX_BYTES = 1024 * 1024
FLATTEN = "kubectl config view --flatten --minify"

_FILES = ("certificate-authority", "client-certificate", "client-key", "tokenFile")
_LEFT_OUT = ("REDACTED", "DATA+OMITTED")
"""What `kubectl config view` writes in the place of a secret where it is not asked for."""
_DATA = ("certificate-authority-data", "client-certificate-data", "client-key-data")
_FLAG = "insecure-skip-tls-verify"
_CLUSTER = ("server", "certificate-authority-data", "tls-server-name", _FLAG)
_USER = ("token", "client-certificate-data", "client-key-data", "username", "password")
CONTEXT_LENGTH, ADDRESS_LENGTH = 253, 500

Object = dict[str, Any]


class Connection(NamedTuple):
    """A context by itself: its name, the API server's address, and the kubeconfig of nothing else."""

    context: str
    address: str
    document: Object

    @property
    def is_verified(self) -> bool:
        """Whether the API server's certificate is checked."""
        cluster = self.document["clusters"][0]["cluster"]
        return self.address.startswith("https://") and not cluster.get(_FLAG)

    def with_credentials(self) -> Connection:
        """Return it with what the program answers that it names, if it does. Raises BadInput."""
        [cluster], [user] = self.document["clusters"], self.document["users"]
        wanted = user["user"].get("exec")
        if wanted is None:
            return self
        found = exec_plugin.credentials(wanted, cluster["cluster"])
        if problems := list(_faults("exec", found, _USER)):
            raise BadInput(problems)
        own = _only(user["user"], _USER)
        return self._replace(document=document_of(self.context, cluster["cluster"], {**own, **found}))

    def with_files(self, folder: Path) -> Object:
        """Return the kubeconfig with certificates and keys as files, which it writes into a folder.

        The client would write them itself, and look for them again after the folder has gone.
        """
        [cluster], [user] = self.document["clusters"], self.document["users"]
        return {
            **self.document,
            "clusters": [{**cluster, "cluster": _as_files(cluster["cluster"], folder)}],
            "users": [{**user, "user": _as_files(user["user"], folder)}],
        }


def connection_in(text: bytes, context: str = "", commands: Collection[str] = ()) -> Connection:
    """Return a context of a kubeconfig, by default the current one. Raises BadInput.

    commands: paths of the programs that it may name for credentials.
    """
    document = _read(text)
    context = context or str(document.get("current-context") or "")
    if not context and not document.get("contexts"):
        raise _wrong("contexts", "is empty: a cluster to read is one of them")
    if not context:
        raise _wrong("current-context", f"is empty: name one of {_names(document, 'contexts')}")
    if len(context) > CONTEXT_LENGTH or not context.isprintable() or not context.strip():
        raise _wrong("current-context", f"must be a name of at most {CONTEXT_LENGTH} printable characters")
    chosen = _part(document, "contexts", context, "context")
    cluster_name, user_name = str(chosen.get("cluster") or ""), str(chosen.get("user") or "")
    cluster = _part(document, "clusters", cluster_name, "cluster")
    user = _part(document, "users", user_name, "user")
    address = str(cluster.get("server") or "")
    problems = [
        *_address_faults(f"clusters.{cluster_name}.server", address),
        *_faults(f"clusters.{cluster_name}", cluster, _CLUSTER),
        *_faults(f"users.{user_name}", user, _USER),
    ]
    if wanted := user.get("exec"):
        problems += exec_plugin.faults(f"users.{user_name}.exec", wanted, commands)
    if problems:
        raise BadInput(problems)
    if wanted:
        user = {**user, "exec": exec_plugin.plain(wanted, commands)}
    return Connection(context, address, document_of(context, cluster, user))


def document_of(context: str, cluster: Mapping[str, Any], user: Mapping[str, Any]) -> Object:
    """Return the kubeconfig of one context: the fields of its cluster and its user that are kept."""
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": context,
        "contexts": [{"name": context, "context": {"cluster": "cluster", "user": "user"}}],
        "clusters": [{"name": "cluster", "cluster": _only(cluster, _CLUSTER)}],
        "users": [{"name": "user", "user": _only(user, (*_USER, "exec"))}],
    }


def _read(text: bytes) -> Object:
    if len(text) > MAX_BYTES:
        raise _wrong("", f"is larger than {MAX_BYTES:,} bytes: it is no kubeconfig")
    documents = read_yaml(text)
    if len(documents) != 1 or documents[0].get("kind") != "Config":
        raise _wrong("kind", "must be Config: this is no kubeconfig")
    return documents[0]


def _part(document: Object, lists: str, name: str, key: str) -> Object:
    """Return an entry of a named list of a kubeconfig."""
    entries = document.get(lists)
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and str(entry.get("name")) == name and isinstance(entry.get(key), dict):
            found: Object = entry[key]
            return found
    raise _wrong(lists, f"has no {name or 'entry without a name'}; there are {_names(document, lists)}")


def _names(document: Object, lists: str) -> str:
    entries = document.get(lists)
    entries = entries if isinstance(entries, list) else []
    return ", ".join(str(one.get("name")) for one in entries if isinstance(one, dict)) or "none"


def _address_faults(field: str, address: str) -> Iterator[Problem]:
    try:
        parts = urlsplit(address)
        is_right = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.username
    except ValueError:
        is_right = False
    if not is_right:
        yield Problem("", field, "must be the address of an API server, as https://10.0.0.1:6443")
    elif len(address) > ADDRESS_LENGTH:
        yield Problem("", field, f"is longer than {ADDRESS_LENGTH} characters")


def _faults(place: str, part: Mapping[str, Any], known: tuple[str, ...]) -> Iterator[Problem]:
    for field in _FILES:
        if part.get(field):
            yield Problem("", f"{place}.{field}", f"names a file: send what `{FLATTEN}` prints")
    if part.get("proxy-url"):
        yield Problem("", f"{place}.proxy-url", "is not taken: set HTTPS_PROXY for the server's workers")
    if part.get("auth-provider"):
        message = "asks a plugin for credentials, which is refused: use a token"
        yield Problem("", f"{place}.auth-provider", message)
    for field in known:
        if part.get(field) is not None and (fault := _value_fault(field, part[field])):
            yield Problem("", f"{place}.{field}", fault)


def _value_fault(field: str, value: Any) -> str:
    """Return what is wrong with a value, without the value, which may be a secret."""
    if field == _FLAG:
        return "" if isinstance(value, bool) else "must be true or false"
    if not isinstance(value, str):
        return "must be text, in quotes if it looks like a number"
    if value in _LEFT_OUT:
        return f"was left out by kubectl: send what `{FLATTEN}` prints"
    if field in _DATA:
        return "" if not value or is_base64(value) else "must be in base64"
    is_sendable = value.isascii() and value.isprintable()
    return "" if is_sendable else "has a line break or another character that HTTP does not send"


def _as_files(part: Object, folder: Path) -> Object:
    written = dict(part)
    for field in _DATA:
        if field in written:
            path = folder / field.removesuffix("-data")
            path.write_bytes(base64.b64decode(written.pop(field)))
            written[path.name] = str(path)
    return written


def _only(part: Mapping[str, Any], known: tuple[str, ...]) -> Object:
    return {field: part[field] for field in known if part.get(field)}


def _wrong(field: str, message: str) -> BadInput:
    return BadInput([Problem("", field, message)])
