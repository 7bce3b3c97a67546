"""Traces for OpenTelemetry: what one request causes, from the web process to the worker that does the work.

Off unless SANDTABLE_TRACES=1: until then nothing of OpenTelemetry is imported. Its own instrumentations of
Django, Celery and psycopg are not used: they tell whole addresses, arguments and SQL. A span of ours has
numbers of rows, counts, and words of our own. It never has a name, an address, a manifest, a token, or what
an exception says.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from django.conf import settings

Fact = bool | int | float | str


class Traced(Protocol):
    """A span, or what stands for one while traces are off."""

    def note(self, **facts: Fact) -> None:
        """Add attributes; one without a dot in its name is called `sandtable.NAME`."""

    def end(self) -> None:
        """End a span that `begin` began."""


class Untraced:
    """Takes the place of a span while traces are off."""

    def note(self, **facts: Fact) -> None:
        """Note nothing."""

    def end(self) -> None:
        """End nothing."""


NOTHING = Untraced()


def is_on() -> bool:
    """Return whether traces are told."""
    return bool(settings.TRACES)


@contextmanager
def span(
    name: str, kind: str = "internal", caller: Mapping[str, Any] | None = None, **facts: Fact
) -> Iterator[Traced]:
    """Trace a block. An exception that leaves it marks the span as failed, by its class alone.

    kind: "internal", "server", "producer" or "consumer". caller: the headers of who asked for it, of which
    `traceparent` is read; the span then belongs to the trace that these name.
    """
    if not is_on():
        yield NOTHING
        return
    from dashboard.tracing import spans

    with spans.span(name, kind, caller, facts) as begun:
        yield begun


def begin(name: str, **facts: Fact) -> Traced:
    """Begin a span that ends elsewhere, and under which no others begin."""
    if not is_on():
        return NOTHING
    from dashboard.tracing import spans

    return spans.begin(name, facts)


def headers() -> dict[str, str]:
    """Return the headers by which another process goes on with the present trace."""
    if not is_on():
        return {}
    from dashboard.tracing import spans

    return spans.headers()


def note_route(method: str, route: str) -> None:
    """Call the present span after the pattern of its address, in which no name of anything is."""
    if is_on():
        from dashboard.tracing import spans

        spans.note_route(method, route)
