"""Asking an outside extender: to which addresses a question goes, and what becomes of an odd answer."""

import base64
import socket
import ssl
import subprocess
import threading
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from dashboard.services.workspace.extenders import addresses, calling
from dashboard.services.workspace.extenders.allowed import allowed_address, extender_problems
from dashboard.services.workspace.extenders.calling import LARGEST_ANSWER, OutsideExtenders
from scheduler_core.kube.extenders.extender import ExtenderError
from scheduler_core.kube.extenders.settings import ExtenderSettings, TlsSettings
from scheduler_core.kube.extenders.source import Question
from scheduler_core.objects.problems import BadInput
from tests.extender_server import extender, stubborn

SECOND = 10**9


def question(url: str, **settings: Any) -> Any:
    told = ExtenderSettings(url, filter_verb="filter", **settings)
    nobody: Any = None
    return Question(told, "filter", f"{url}/filter", nobody, nobody, [])


def ask(url: str, outside: OutsideExtenders | None = None, **settings: Any) -> Any:
    patient = {"timeout": 60 * SECOND, **settings}
    return (outside or OutsideExtenders()).ask(question(url, **patient), lambda: b"{}")


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who answers is heard out on a busy machine too; tests of the time name their own."""
    monkeypatch.setattr(calling, "LONGEST_SECONDS", 60.0)
    monkeypatch.setattr(calling, "LONGEST_DECISION_SECONDS", 600.0)


@pytest.fixture
def connections(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The addresses that were connected to; none is."""
    tried: list[Any] = []

    def connect(self: Any, address: Any) -> None:
        tried.append(address)
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(socket.socket, "connect", connect)
    return tried


def resolving(monkeypatch: pytest.MonkeyPatch, *found: str) -> None:
    def lookup(host: str, port: int, **_: Any) -> list[Any]:
        return [(socket.AF_INET6 if ":" in one else socket.AF_INET, 1, 6, "", (one, port)) for one in found]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)


# -- which addresses ------------------------------------------------------------------------------------

FORBIDDEN = [
    "http://127.0.0.1/x",
    "http://localhost/x",
    "http://[::1]/x",
    "http://[::ffff:127.0.0.1]/x",
    "http://0.0.0.0/x",
    "http://0/x",
    "http://169.254.169.254/latest",
    "http://2130706433/x",
    "http://0x7f000001/x",
    "http://0177.0.0.1/x",
    "http://127.1/x",
    "http://metadata.google.internal/x",
    "http://allowed.example.com@127.0.0.1/x",
    "http://allowed.example.com:80@127.0.0.1/x",
    "http://allowed.example.com\\@127.0.0.1/x",
    "http://allowed.example.com.evil.example/x",
    "http://allowed.example.com:8080/x",
    "https://allowed.example.com/x",
    "http://allowed.example.com/other",
    "http://allowed.example.com/x/../other",
    "http://allowed.example.com/x/%2e%2e/other",
    "http://allowed.example.com/x/..%2fother",
    "http://allowed.example.com/x/..%5Cother",
    "http://allowed.example.com/x/%252e%252e%252fother",
    "http://allowed.example.com/xy",
    "http://allowed.example.com/x?to=elsewhere",
    "http://allowed.example.com/x#elsewhere",
    "http://allowed.example.com/x\r\nHost: elsewhere",
    "file:///etc/passwd",
    "gopher://allowed.example.com/x",
    "//allowed.example.com/x",
    "http:///x",
    "http://[::1",
    "http://allowed.example.com:99999/x",
]


@pytest.mark.parametrize("url", FORBIDDEN)
def test_only_what_is_allowed_is_asked_however_it_is_spelt(
    url: str, settings: Any, connections: list[Any]
) -> None:
    settings.EXTENDERS = ["http://allowed.example.com/x"]
    assert allowed_address(url) is None
    (problem,) = extender_problems({"extenders": [{"urlPrefix": url}]})
    assert problem.field == "extenders[0].urlPrefix"
    with pytest.raises(BadInput, match="SANDTABLE_EXTENDERS"):
        ask(url)
    assert connections == []


