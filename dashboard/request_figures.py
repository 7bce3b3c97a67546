"""What this web process measured of its HTTP requests, for ``/metrics``: how many, by status, and how long.

Addresses hold names and numbers without end, so requests are told apart by what they are for alone.
"""

import time

from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, ASGISendEvent, Scope
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

REGISTRY = CollectorRegistry()
KINDS = {
    "/api/": "rest",
    "/extender/": "extender",
    "/webhook/": "webhook",
    "/static/": "static",
    "/healthz": "machine",
    "/readyz": "machine",
    "/metrics": "machine",
}
"""By how an address begins; all others are pages."""

METHODS = {"DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"}
BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

REQUESTS = Counter(
    "sandtable_requests",
    "Requests that this process answered, by what they are for",
    ["kind", "method", "status"],
    registry=REGISTRY,
)
SECONDS = Histogram(
    "sandtable_request_seconds",
    "From a request's head to the end of its answer, in seconds",
    ["kind"],
    buckets=BUCKETS,
    registry=REGISTRY,
)
OPEN = Gauge("sandtable_requests_open", "Requests that this process is answering now", registry=REGISTRY)


class MeasuredRequests:
    """ASGI middleware in front of all others, so that what these refuse is counted, too."""

    def __init__(self, application: ASGI3Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        if scope["type"] != "http":
            await self.application(scope, receive, send)
            return
        status = 500  # what the server answers if the application ends without a word

        async def noted_send(event: ASGISendEvent) -> None:
            nonlocal status
            if event["type"] == "http.response.start":
                status = event["status"]
            await send(event)

        kind, began = kind_of(scope["path"]), time.perf_counter()
        method = scope["method"] if scope["method"] in METHODS else "other"
        try:
            with OPEN.track_inprogress():
                await self.application(scope, receive, noted_send)
        finally:
            REQUESTS.labels(kind, method, str(status)).inc()
            SECONDS.labels(kind).observe(time.perf_counter() - began)


def kind_of(path: str) -> str:
    """Return what an address is for: one of ``KINDS`` or `page`."""
    return next((kind for start, kind in KINDS.items() if path.startswith(start)), "page")
