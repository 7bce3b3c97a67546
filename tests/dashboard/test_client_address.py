"""Whose address counts: nobody passes for another by a header, and nobody escapes the lockout."""

import http.cookiejar
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

import pytest
from django.test import Client, RequestFactory

from dashboard.client_address import behind_proxies, lockout_address
from tests.fixtures.database import whichever_database
from tests.fixtures.people import password_of
from tests.fixtures.stack import Stack

GUESSES = 5


async def told(proxies: list[str], client: str, **headers: str) -> tuple[str, str]:
    """The client and the scheme that the application sees of a request with these headers."""
    seen: dict[str, Any] = {}

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.update(scope)

    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "client": (client, 1234), "scheme": "http", "headers": sent}
    await behind_proxies(application, proxies)(scope, None, None)
    return seen["client"][0], seen["scheme"]


async def test_nobody_is_believed_by_default() -> None:
    found = await told([], "127.0.0.1", x_forwarded_for="192.0.2.7", x_forwarded_proto="https")
    assert found == ("127.0.0.1", "http")


async def test_a_trusted_proxy_is_believed_about_the_last_address_that_is_no_proxy() -> None:
    proxies = ["127.0.0.1/32", "10.0.3.0/24"]
    forwarded = "203.0.113.1, 192.0.2.7, 10.0.3.9"
    found = await told(proxies, "127.0.0.1", x_forwarded_for=forwarded, x_forwarded_proto="https")
    assert found == ("192.0.2.7", "https")
    assert await told(proxies, "192.0.2.8", x_forwarded_for=forwarded) == ("192.0.2.8", "http")


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("127.0.0.1", "127.0.0.1"),
        ("127.8.9.10", "127.0.0.1"),
        ("::1", "127.0.0.1"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("unknown", "unknown"),
    ],
)
def test_addresses_that_a_client_chooses_between_count_as_one(address: str, counted: str) -> None:
    assert lockout_address(RequestFactory().get("/", REMOTE_ADDR=address)) == counted


def guess(client: Client, number: int, **differences: Any) -> int:
    """A wrong password for bob; answers the status."""
    varied = {name: value(number) for name, value in differences.items()}
    form = {"username": varied.pop("username", "bob"), "password": f"wrong {number}"}
    return client.post("/accounts/sign-in/", form, **varied).status_code


@pytest.mark.parametrize(
    "differences",
    [
        {"HTTP_USER_AGENT": lambda number: f"browser {number}"},
        {"HTTP_X_FORWARDED_FOR": lambda number: f"192.0.2.{number}"},
        {"HTTP_X_REAL_IP": lambda number: f"192.0.2.{number}"},
        {"REMOTE_ADDR": lambda number: f"127.0.0.{number + 1}"},
        {"REMOTE_ADDR": lambda number: f"2001:db8::{number + 1}"},
        {"HTTP_ACCEPT": lambda number: f"text/{number}"},
        {"username": lambda number: ["bob", " bob", "bob ", "ｂｏｂ", "bo\uff42"][number]},
    ],
)
def test_nothing_that_a_client_varies_evades_the_lockout(client: Client, bob: Any, differences: Any) -> None:
    answers = [guess(client, number, **differences) for number in range(GUESSES)]
    assert answers == [200] * (GUESSES - 1) + [429]


def test_another_spelling_of_the_name_is_nobody(client: Client, bob: Any) -> None:
    form = {"username": "BOB", "password": password_of("bob")}
    assert client.post("/accounts/sign-in/", form).status_code == 200
    assert "_auth_user_id" not in client.session


def test_people_behind_one_address_do_not_lock_each_other_out(client: Client, alice: Any, bob: Any) -> None:
    assert [guess(client, number) for number in range(GUESSES)][-1] == 429
    form = {"username": "alice", "password": password_of("alice")}
    assert client.post("/accounts/sign-in/", form).status_code == 302


@whichever_database
def test_the_running_product_believes_no_header_from_this_machine(live_stack: Stack) -> None:
    cookies = http.cookiejar.CookieJar()
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies))
    address = f"{live_stack.url}/accounts/sign-in/"
    browser.open(address)
    [token] = [cookie.value for cookie in cookies if cookie.name == "sandtable_csrf"]
    form = urllib.parse.urlencode({"username": "nobody-at-all", "password": "wrong"}).encode()

    def status(number: int) -> int:
        headers = {"X-CSRFToken": token or "", "X-Forwarded-For": f"192.0.2.{number}"}
        try:
            return int(browser.open(urllib.request.Request(address, form, headers)).status)
        except urllib.error.HTTPError as error:
            return error.code

    assert [status(number) for number in range(GUESSES)][-1] == 429
