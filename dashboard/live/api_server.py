"""An API server that a kubeconfig's context names, and what goes wrong when it is asked.

The official client finds the way there: certificates, tokens, programs that fetch one. Texts come back as
they were sent, since the import reads them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.client import HTTPException
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory, gettempdir
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import msgspec

from dashboard.live.kubeconfig import Connection
from scheduler_core.objects.problems import BadInput, Problem

if TYPE_CHECKING:
    from kubernetes.client import ApiClient
    from urllib3 import BaseHTTPResponse

CONNECT_SECONDS, READ_SECONDS, ANSWER_SECONDS = 10, 40, 300
"""An importer that waits for a minute counts as stuck (`lease_keeper.py`): the second stays below it."""
FIRST_SECONDS = 10
"""An API server that has not answered yet is given up after so long: others wait for the importers, too."""
EXPIRED = "does not take the credentials (401)"
MOST_BYTES = 256 * 1024 * 1024
"""Of one answer; a page of 500 large pods has some ten million."""
MOST_IN_ALL = 4 * MOST_BYTES
SLOWEST = 10_000
"""Bytes a second, of an answer that takes longer than READ_SECONDS."""
PIECE_BYTES = 1024 * 1024
REPEATS, MOST_WAIT = 5, 5
"""How often a question is sent again that an API server asks to repeat later, and after how many seconds."""
_UNAUTHORIZED, _NOT_FOUND, _GONE, _BUSY, _FAULT = 401, 404, 410, 429, 500
_REASON_BYTES = 300
_FOLDERS = "sandtable-cluster-"
"""How the names of folders with certificates begin; the number of their process comes next."""


class Refused(Exception):
    """The API server does not give what was asked for; the message is its own."""


class NotServed(Refused):
    """It does not know a resource or an object: 404."""


class Failing(Refused):
    """It cannot answer now, whatever the account may do: 429, or 500 and above."""


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
        self._received = 0
        self._has_answered = False

    def get(self, path: str, query: Mapping[str, str | int] | None = None) -> bytes:
        """Return the text of an answer. Raises Refused and Unanswered."""
        return self._ask("GET", path, query)

    def post(self, path: str, body: Mapping[str, Any]) -> bytes:
        """Return the text of an answer to a question that is sent. Raises Refused and Unanswered."""
        return self._ask("POST", path, None, body)

    def _ask(
        self,
        method: str,
        path: str,
        query: Mapping[str, str | int] | None,
        body: Mapping[str, Any] | None = None,
    ) -> bytes:
        for left in reversed(range(REPEATS)):
            status, text, wait = self._answer(method, path, query, body)
            if wait is None or not left:
                break
            sleep(wait)
        if status >= 300:
            raise self._refusal(status, text)
        return text

    def _answer(
        self,
        method: str,
        path: str,
        query: Mapping[str, str | int] | None,
        body: Mapping[str, Any] | None,
    ) -> tuple[int, bytes, int | None]:
        """Return status and text, and after how many seconds to ask again where the API server says so."""
        with self._telling_of_faults():
            response = self._response(method, path, query, body)
            text = self._text_of(response)
        later = response.headers.get("Retry-After", "")
        may_repeat = _is_passing(response.status) and later.isascii() and later.isdigit()
        return response.status, text, min(int(later[:9]), MOST_WAIT) if may_repeat else None

    def lines(self, path: str, query: Mapping[str, str | int], seconds: float) -> Iterator[bytes]:
        """Yield the lines of an answer as they come, such as a watch sends them.

        seconds: after so many the answer has to be at its end. Raises Refused and Unanswered.
        """
        with self._telling_of_faults():
            response = self._response("GET", path, query, None)
            try:
                if response.status >= 300:
                    raise self._refusal(response.status, self._text_of(response))
                rest, until = b"", monotonic() + seconds
                while piece := response.read1(PIECE_BYTES, decode_content=True):
                    self._count(len(piece))
                    *whole, rest = (rest + piece).split(b"\n")
                    yield from filter(None, whole)
                    if monotonic() > until:
                        raise self.unanswered(f"takes more than {int(seconds)} s for an answer")
            finally:
                response.close()

    def _response(
        self,
        method: str,
        path: str,
        query: Mapping[str, str | int] | None,
        body: Mapping[str, Any] | None,
    ) -> BaseHTTPResponse:
        request = self._client.param_serialize(
            method,
            path,
            query_params=list((query or {}).items()),
            header_params={"Accept": "application/json", "Content-Type": "application/json"},
            body=body,
            auth_settings=["BearerToken"],
        )
        seconds = READ_SECONDS if self._has_answered else FIRST_SECONDS
        answer = self._client.call_api(*request, _request_timeout=(CONNECT_SECONDS, seconds))
        self._has_answered = True
        response: BaseHTTPResponse = answer.response
        return response

    @contextmanager
    def _telling_of_faults(self) -> Iterator[None]:
        """Say of faults on the way what they are, without the credentials. Raises Unanswered."""
        from kubernetes.client.exceptions import ApiException
        from urllib3.exceptions import HTTPError

        try:
            yield
        except ApiException as error:  # of TLS
            raise self.unanswered(f"cannot be reached: {error.reason}") from error
        except (HTTPError, OSError) as error:
            raise self.unanswered(f"cannot be reached: {_root_of(error)}") from error
        except (HTTPException, ValueError):  # whose text quotes the credentials
            message = (
                "cannot be asked: its address or the credentials have characters that HTTP does not send"
            )
            raise self.unanswered(message) from None

    def _text_of(self, response: BaseHTTPResponse) -> bytes:
        """Return an answer's text, within bounds: whoever answers may be anybody."""
        pieces, size, begun = list[bytes](), 0, monotonic()
        while piece := response.read1(PIECE_BYTES, decode_content=True):
            pieces.append(piece)
            size += len(piece)
            if size > MOST_BYTES:
                raise self.unanswered(f"sends more than {MOST_BYTES:,} bytes at once")
            self._count(len(piece))
            seconds = monotonic() - begun
            if seconds > ANSWER_SECONDS or (seconds > READ_SECONDS and size < seconds * SLOWEST):
                raise self.unanswered(f"takes more than {int(seconds)} s for an answer")
        return b"".join(pieces)

    def _count(self, size: int) -> None:
        self._received += size
        if self._received > MOST_IN_ALL:
            raise self.unanswered(f"sends more than {MOST_IN_ALL:,} bytes in all")

    def document(self, path: str) -> dict[str, Any]:
        """Return an answer's JSON object. Raises Refused, Unanswered and msgspec.DecodeError."""
        return msgspec.json.decode(self.get(path), type=dict[str, Any])

    @contextmanager
    def understood(self) -> Iterator[None]:
        """Say of answers that are none of an API server that they are not. Raises Unanswered."""
        try:
            yield
        except (msgspec.MsgspecError, UnicodeDecodeError, KeyError, TypeError, AttributeError) as error:
            raise self.unanswered("answers as no API server does") from error

    def unanswered(self, message: str) -> Unanswered:
        """Return the error that says what is wrong with the server as a whole."""
        return Unanswered([Problem("", "", f"{self.address} {message}")])

    def _refusal(self, status: int, text: bytes) -> Exception:
        if status < 400:
            return self.unanswered(f"sends elsewhere ({status}), which is not followed")
        if status == _UNAUTHORIZED:
            return self.unanswered(f"{EXPIRED}: they may have expired")
        said = _status_in(text)
        message = said.message or f"status {status}"
        if status == _GONE:
            expired = Expired(message)
            expired.rest = said.metadata.rest
            return expired
        if status == _NOT_FOUND:
            return NotServed(message)
        return Failing(message) if _is_passing(status) else Refused(message)


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
    return ApiServer(context or current, _hasty(client))


