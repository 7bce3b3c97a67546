"""What a signed-in person sees is kept by no cache: neither a proxy's nor a browser's that others use too."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control


class PrivateAnswers:
    """Middleware that marks every answer as private and not to be stored, unless its view said otherwise.

    Static files are answered before it, by WhiteNoise, and stay cacheable: their names hold their hash. An
    ETag is of no harm: it names the version that a change is based on, or what a program has read already.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not response.has_header("Cache-Control"):
            patch_cache_control(response, private=True, no_store=True)
        return response