def test_by_default_nobody_is_asked(settings: Any) -> None:
    assert settings.EXTENDERS == []
    assert allowed_address("http://extender.example.com/x") is None


@pytest.mark.parametrize(
    "url",
    ["http://allowed.example.com/x", "http://ALLOWED.example.com.:80/x/", "http://allowed.example.com/x/y"],
)
def test_what_lies_below_an_allowed_url_is_allowed(url: str, settings: Any) -> None:
    settings.EXTENDERS = ["http://allowed.example.com/x/"]
    assert allowed_address(url) is not None


SPECIAL = [
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "0.1.2.3",
    "169.254.169.254",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "fd00:42::42",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::",
]


@pytest.mark.parametrize("address", SPECIAL)
def test_an_allowed_name_that_leads_to_a_special_address_is_not_followed(
    address: str, settings: Any, monkeypatch: pytest.MonkeyPatch, connections: list[Any]
) -> None:
    settings.EXTENDERS = ["http://allowed.example.com"]
    resolving(monkeypatch, address)
    with pytest.raises(ExtenderError, match="may not be asked"):
        ask("http://allowed.example.com")
    assert connections == []


@pytest.mark.parametrize("address", ["10.1.2.3", "192.168.1.1", "203.0.113.7", "fd12::7", "2001:db8::1"])
def test_an_allowed_name_may_lead_into_a_private_network(address: str) -> None:
    assert addresses.is_acceptable(ip_address(address), "allowed.example.com")


