"""Extenders for tests: real HTTP servers on this machine, which answer as a test says."""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any

from recorded.extender_tables import Table, tables_of
from scheduler_core.kube.extenders.extender import ExtenderError, Victims
from scheduler_core.kube.extenders.settings import ExtenderSettings
from scheduler_core.kube.extenders.source import Question

Answer = Callable[[str, dict[str, Any]], tuple[int, bytes] | None]
"""Takes the path and the body of a question; None ends the connection without a reply."""


class ExtenderServer:
    """A server that is up; `asked` are the paths of the questions."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.asked: list[str] = []


@contextmanager
def extender(answer: Answer, *, tls: ssl.SSLContext | None = None) -> Iterator[ExtenderServer]:
    """Serve an extender for as long as the block runs."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            running.asked.append(self.path)
            reply = answer(self.path, json.loads(self.rfile.read(length)))
            if reply is None:
                self.close_connection = True
                return
            status, body = reply
            self.send_response(status)
            if 300 <= status < 400:
                self.send_header("Location", body.decode())
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    running = ExtenderServer(server.server_port)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield running
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def stubborn(say: Callable[[socket.socket, threading.Event], None]) -> Iterator[str]:
    """Serve somebody who speaks no HTTP to the end; gives its URL. The event is set when the block ends."""
    listener, over = socket.create_server(("127.0.0.1", 0)), threading.Event()

    def serve() -> None:
        try:
            connection, _ = listener.accept()
            with connection:
                say(connection, over)
        except OSError:
            return

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        over.set()
        listener.close()


def from_tables(case: dict[str, Any]) -> Answer:
    """Answer from the tables of a recorded case; the n-th extender is below the path `/n`."""
    tables: list[Table] = case["extenders"]
    numbered = {"extenders": [{"urlPrefix": str(number)} for number in range(len(tables))]}
    source = tables_of(numbered, tables)
    capable = [bool(one.get("nodeCacheCapable")) for one in case["config"]["extenders"]]
    pods = [item["metadata"] for item in case["cluster"]["items"] if item["kind"] == "Pod"]
    infos = [
        SimpleNamespace(row=row, uid=pod["uid"], key=f"{pod['namespace']}/{pod['name']}")
        for row, pod in enumerate(pods)
    ]
    state: Any = SimpleNamespace(pods=SimpleNamespace(infos=infos), gone=SimpleNamespace(values={}))

    def answer(path: str, body: dict[str, Any]) -> tuple[int, bytes] | None:
        number, verb = path.strip("/").split("/")
        settings = ExtenderSettings(number, node_cache_capable=capable[int(number)])
        parts: Any = (_pod_of(body), _nodes_of(body), _candidates_of(body))
        asked: Any = verb
        question = Question(settings, asked, path, state, *parts)
        try:
            reply = source.ask(question, bytes)
        except ExtenderError:
            return None
        return reply.status, reply.body

    return answer


def _pod_of(body: dict[str, Any]) -> Any:
    if "PodName" in body:
        return SimpleNamespace(key=f"{body['PodNamespace']}/{body['PodName']}")
    metadata = body["Pod"]["metadata"]
    return SimpleNamespace(key=f"{metadata['namespace']}/{metadata['name']}")


def _nodes_of(body: dict[str, Any]) -> list[str]:
    if body.get("NodeNames") is not None:
        return list(body["NodeNames"])
    return [node["metadata"]["name"] for node in (body.get("Nodes") or {}).get("items", ())]


def _candidates_of(body: dict[str, Any]) -> dict[str, Victims]:
    whole, by_uid = body.get("NodeNameToVictims") or {}, body.get("NodeNameToMetaVictims") or {}
    found = {
        node: Victims([pod["metadata"]["uid"] for pod in one["Pods"]], one["NumPDBViolations"])
        for node, one in whole.items()
    }
    return found | {
        node: Victims([pod["UID"] for pod in one["Pods"]], one["NumPDBViolations"])
        for node, one in by_uid.items()
    }
