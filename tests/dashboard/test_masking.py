"""Secrets are taken out of whatever is written down, and nothing else is."""

import json
from typing import Any

import pytest

from dashboard import masking
from dashboard.masking import keep_secret, masked, masked_value

SECRET = "Zq-9_fJ2mX0aB7cD5eF1gH3iK4lM6nO8pQ0rS2tU4v"


@pytest.mark.parametrize(
    "text",
    [
        "Gone: /accounts/link/{}/",
        "Forbidden (CSRF cookie not set.): http://localhost:8000/accounts/link/{}/?next=/",
        "<ASGIRequest: POST '/accounts/link/{}/'>",
        "Authorization: Bearer {}",
        "Authorization: Basic {}",
        "headers=[(b'host', b'x'), (b'authorization', b'Token {}')]",
        "{{'Authorization': 'abc {}'}}",
        "cookie: a=b; sandtable_session={}; c=d",
        "sandtable_session={}; other=1",
        "the token sandtable_{} is unknown",
        "GET /api/v1/runs/?token={}&limit=3",
        "GET /x?api_key={}",
        "cannot connect to redis://:{}@127.0.0.1:6379/0",
        "postgres://someone:{}@db.example/sandtable",
        "postgres://someone:p@ss/{}@db.example/sandtable",
        "amqp://a:{}@one.example;amqp://a:{}@two.example",
        'connection failed: password="{}" host=db',
        "{{'user': 'x', 'PASSWORD': 'with spaces {}', 'HOST': 'y'}}",
        '"{{\\"password\\": \\"{}\\"}}"',
        "AUTH_TOKEN = '{}'",
        "csrfmiddlewaretoken={}&x=1",
    ],
)
def test_a_secret_is_known_by_its_form_or_its_name(text: str) -> None:
    written = masked(text.replace("{}", SECRET))
    assert SECRET not in written
    assert SECRET[-12:] not in written
    assert masking.MASK in written


@pytest.mark.parametrize(
    "text",
    [
        "GET /runs/3/?at=17",
        "http://localhost:8000/accounts/link/",
        "connection to server at 127.0.0.1, port 5432 failed: fatal",
        "redis://127.0.0.1:6379/0",
        "sandtable_runs 3 and sandtable_decisions_of_a_run",
        "basic structure of a snapshot",
        "token created",
    ],
)
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert masked(text) == text


def test_a_known_secret_is_masked_wherever_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(masking, "_known", set())
    keep_secret("p%40ssword-of-the-database", "short", None)
    text = "failed for p@ssword-of-the-database or p%40ssword-of-the-database in short"
    assert masked(text) == "failed for *** or *** in short"


class _Unsayable:
    def __str__(self) -> str:
        raise RuntimeError


def test_values_of_all_kinds_become_plain_and_bare_of_secrets() -> None:
    nested: Any = "deep"
    for _ in range(1000):
        nested = [nested]
    value = {
        "password": SECRET,
        "api_token": SECRET.encode(),
        "tokens": 3,
        "request": ValueError(f"/accounts/link/{SECRET}/"),
        "list": [(f"redis://:{SECRET}@host",), {"Authorization": SECRET}],
        "nested": nested,
        "odd": _Unsayable(),
    }
    plain = masked_value(value)
    assert SECRET not in json.dumps(plain)
    assert plain["tokens"] == 3
    assert plain["list"] == [["redis://:***@host"], {"Authorization": "***"}]
    assert plain["odd"] == "<_Unsayable>"


def test_only_the_ends_of_a_very_long_text_are_kept() -> None:
    text = masked("begin " + "-".join("a" * 1_000_000) + " end")
    assert len(text) < masking.LONGEST_TEXT + 10
    assert text.startswith("begin ")
    assert text.endswith(" end")
