"""A span for each HTTP request, named after its method and route; probes and static files have none."""

from typing import Any

from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, ASGISendEvent, Scope

from dashboard import tracing
from dashboard.request_figures import METHODS, kind_of

UNTRACED = {"machine", "static"}


def traced(application: ASGI3Application) -> Any:
    """Return the ASGI application with its requests traced, or itself while traces are off."""
    return TracedRequests(application) if tracing.is_on() else application


class TracedRequests:
    """ASGI middleware; a `traceparent` that comes with a request is gone on with."""

    def __init__(self, application: ASGI3Application) -> None:
        self.application = application

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        if scope["type"] != "http" or (kind := kind_of(scope["path"])) in UNTRACED:
            await self.application(scope, receive, send)
            return
        method = scope["method"] if scope["method"] in METHODS else "other"
        asked = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        facts = {"http.request.method": method, "request_kind": kind}
        with tracing.span(f"{method} {kind}", "server", asked, **facts) as noted:

            async def noted_send(event: ASGISendEvent) -> None:
                if event["type"] == "http.response.start":
                    noted.note(**{"http.response.status_code": event["status"]})
                await send(event)

            await self.application(scope, receive, noted_send)
