"""An API server that a kubeconfig's context names, and what goes wrong when it is asked.

The official client finds the way there: certificates, tokens, programs that fetch one. Texts come back as
they were sent, since the import reads them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from scheduler_core.objects.problems import BadInput, Problem

if TYPE_CHECKING:
    from kubernetes.client import ApiClient

CONNECT_SECONDS, READ_SECONDS = 10, 120
_UNAUTHORIZED, _FORBIDDEN, _NOT_FOUND, _GONE = 401, 403, 404, 410
_REASON_BYTES = 300


class Refused(Exception):
    """The API server does not give what was asked for; the message is its own."""


class NotServed(Refused):
    """It does not know a resource or an object: 404."""


class Expired(Refused):
    """The moment that was asked about is too long ago: 410. `rest` goes on with a list as it is now."""

    rest = ""


class Unanswered(BadInput):
    """No answer can be had from the API server at all: it is out of reach, or takes no credentials."""


class ApiServer:
    """An API server under the name that people know it by."""

    def __init__(self, name: str, client: ApiClient) -> None:
        self.name = name
        self.address: str = client.configuration.host
        self._client = client

    def get(self, path: str, query: Mapping[str, str | int] | None = None) -> bytes:
        """Return the text of an answer. Raises Refused and Unanswered."""
        from urllib3.exceptions import HTTPError

        request = self._client.param_serialize(
            "GET",
            path,
            query_params=list((query or {}).items()),
            header_params={"Accept": "application/json"},
            auth_settings=["BearerToken"],
        )
        try:
            answer = self._client.call_api(*request, _request_timeout=(CONNECT_SECONDS, READ_SECONDS))
            text: bytes = answer.read()
        except (HTTPError, OSError) as error:
            raise self.unanswered(f"cannot be reached: {_root_of(error)}") from error
        if answer.status >= 400:
            raise self._refusal(answer.status, text)
        return text

    def document(self, path: str) -> dict[str, Any]:
        """Return an answer's JSON object. Raises Refused and Unanswered."""
        try:
            return msgspec.json.decode(self.get(path), type=dict[str, Any])
        except msgspec.DecodeError as error:
            raise self.unanswered(f"answers {path} with what is no JSON object") from error

    def unanswered(self, message: str) -> Unanswered:
        """Return the error that says what is wrong with the server as a whole."""
        return Unanswered([Problem("", "", f"{self.address} {message}")])

    def _refusal(self, status: int, text: bytes) -> Exception:
        if status == _UNAUTHORIZED:
            return self.unanswered("does not take the credentials (401): they may have expired")
        said = _status_in(text)
        message = said.message or f"status {status}"
        if status == _GONE:
            expired = Expired(message)
            expired.rest = said.metadata.rest
            return expired
        return NotServed(message) if status == _NOT_FOUND else Refused(message)


class _ListMeta(msgspec.Struct):
    rest: str = msgspec.field(name="continue", default="")


class _Status(msgspec.Struct):
    message: str = ""
    metadata: _ListMeta = msgspec.field(default_factory=_ListMeta)


def connect(context: str = "", kubeconfig: str = "") -> ApiServer:
    """Return the API server of a context of the user's own kubeconfig, by default of the current one.

    kubeconfig: the file, by default what `KUBECONFIG` names, or `~/.kube/config`. Programs that it names for
    credentials are called, as kubectl would. Raises BadInput.
    """
    from kubernetes.config import new_client_from_config

    known, current = contexts_of(kubeconfig)
    if context and context not in known:
        raise BadInput([Problem("", "", f"is no context; there are {', '.join(known) or 'none'}")])
    with _telling(kubeconfig):
        client = new_client_from_config(_path(kubeconfig), context or None, persist_config=False)
    client.configuration.retries = False  # who waits is told at once
    client.rest_client = type(client.rest_client)(client.configuration)
    return ApiServer(context or current, client)


def contexts_of(kubeconfig: str) -> tuple[list[str], str]:
    """Return the names of a kubeconfig's contexts, and the current one. Raises BadInput."""
    from kubernetes.config import list_kube_config_contexts

    with _telling(kubeconfig):
        contexts, current = list_kube_config_contexts(_path(kubeconfig))
        return [one["name"] for one in contexts], current["name"]


def _path(kubeconfig: str) -> str | None:
    return kubeconfig or os.environ.get("KUBECONFIG") or None  # which the client reads at its import alone


@contextmanager
def _telling(kubeconfig: str) -> Iterator[None]:
    """Say of a kubeconfig what is wrong with it."""
    from kubernetes.config import ConfigException
    from yaml import YAMLError

    try:
        yield
    except (ConfigException, YAMLError, OSError, KeyError, TypeError, ValueError) as error:
        said = " ".join(str(error).split())
        raise BadInput([Problem(kubeconfig or "kubeconfig", "", f"cannot be used: {said}")]) from error


def _root_of(error: BaseException) -> str:
    """Return the innermost reason, without the addresses of objects in memory."""
    while (inner := getattr(error, "reason", None)) is not None and isinstance(inner, BaseException):
        error = inner
    said = " ".join(str(error).split())
    return said.rpartition(": ")[2] or type(error).__name__


def _status_in(text: bytes) -> _Status:
    """Return what a Status says; of anything else, such as a proxy's page, its beginning."""
    try:
        said = msgspec.json.decode(text, type=_Status)
    except (msgspec.DecodeError, UnicodeDecodeError):
        said = _Status(text[:_REASON_BYTES].decode(errors="replace"))
    said.message = " ".join(said.message.split())[:_REASON_BYTES]
    return said
