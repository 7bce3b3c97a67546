"""An OpenTelemetry collector for tests: takes spans by OTLP over HTTP, and may keep its senders waiting."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


class Told(NamedTuple):
    """A span as it arrived; numbers as hex digits, `parent` empty for the first of a trace."""

    name: str
    trace: str
    number: str
    parent: str
    facts: dict[str, Any]
    pid: int
    service: str


class Collector:
    """What arrived. Whoever sends gets no answer before `answer` is set."""

    def __init__(self) -> None:
        self.answer = threading.Event()
        self.asked = threading.Event()
        self.bodies: list[bytes] = []
        self.url = ""

    def spans(self) -> list[Told]:
        """All spans, decoded."""
        return [span for body in self.bodies for span in _decoded(body)]

    def named(self, name: str) -> list[Told]:
        """All spans of a name."""
        return [span for span in self.spans() if span.name == name]


@contextmanager
def collecting() -> Iterator[Collector]:
    """Run a collector on a port of loopback."""
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            collector.asked.set()
            collector.answer.wait()
            if self.path == "/v1/traces":
                collector.bodies.append(body)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    collector.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield collector
    finally:
        collector.answer.set()
        server.shutdown()
        server.server_close()


def _decoded(body: bytes) -> Iterator[Told]:
    for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
        about = _facts(resource.resource.attributes)
        for scope in resource.scope_spans:
            for span in scope.spans:
                numbers = span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex()
                yield Told(
                    span.name, *numbers, _facts(span.attributes), about["process.pid"], about["service.name"]
                )


def _facts(attributes: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in attributes}
