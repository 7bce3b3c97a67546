"""Asking an outside extender: one POST to one checked address, bounded in time and size, never redirected.

What goes wrong is told as kube-scheduler's HTTP client tells it.
"""

from __future__ import annotations

import base64
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

from dashboard.services.workspace.extenders.addresses import Target, Unreachable, resolve
from dashboard.services.workspace.extenders.allowed import Address, allowed_address, extender_problems
from scheduler_core.kube.extenders.settings import ExtenderSettings
from scheduler_core.kube.extenders.source import EOF, TIMEOUT, Question, Reply, no_reply
from scheduler_core.objects.problems import BadInput

SECOND = 10**9
LONGEST_SECONDS = 10.0
"""However long an extender's httpTimeout is."""
LONGEST_DECISION_SECONDS = 30.0
"""All that one decision may wait for extenders: a worker that stands still for longer is taken for stuck."""
LARGEST_ANSWER = 16 * 1024 * 1024
_PIECE = 64 * 1024


class OutsideExtenders:
    """Asks extenders for a run. `begin` starts a decision, whose questions share a span of time."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until = 0.0
        self.begin()

    def begin(self) -> None:
        """Begin a decision."""
        self.has_asked = False
        """Whether anybody was asked about the decision."""
        self._until = self._clock() + LONGEST_DECISION_SECONDS

    def ask(self, question: Question, body: Callable[[], bytes]) -> Reply:
        """Return the reply. Raises ExtenderError, and BadInput where the address may not be asked."""
        address = allowed_address(question.url)
        if address is None:
            url = question.extender.url_prefix
            raise BadInput(extender_problems({"extenders": [{"urlPrefix": url}]}))
        sent = body()
        self.has_asked = True
        deadline = min(self._clock() + seconds_of(question.extender), self._until)
        try:
            return self._post(address, question, sent, deadline)
        except TimeoutError:
            raise no_reply(question.url, TIMEOUT) from None
        except Unreachable as fault:
            raise no_reply(question.url, str(fault)) from fault

    def _left(self, deadline: float) -> float:
        left = deadline - self._clock()
        if left <= 0:
            raise TimeoutError
        return left

    def _post(self, address: Address, question: Question, body: bytes, deadline: float) -> Reply:
        target = resolve(address.host, address.port, self._left(deadline))
        with self._connected(target, address, question.extender, deadline) as connection:
            try:
                headers = {"Content-Type": "application/json", "User-Agent": "sandtable"}
                connection.request("POST", urlsplit(question.url).path, body, headers)
                response = connection.getresponse()
                reply = Reply(response.status, _read(response))
                self._left(deadline)
                return reply
            except TimeoutError:
                raise
            except (http.client.RemoteDisconnected, ConnectionError, ssl.SSLEOFError):
                self._left(deadline)
                raise Unreachable(EOF) from None
            except (http.client.HTTPException, OSError, ValueError) as fault:
                self._left(deadline)
                raise Unreachable(f"net/http: HTTP/1.x transport connection broken: {fault}") from fault

    @contextmanager
    def _connected(
        self, target: Target, address: Address, extender: ExtenderSettings, deadline: float
    ) -> Iterator[http.client.HTTPConnection]:
        """Give a connection to the target that ends when the time is over, whatever the other side does."""
        connection = http.client.HTTPConnection(address.host, address.port)
        plain = self._dialled(target, address.port, deadline)
        connection.sock = plain
        sockets: list[socket.socket] = [plain]
        watchdog = threading.Timer(self._left(deadline), _shut, [sockets])
        watchdog.daemon = True
        watchdog.start()
        try:
            if address.scheme == "https":
                connection.sock = secured = _secured(plain, address, extender)
                sockets.append(secured)
                secured.do_handshake()
            yield connection
        except ssl.SSLError as fault:
            self._left(deadline)
            raise Unreachable(f"tls: {fault.reason or fault}") from fault
        finally:
            watchdog.cancel()
            connection.close()
            plain.close()

    def _dialled(self, target: Target, port: int, deadline: float) -> socket.socket:
        plain = socket.socket(target.family, socket.SOCK_STREAM)
        plain.settimeout(self._left(deadline))
        try:
            plain.connect((target.address, port))
        except TimeoutError:
            plain.close()
            raise
        except OSError as fault:
            plain.close()
            why = (fault.strerror or str(fault)).lower()
            raise Unreachable(f"dial tcp {_joined(target.address, port)}: connect: {why}") from fault
        return plain


def seconds_of(extender: ExtenderSettings) -> float:
    """Return how long an answer may take."""
    return min(extender.timeout / SECOND, LONGEST_SECONDS)


def _read(response: http.client.HTTPResponse) -> bytes:
    """Return the body; of one that breaks off, what has come. Raises Unreachable where it is too large."""
    pieces, size = [], 0
    try:
        while piece := response.read(_PIECE):
            pieces.append(piece)
            size += len(piece)
            if size > LARGEST_ANSWER:
                raise Unreachable(f"the answer is larger than {LARGEST_ANSWER // 1024 // 1024} MiB")
    except http.client.IncompleteRead as cut:
        pieces.append(cut.partial)
    return b"".join(pieces)


def _shut(sockets: list[socket.socket]) -> None:
    # The connection itself may have let go of its socket by now, and left it to the response.
    for one in sockets:
        with suppress(OSError):  # It may be closed already.
            one.shutdown(socket.SHUT_RDWR)


def _secured(plain: socket.socket, address: Address, extender: ExtenderSettings) -> ssl.SSLSocket:
    tls = extender.tls
    context = ssl.create_default_context()
    if tls is not None and tls.ca_data:
        context = ssl.create_default_context(cadata=base64.b64decode(tls.ca_data).decode("ascii"))
    elif extender.enable_https or (tls is not None and tls.insecure):
        # As kube-scheduler: enableHTTPS without a certificate authority takes any certificate.
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    name = (tls.server_name if tls is not None else "") or address.host
    return context.wrap_socket(plain, server_hostname=name, do_handshake_on_connect=False)


def _joined(address: str, port: int) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
