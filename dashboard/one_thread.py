"""Requests over ASGI, each answered by one thread from the first middleware to the view and back.

All views here are synchronous, and so are some middlewares. In Django's own handler a request then goes back
and forth between the event loop and its thread, a dozen times.
"""

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from dashboard import tracing


class OneThreadHandler(ASGIHandler):
    """Django's handler with a synchronous chain of middlewares; a request's thread is its own, as before."""

    def load_middleware(self, is_async: bool = False) -> None:
        """Load the middlewares, and let all of them be synchronous."""
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request in its thread."""
        response = await sync_to_async(self.get_response, thread_sensitive=True)(request)
        if request.resolver_match is not None:
            tracing.note_route(request.method or "", request.resolver_match.route)
        return response
