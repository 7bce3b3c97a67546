"""Answers in other forms than JSON, chosen by Accept: Markdown for tickets, plain text for terminals."""

from collections.abc import Callable
from typing import Any

import msgspec
from django.http import HttpResponse
from rest_framework.renderers import BaseRenderer, JSONRenderer

from dashboard.answers.answer import Answer
from dashboard.answers.printers.markdown import markdown
from dashboard.answers.printers.text import text


class _Printed(BaseRenderer):
    """Writes what a view has printed; everything else, such as a problem, as JSON."""

    charset = "utf-8"

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> bytes:
        """Return the bytes of a body."""
        return data.encode() if isinstance(data, str) else bytes(JSONRenderer().render(data))


class MarkdownRenderer(_Printed):
    """Markdown."""

    media_type = "text/markdown"
    format = "md"


class TextRenderer(_Printed):
    """Plain text."""

    media_type = "text/plain"
    format = "txt"


class HtmlFileRenderer(_Printed):
    """One HTML file that is read without a server."""

    media_type = "text/html"
    format = "html"


class CsvRenderer(_Printed):
    """The rows of an answer."""

    media_type = "text/csv"
    format = "csv"


class JsonLinesRenderer(_Printed):
    """Rows as lines of JSON."""

    media_type = "application/x-ndjson"
    format = "jsonl"


PRINTED = [JSONRenderer, MarkdownRenderer, TextRenderer, HtmlFileRenderer]


def answered(answer: Answer, request: Any, file: Callable[[], str]) -> HttpResponse:
    """Return an answer as JSON, as Markdown, as text or as a file of HTML, by Accept."""
    words = printed(answer, request, file)
    if words is None:
        return HttpResponse(msgspec.json.encode(answer), content_type=JSONRenderer.media_type)
    return HttpResponse(words.encode(), content_type=f"{request.accepted_renderer.media_type}; charset=utf-8")


def printed(answer: Answer, request: Any, file: Callable[[], str]) -> str | None:
    """Return an answer as the request wants it printed; None where it takes JSON."""
    match request.accepted_renderer.format:
        case "md":
            return markdown(answer, request.build_absolute_uri("/"))
        case "txt":
            return text(answer)
        case "html":
            return file()
    return None