@pytest.mark.parametrize("form", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1"])
def test_a_number_is_no_way_around_although_it_is_allowed_by_name(form: str, settings: Any) -> None:
    settings.EXTENDERS = [f"http://{form}"]
    with pytest.raises(ExtenderError, match=r"may not be asked|no such host"):
        ask(f"http://{form}")


def test_the_connection_goes_to_the_address_that_was_checked(
    settings: Any, monkeypatch: pytest.MonkeyPatch, connections: list[Any]
) -> None:
    settings.EXTENDERS = ["http://allowed.example.com"]
    lookups = []

    def lookup(host: str, port: int, **_: Any) -> list[Any]:
        lookups.append(host)
        found = "10.0.0.7" if len(lookups) == 1 else "127.0.0.1"
        return [(socket.AF_INET, 1, 6, "", (found, port))]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    with pytest.raises(ExtenderError) as fault:
        ask("http://allowed.example.com")
    said = "dial tcp 10.0.0.7:80: connect: connection refused"
    assert str(fault.value) == f'Post "http://allowed.example.com/filter": {said}'
    assert (connections, len(lookups)) == ([("10.0.0.7", 80)], 1)


def test_a_name_that_nobody_knows_is_told_as_such(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.EXTENDERS = ["http://allowed.example.com"]

    def lookup(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    with pytest.raises(ExtenderError, match=r"lookup allowed.example.com: no such host"):
        ask("http://allowed.example.com")


# -- what comes back --------------------------------------------------------------------------------------


def test_an_allowed_loopback_address_is_asked_and_a_proxy_is_not(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    with extender(lambda path, body: (200, b"{}")) as server:
        settings.EXTENDERS = [server.url]
        assert ask(f"{server.url}/a/b") == (200, b"{}")
        assert server.asked == ["/a/b/filter"]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_a_refusal_and_is_not_followed(status: int, settings: Any) -> None:
    with extender(lambda path, body: (200, b"{}")) as inner:
        to = f"{inner.url}/secret".encode()
        with extender(lambda path, body: (status, to)) as outer:
            settings.EXTENDERS = [outer.url, inner.url]
            assert ask(outer.url).status == status
        assert inner.asked == []


def test_a_connection_that_ends_without_a_reply_is_an_eof(settings: Any) -> None:
    with extender(lambda path, body: None) as server:
        settings.EXTENDERS = [server.url]
        with pytest.raises(ExtenderError) as fault:
            ask(server.url)
    assert str(fault.value) == f'Post "{server.url}/filter": EOF'


def silent(connection: socket.socket, over: threading.Event) -> None:
    over.wait()


def dripping_head(connection: socket.socket, over: threading.Event) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    while not over.wait(0.01):
        connection.sendall(b"x")


def dripping_body(connection: socket.socket, over: threading.Event) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n")
    while not over.wait(0.01):
        connection.sendall(b" ")


def dripping_without_length(connection: socket.socket, over: threading.Event) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while not over.wait(0.01):
        connection.sendall(b" ")


@pytest.mark.parametrize("say", [silent, dripping_head, dripping_body, dripping_without_length])
def test_who_does_not_come_to_an_end_is_given_up_after_its_timeout(say: Any, settings: Any) -> None:
    with stubborn(say) as url:
        settings.EXTENDERS = [url]
        with pytest.raises(ExtenderError, match="context deadline exceeded"):
            ask(url, timeout=SECOND // 5)


def test_who_has_used_up_a_decisions_time_is_not_asked_again_in_it(settings: Any) -> None:
    now = [0.0]
    with extender(lambda path, body: (200, b"{}")) as server:
        settings.EXTENDERS = [server.url]
        outside = OutsideExtenders(clock=lambda: now[0])
        now[0] = calling.LONGEST_DECISION_SECONDS + 1
        with pytest.raises(ExtenderError, match="context deadline exceeded"):
            ask(server.url, outside)
        assert server.asked == []
        outside.begin()
        assert ask(server.url, outside).status == 200


def flooding(connection: socket.socket, over: threading.Event) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    piece = b" " * 1024 * 1024
    while not over.is_set():
        connection.sendall(piece)


def test_an_answer_without_end_is_not_kept(settings: Any) -> None:
    with stubborn(flooding) as url:
        settings.EXTENDERS = [url]
        with pytest.raises(ExtenderError, match=f"larger than {LARGEST_ANSWER // 1024 // 1024} MiB"):
            ask(url)


def hear_out(connection: socket.socket) -> None:
    """Read the question to its end: who closes with some of it unread resets the connection."""
    heard = b""
    while not heard.endswith(b"\r\n\r\n{}"):
        heard += connection.recv(65536)


def cut_off(connection: socket.socket, over: threading.Event) -> None:
    hear_out(connection)
    connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"Err')


def no_http(connection: socket.socket, over: threading.Event) -> None:
    hear_out(connection)
    connection.sendall(b"SSH-2.0-OpenSSH_9.9\r\n")


def test_what_has_come_of_an_answer_that_breaks_off_is_returned(settings: Any) -> None:
    with stubborn(cut_off) as url:
        settings.EXTENDERS = [url]
        assert ask(url) == (200, b'{"Err')


def test_who_speaks_no_http_is_an_error(settings: Any) -> None:
    with stubborn(no_http) as url:
        settings.EXTENDERS = [url]
        with pytest.raises(ExtenderError, match=r"transport connection broken|EOF"):
            ask(url)


# -- TLS --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of extender.example.com with its key, by nobody that is known."""
    file = tmp_path_factory.mktemp("tls") / "both.pem"
    made = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=extender.example.com",
    ]
    name = ["-addext", "subjectAltName=DNS:extender.example.com"]
    subprocess.run(
        [*made, *name, "-keyout", f"{file}.key", "-out", str(file)], check=True, capture_output=True
    )
    return file


def secured(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, f"{certificate}.key")
    return context


def test_a_certificate_counts_as_the_configuration_says(certificate: Path, settings: Any) -> None:
    trusted = base64.b64encode(certificate.read_bytes()).decode()
    with extender(lambda path, body: (200, b"{}"), tls=secured(certificate)) as server:
        url = server.url.replace("http:", "https:")
        settings.EXTENDERS = [url]
        named = TlsSettings(server_name="extender.example.com", ca_data=trusted)
        assert ask(url, tls=named).status == 200
        assert ask(url, enable_https=True).status == 200, "any certificate, as kube-scheduler"
        assert ask(url, tls=TlsSettings(insecure=True)).status == 200
        with pytest.raises(ExtenderError, match="tls: "):
            ask(url)
        with pytest.raises(ExtenderError, match="tls: "):
            ask(url, tls=TlsSettings(ca_data=trusted))
