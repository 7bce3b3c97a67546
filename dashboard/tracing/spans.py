"""Spans by OpenTelemetry's SDK, sent by OTLP over HTTP as the OTEL_ variables say. Imported only if on.

Each process makes its exporter with its first span, so that one that was forked has one of its own.
Its thread alone waits for the collector: where that is away, the queue runs full and spans are dropped.
"""

import atexit
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, StatusCode, Tracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

DEFAULTS = {
    "OTEL_SERVICE_NAME": "sandtable",
    "OTEL_EXPORTER_OTLP_TIMEOUT": "2",
    "OTEL_BSP_SCHEDULE_DELAY": "1000",
}
"""What the specification leaves longer or unsaid: a collector that is slow holds up nothing for long."""

END_SECONDS = 1.0
"""So long a process that ends waits for its last spans to be sent."""

_PROPAGATOR = TraceContextTextMapPropagator()
_lock = threading.Lock()
_tracers: dict[int, Tracer] = {}
"""By the process that made it."""


def _forget_parent() -> None:
    global _lock
    _lock = threading.Lock()  # another thread of the parent may have held it
    _tracers.clear()


os.register_at_fork(after_in_child=_forget_parent)


class Noted:
    """A span as the product notes facts of it."""

    def __init__(self, told: Span) -> None:
        self._told = told

    def note(self, **facts: Any) -> None:
        """Add attributes; one without a dot in its name is called `sandtable.NAME`."""
        self._told.set_attributes(_attributes(facts))

    def end(self) -> None:
        """End it."""
        self._told.end()


@contextmanager
def span(name: str, kind: str, caller: Mapping[str, Any] | None, facts: Mapping[str, Any]) -> Iterator[Noted]:
    """Trace a block, as `dashboard.tracing.span` says."""
    with _tracer().start_as_current_span(
        name,
        context=_context_of(caller),
        kind=SpanKind[kind.upper()],
        attributes=_attributes(facts),
        record_exception=False,  # its sentence may name anything
        set_status_on_exception=False,
    ) as told:
        try:
            yield Noted(told)
        except Exception as error:
            told.set_attribute("error.type", type(error).__qualname__)
            told.set_status(StatusCode.ERROR)
            raise


def begin(name: str, facts: Mapping[str, Any]) -> Noted:
    """Begin a span that is not the present one."""
    return Noted(_tracer().start_span(name, attributes=_attributes(facts)))


def headers() -> dict[str, str]:
    """Return the headers that name the present span; none where there is none."""
    found: dict[str, str] = {}
    _PROPAGATOR.inject(found)
    return found


def note_route(method: str, route: str) -> None:
    """Name the present span after a route."""
    told = trace.get_current_span()
    told.update_name(f"{method} {route}")
    told.set_attribute("http.route", route)


def _context_of(caller: Mapping[str, Any] | None) -> Context | None:
    """Return the trace that the caller's headers name, None where they name none."""
    parent = (caller or {}).get("traceparent")
    return _PROPAGATOR.extract({"traceparent": parent}) if isinstance(parent, str) else None


def _attributes(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name if "." in name else f"sandtable.{name}": fact for name, fact in facts.items()}


def _tracer() -> Tracer:
    with _lock:
        if os.getpid() not in _tracers:
            _tracers[os.getpid()] = _new_tracer()
        return _tracers[os.getpid()]


def _new_tracer() -> Tracer:
    for name, text in DEFAULTS.items():
        os.environ.setdefault(name, text)
    own = Resource.create({"process.pid": os.getpid()})
    provider = TracerProvider(resource=own, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    atexit.register(_end, provider, os.getpid())
    return provider.get_tracer("sandtable")


def _end(provider: TracerProvider, pid: int) -> None:
    """Send what is left, for a moment; a collector that is away does not keep the process."""
    if os.getpid() == pid:
        ending = threading.Thread(target=provider.shutdown, daemon=True)
        ending.start()
        ending.join(END_SECONDS)
