"""Commands that ask a server are answered by this very process."""

from email.message import Message
from http import HTTPStatus
from io import BytesIO
from urllib.error import HTTPError
from urllib.request import Request

import pytest
from django.test import Client

SERVER = ("--server", "http://sandtable.example", "--token", "x")


def served_here(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    """Let a test's client answer what commands send, as whoever is signed in there."""

    def opened(request: Request, timeout: float) -> BytesIO:
        sent = {name.lower(): value for name, value in request.header_items()}
        answer = client.generic(
            request.get_method(),
            request.selector,
            request.data or b"",
            sent.get("content-type", "application/octet-stream"),
            headers={"accept": sent.get("accept", "application/json")},
        )
        body = BytesIO(answer.getvalue())
        if answer.status_code >= HTTPStatus.MULTIPLE_CHOICES:
            headers = Message()
            for name, value in answer.items():
                headers[name] = value
            raise HTTPError(request.full_url, answer.status_code, "", headers, body)
        return body

    monkeypatch.setattr("dashboard.command_line.server._opener.open", opened)