@contextmanager
def connected(connection: Connection) -> Iterator[ApiServer]:
    """Give the API server of a context that was sent. Raises BadInput.

    What TLS takes as files alone lies in a folder of its own meanwhile, which goes afterwards. A program that
    it names is run once, before.
    """
    from kubernetes.client import ApiClient, Configuration
    from kubernetes.config import load_kube_config_from_dict

    _remove_leftovers()
    connection = connection.with_credentials()
    with TemporaryDirectory(prefix=f"{_FOLDERS}{os.getpid()}-") as folder:
        configuration = Configuration()
        with _telling(connection.context):
            document = connection.with_files(Path(folder))
            load_kube_config_from_dict(document, client_configuration=configuration, persist_config=False)
        yield ApiServer(connection.context, _hasty(ApiClient(configuration)))


def _remove_leftovers() -> None:
    """Remove the folders of processes that were killed in the middle of a reading."""
    for folder in Path(gettempdir()).glob(f"{_FOLDERS}*"):
        try:
            os.kill(int(folder.name.split("-")[2]), 0)
        except ProcessLookupError:
            rmtree(folder, ignore_errors=True)
        except (PermissionError, ValueError, OverflowError):
            continue


def _hasty(client: ApiClient) -> ApiClient:
    """Let a client say soon that nobody answers, and go nowhere else."""
    from dashboard.live.bounded import bound

    client.configuration.retries = False
    client.rest_client = type(client.rest_client)(client.configuration)
    manager = client.rest_client.pool_manager
    bound(manager)
    manager.urlopen = partial(manager.urlopen, redirect=False)  # type: ignore[method-assign]
    return client


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


def _is_passing(status: int) -> bool:
    return status == _BUSY or status >= _FAULT


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
