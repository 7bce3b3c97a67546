"""Sign-in by an OpenID Connect provider, from the button to the session, against a real HTTP server."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse

from dashboard.accounts.links import create_link
from dashboard.accounts.oidc import configuration, provider
from dashboard.accounts.roles import role_of
from dashboard.accounts.tokens import create_token, user_of_token
from dashboard.accounts.views.oidc import begun
from dashboard.environment import value
from dashboard.masking import masked
from dashboard.models import AuditEntry, Identity
from tests.fixtures.people import password_of
from tests.fixtures.prepared import PROJECT
from tests.oidc_provider import CLIENT, SECRET, FakeProvider, joined, running_provider

User = get_user_model()
CALLBACK = "/accounts/oidc/callback/"


@pytest.fixture(scope="module")
def server() -> Iterator[FakeProvider]:
    with running_provider() as running:
        yield running


@pytest.fixture
def at(server: FakeProvider, settings: Any, monkeypatch: pytest.MonkeyPatch, db: None) -> FakeProvider:
    """The provider as it was at first, configured, and not yet known to this process."""
    server.start_over()
    settings.OIDC = configuration.Oidc(
        issuer=server.url,
        name="Example <SSO>",
        client_id=CLIENT,
        client_secret=SECRET,
        scopes="openid profile",
        name_claim="preferred_username",
        groups_claim="groups",
        groups={"admin": ["root"], "operator": ["dev"], "viewer": ["team"]},
        ca_file="",
        session_hours=12,
    )
    monkeypatch.setattr(provider, "_kept", (0.0, None))
    begun.forget_all()
    return server


def there(client: Client, then: str = "") -> str:
    """Where the button leads."""
    response = client.get("/accounts/oidc/", {"next": then} if then else {})
    assert response.status_code == 302, response.content
    return str(response["Location"])


def back(at: FakeProvider, address: str) -> str:
    """Where the provider sends a browser that came by this address, and agreed."""
    found = urlsplit(at.authorize(dict(parse_qsl(urlsplit(address).query))))
    assert found.path == CALLBACK
    return f"{found.path}?{found.query}"


def signed_in(client: Client, at: FakeProvider, then: str = "") -> Any:
    """The answer to a browser that has gone the whole way."""
    return client.get(back(at, there(client, then)))


def refused(client: Client, at: FakeProvider, status: int, words: str) -> str:
    """Nobody is signed in, and a page says why; return the reason in the log."""
    response = signed_in(client, at)
    assert (response.status_code, words in response.content.decode()) == (status, True), response.content
    assert "_auth_user_id" not in client.session
    entry = AuditEntry.objects.filter(action="sign-in failed").first()
    assert entry is not None
    assert entry.details["issuer"] == at.url
    return str(entry.details["reason"])


# --- the way in ------------------------------------------------------------------------------------------


def test_the_first_sign_in_makes_a_user_and_the_next_finds_them(client: Client, at: FakeProvider) -> None:
    page = client.get("/accounts/sign-in/?next=/runs/%3Fa%3Db%26c").content.decode()
    assert 'href="/accounts/oidc/?next=%2Fruns%2F%3Fa%3Db%26c">Sign in with Example &lt;SSO&gt;</a>' in page
    address = there(client, "/runs/?a=b&c")
    asked = dict(parse_qsl(urlsplit(address).query))
    assert asked["redirect_uri"] == f"http://testserver{CALLBACK}"
    assert (asked["code_challenge_method"], asked["scope"], asked["response_type"]) == (
        "S256",
        "openid profile",
        "code",
    )
    response = client.get(back(at, address))
    assert (response.status_code, response["Location"]) == (302, "/runs/?a=b&c")
    erin = User.objects.get(username="erin")
    assert (role_of(erin), erin.has_usable_password()) == ("viewer", False)
    assert client.session["_auth_user_id"] == str(erin.pk)
    assert 12 * 3600 - 60 < client.session.get_expiry_age() <= 12 * 3600
    assert signed_in(Client(), at).status_code == 302
    assert list(Identity.objects.values_list("user__username", "issuer", "subject")) == [
        ("erin", at.url, "1")
    ]
    entries = [(one.action, one.thing, one.details) for one in reversed(AuditEntry.objects.all())]
    way = {"way": "OIDC", "issuer": at.url}
    assert entries == [
        ("user created", "erin", {"role": "viewer", "issuer": at.url}),
        ("signed in", "erin", way),
        ("signed in", "erin", way),
    ]
    assert at.asked.count("/.well-known/openid-configuration") == 1
    assert client.get("/accounts/oidc/", {"next": "/runs/"})["Location"] == "/runs/"


def test_roles_follow_the_groups_at_each_sign_in_and_go_with_them(client: Client, at: FakeProvider) -> None:
    for groups, role in ((["other", "dev", "team"], "operator"), ("root", "admin"), (["team"], "viewer")):
        at.claims["groups"] = groups
        assert signed_in(Client(), at).status_code == 302
        assert role_of(User.objects.get(username="erin")) == role
    _, token = create_token(User.objects.get(username="erin"), "script")
    assert role_of(user_of_token(token)) == "viewer"
    at.claims["groups"] = ["other"]
    assert refused(client, at, 403, "none of your groups") == "no group of erin may sign in"
    assert role_of(user_of_token(token)) is None
    changed = AuditEntry.objects.filter(action="user changed")
    assert [one.details["role"] for one in reversed(changed)] == ["admin", "viewer", "none"]


def test_who_is_in_no_group_leaves_no_user_behind_unless_all_may_view(
    client: Client, at: FakeProvider, settings: Any
) -> None:
    del at.claims["groups"]
    refused(client, at, 403, "none of your groups")
    assert not User.objects.exists()
    settings.OIDC = replace(settings.OIDC, groups={"admin": [], "operator": [], "viewer": ["*"]})
    assert signed_in(client, at).status_code == 302
    assert role_of(User.objects.get()) == "viewer"


def test_a_user_who_is_there_is_never_taken_over_by_a_name_or_an_address(
    client: Client, at: FakeProvider, dora: Any
) -> None:
    dora.email = "dora@example.com"
    dora.save()
    at.claims |= {"preferred_username": "DORA", "email": "dora@example.com", "email_verified": True}
    signed_in(client, at)
    assert client.session["_auth_user_id"] != str(dora.pk)
    made = Identity.objects.get().user
    assert (made.username, role_of(made), role_of(dora)) == ("DORA-2", "viewer", "admin")
    at.claims["sub"] = "2"
    signed_in(Client(), at)
    assert Identity.objects.get(subject="2").user.username == "DORA-3"


def test_whose_access_was_ended_stays_out(client: Client, at: FakeProvider) -> None:
    signed_in(Client(), at)
    User.objects.update(is_active=False)
    at.claims["groups"] = ["root"]
    refused(client, at, 403, "has ended your access")
    assert not User.objects.filter(groups__name="admin").exists()


def test_claims_that_the_token_lacks_are_asked_for_and_believed_of_its_subject_alone(
    client: Client, at: FakeProvider, settings: Any
) -> None:
    settings.OIDC = replace(settings.OIDC, groups_claim="realm.roles")
    at.user_info = {"sub": "1", "preferred_username": "other", "realm": {"roles": ["dev"]}}
    signed_in(Client(), at)
    assert (User.objects.get().username, role_of(User.objects.get())) == ("erin", "operator")
    at.user_info["sub"] = "2"
    assert refused(client, at, 403, "can&#x27;t be trusted") == "userinfo is about another subject"


def test_a_key_that_is_new_is_looked_for(client: Client, at: FakeProvider) -> None:
    at.document["id_token_signing_alg_values_supported"] = ["RS256", "ES256"]
    signed_in(Client(), at)
    at.sign_by("ES256", "second")
    assert signed_in(client, at).status_code == 302
    assert at.asked.count("/keys") == 2


# --- the way out, and passwords --------------------------------------------------------------------------


def test_a_sign_out_offers_to_end_the_one_at_the_provider(client: Client, at: FakeProvider) -> None:
    signed_in(client, at)
    stored = str(dict(client.session.items()))
    assert "eyJ" not in stored, "the ID token would be readable in the database"
    page = client.post("/accounts/sign-out/").content.decode()
    assert "_auth_user_id" not in client.session
    assert "Sign out of Example &lt;SSO&gt;, too" in page
    assert f'href="{at.url}/end?id_token_hint=eyJ' in page
    assert "post_logout_redirect_uri=http%3A%2F%2Ftestserver%2Faccounts%2Fsign-in%2F" in page
    at.document["end_session_endpoint"] = None
    provider._kept = (0.0, None)
    signed_in(client, at)
    assert client.post("/accounts/sign-out/")["Location"] == reverse("sign-in")


def test_passwords_are_for_those_who_are_named(
    client: Client, at: FakeProvider, settings: Any, alice: Any, dora: Any
) -> None:
    settings.PASSWORD_USERS = ["dora"]
    for person in (alice, dora):
        form = {"username": person.username, "password": password_of(person.username)}
        Client().post("/accounts/sign-in/", form)
        answer = client.post("/accounts/sign-in/", form)
        assert answer.status_code == (302 if person is dora else 200)
    assert User.objects.get(pk=alice.pk).last_login is None
    settings.PASSWORD_USERS = []
    assert "username" not in Client().get("/accounts/sign-in/").content.decode()
    assert Client().post("/accounts/sign-in/", form).status_code == 200


def test_whom_a_provider_signs_in_has_no_password(client: Client, at: FakeProvider) -> None:
    signed_in(client, at)
    new = {"new_password1": "a long new password", "new_password2": "a long new password"}
    assert client.post("/accounts/password/", new).status_code == 404
    assert "/accounts/password/" not in client.get("/accounts/").content.decode()
    by_link = Client()
    assert by_link.post(f"/accounts/link/{create_link(User.objects.get())}/")["Location"] == "/"
    assert not User.objects.get().has_usable_password()


def test_without_a_provider_nothing_of_it_is_there(client: Client, settings: Any, db: None) -> None:
    settings.OIDC = None
    assert "oidc" not in client.get("/accounts/sign-in/").content.decode()
    assert client.get("/accounts/oidc/").status_code == 404
    assert client.get(f"{CALLBACK}?code=1&state=1").status_code == 404


def test_a_start_without_a_provider_loads_no_library_for_it(tmp_path: Any) -> None:
    script = (
        "import sys, django; django.setup(); import dashboard.urls;"
        "print({'authlib', 'joserfc'} & set(sys.modules))"
    )
    environment = {"DATA_DIR": str(tmp_path / "data"), "DJANGO_SETTINGS_MODULE": "dashboard.settings"}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=PROJECT, env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout.strip()) == (0, "set()"), done.stderr


# --- what goes wrong -------------------------------------------------------------------------------------


def test_the_providers_own_refusals_are_told(client: Client, at: FakeProvider) -> None:
    at.error = "access_denied"
    refused(client, at, 403, "Example &lt;SSO&gt; did not sign you in")
    at.error = "temporarily_unavailable"
    refused(client, at, 503, "does not answer")
    at.error = "<script>alert(1)</script>"
    assert "script" not in refused(client, at, 503, "don&#x27;t agree")
    at.error, at.token_error = "", "unauthorized_client"
    assert refused(client, at, 503, "don&#x27;t agree") == "the provider says unauthorized_client"


@pytest.mark.parametrize(
    ("change", "status", "reason"),
    [
        ({"aud": "another"}, 403, "the claim aud"),
        ({"aud": "another", "azp": CLIENT}, 403, "the claim aud"),
        ({"aud": [CLIENT, "another"], "azp": "another"}, 403, "the claim azp"),
        ({"iss": "http://127.0.0.1:1"}, 403, "the claim iss"),
        ({"nonce": "another"}, 403, "the claim nonce"),
        ({"nonce": ...}, 403, "the claim nonce"),
        ({"sub": ...}, 403, "the claim sub"),
        ({"sub": ["1"]}, 403, "the claim sub"),
        ({"sub": "1" * 256}, 403, "the claim sub"),
        ({"sub": "1\0"}, 403, "the claim sub"),
        ({"exp": 1}, 403, "the claim exp"),
        ({"exp": ...}, 403, "the claim exp"),
        ({"iat": 4_000_000_000}, 403, "the claim iat"),  # in the year 2096
        ({"at_hash": "another"}, 403, "the claim at_hash"),
    ],
)
def test_a_token_about_something_else_signs_nobody_in(
    client: Client, at: FakeProvider, change: dict[str, Any], status: int, reason: str
) -> None:
    at.claims |= change
    assert refused(client, at, status, "Nobody was signed in") == reason


def test_tokens_that_the_provider_did_not_sign_are_refused(client: Client, at: FakeProvider) -> None:
    at.document["id_token_signing_alg_values_supported"] = ["none", "HS256", at.algorithm]
    address = there(client)
    claims = at.standard_claims(dict(parse_qsl(urlsplit(address).query))["nonce"])
    signed = at.signed(claims).split(".")
    forged = [
        joined({"alg": "none"}, claims) + ".",
        joined({"alg": "none", "kid": at.key.kid}, claims) + "." + signed[2],
        at.by_public_key(claims),
        ".".join(
            [*joined({"alg": at.algorithm, "kid": at.key.kid}, claims | {"sub": "2"}).split("."), signed[2]]
        ),
        "not.a.token",
    ]
    for at.id_token in forged:
        session = dict(client.session)
        answer = client.get(back(at, address))
        assert (answer.status_code, "be trusted" in answer.content.decode()) == (403, True), at.id_token
        store = client.session  # the same state again, as if the provider had not answered yet
        store.update(session)
        store.save()
    at.id_token = None
    assert client.get(back(at, address)).status_code == 302, "else the tokens were refused for another reason"


def test_an_answer_without_an_id_token_signs_nobody_in(client: Client, at: FakeProvider) -> None:
    at.has_id_token = False
    assert refused(client, at, 403, "can&#x27;t be trusted") == "there is no ID token"


def test_a_state_is_good_once_in_its_browser_and_for_ten_minutes(
    client: Client, at: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = back(at, there(client))
    assert Client().get(address).status_code == 400
    assert client.get(address).status_code == 302
    again = Client()
    replayed = again.get(address)
    assert (replayed.status_code, "can&#x27;t go on" in replayed.content.decode()) == (400, True)
    assert client.get(address).status_code == 400
    assert client.get(f"{CALLBACK}?code=1&state=").status_code == 400
    late = back(at, there(again))
    now = time.time()
    monkeypatch.setattr(provider.time, "time", lambda: now + 601)
    assert again.get(late).status_code == 400
    assert not AuditEntry.objects.filter(action="sign-in failed").exists(), "anybody could fill it"


def test_a_code_of_another_browser_does_not_fit_the_verifier(client: Client, at: FakeProvider) -> None:
    stolen = dict(parse_qsl(back(at, there(Client())).partition("?")[2]))
    own = dict(parse_qsl(urlsplit(there(client)).query))
    answer = client.get(CALLBACK, {"code": stolen["code"], "state": own["state"]})
    assert (answer.status_code, "_auth_user_id" in client.session) == (400, False)


def test_an_answer_of_another_issuer_is_not_mixed_up(client: Client, at: FakeProvider) -> None:
    asked = len(at.codes)
    answer = client.get(back(at, there(client)) + "&iss=https%3A%2F%2Fevil.example")
    assert (answer.status_code, len(at.codes)) == (403, asked + 1)


@pytest.mark.parametrize(
    "then",
    ["https://evil.example/", "//evil.example", r"/\evil.example", "javascript:alert(1)", "/" + "a" * 2001],
)
def test_the_way_on_leads_nowhere_else(client: Client, at: FakeProvider, then: str) -> None:
    assert signed_in(client, at, then)["Location"] == "/"


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("<script>alert(1)</script>", "script-alert-1-script"),
        ("Ada Lovelace\r\nX: y", "Ada-Lovelace-X-y"),
        ("e" * 10_000, "e" * 100),
        ("{{ settings.SECRET_KEY }}'; DROP TABLE", "settings.SECRET_KEY-DROP-TABLE"),
        (["a", {}], "1"),
        (17, "1"),
        ("\0\u202e", "1"),
        (..., "1"),
    ],
)
def test_names_are_made_harmless(client: Client, at: FakeProvider, told: Any, name: str) -> None:
    at.claims["preferred_username"] = told
    assert signed_in(client, at).status_code == 302
    assert User.objects.get().username == name
    assert "<script>alert" not in client.get("/accounts/").content.decode()


@pytest.mark.parametrize("groups", [{"team": True}, 5, [["team"], {"team": 1}, None], "team,root", None])
def test_groups_of_other_types_are_none(client: Client, at: FakeProvider, groups: Any) -> None:
    at.claims["groups"] = groups
    refused(client, at, 403, "none of your groups")


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"issuer": "https://other.example"}, "https://other.example"),
        ({"token_endpoint": "http://other.example/token"}, "token_endpoint"),
        ({"end_session_endpoint": "javascript:alert(1)"}, "end_session_endpoint"),
        ({"jwks_uri": None}, "jwks_uri"),
        ({"id_token_signing_alg_values_supported": ["none", "HS256"]}, "signs by none"),
        ({"id_token_signing_alg_values_supported": 7}, "TypeError"),
    ],
)
def test_a_provider_that_offers_what_is_not_safe_is_not_used(
    client: Client, at: FakeProvider, caplog: pytest.LogCaptureFixture, document: dict[str, Any], words: str
) -> None:
    at.document = document
    answer = client.get("/accounts/oidc/")
    assert (answer.status_code, words in caplog.text) == (503, True)
    at.document = {}
    assert there(client), "the next sign-in asks anew"


def test_a_provider_that_floods_redirects_or_is_away_costs_a_page(
    client: Client, at: FakeProvider, settings: Any
) -> None:
    at.floods = True
    assert client.get("/accounts/oidc/").status_code == 503
    at.floods, at.redirects = False, True
    assert client.get("/accounts/oidc/").status_code == 503
    assert "/keys" not in at.asked
    settings.OIDC = replace(settings.OIDC, issuer="http://127.0.0.1:1")
    answer = client.get("/accounts/oidc/")
    assert (answer.status_code, "does not answer" in answer.content.decode()) == (503, True)
    assert client.get("/accounts/sign-in/").status_code == 200


def test_a_wrong_secret_is_told_and_nothing_secret_is_logged(
    client: Client, at: FakeProvider, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    address = back(at, there(client))
    assert client.get(address).status_code == 302
    settings.OIDC = replace(settings.OIDC, client_secret="another secret of it")
    assert refused(Client(), at, 503, "don&#x27;t agree") == "the provider says invalid_client"
    code = dict(parse_qsl(address.partition("?")[2]))["code"]
    logged = caplog.text + json.dumps([one.details for one in AuditEntry.objects.all()])
    for secret in (code, "an-access-token", "eyJ", SECRET, "another secret"):
        assert secret not in logged
    assert code not in masked(f"GET {address} failed")
    assert "secret" not in repr(settings.OIDC)


def test_one_address_begins_so_many_sign_ins_a_minute(client: Client, at: FakeProvider) -> None:
    answers = [client.get("/accounts/oidc/").status_code for _ in range(21)]
    assert answers == [302] * 20 + [429]


# --- settings --------------------------------------------------------------------------------------------

GOOD = {
    "SANDTABLE_OIDC_ISSUER": "https://id.example.com/realms/a",
    "SANDTABLE_OIDC_CLIENT_ID": "sandtable",
    "SANDTABLE_OIDC_ADMIN_GROUPS": '["CN=a,DC=example"]',
    "SANDTABLE_OIDC_OPERATOR_GROUPS": "dev, ops",
}


def test_the_variables_are_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    assert configuration.read(value) is None
    secret = tmp_path / "secret"
    secret.write_text("from a file\n")
    for name, text in {**GOOD, "SANDTABLE_OIDC_CLIENT_SECRET_FILE": str(secret)}.items():
        monkeypatch.setenv(name, text)
    monkeypatch.setenv("SANDTABLE_OIDC_SCOPES", "groups,openid email")
    found = configuration.read(value)
    assert found is not None
    assert (found.client_secret, found.scopes) == ("from a file", "openid groups email")
    assert found.discovery_address == "https://id.example.com/realms/a/.well-known/openid-configuration"
    assert [found.role_of({name}) for name in ("CN=a,DC=example", "ops", "*")] == ["admin", "operator", None]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"SANDTABLE_OIDC_ISSUER": "http://id.example.com"}, "SANDTABLE_OIDC_ISSUER"),
        ({"SANDTABLE_OIDC_ISSUER": "https://user@id.example.com"}, "SANDTABLE_OIDC_ISSUER"),
        ({"SANDTABLE_OIDC_ISSUER": ""}, "needs SANDTABLE_OIDC_ISSUER"),
        ({"SANDTABLE_OIDC_CLIENT_ID": ""}, "needs SANDTABLE_OIDC_CLIENT_ID"),
        ({"SANDTABLE_OIDC_ADMIN_GROUPS": "", "SANDTABLE_OIDC_OPERATOR_GROUPS": ""}, "lets nobody in"),
        ({"SANDTABLE_OIDC_ADMIN_GROUPS": "*"}, "VIEWER_GROUPS alone"),
        ({"SANDTABLE_OIDC_CLIENT_SECRET_FILE": "/nowhere"}, "/nowhere can't be read"),
        (
            {"SANDTABLE_OIDC_CLIENT_SECRET_FILE": "a", "SANDTABLE_OIDC_CLIENT_SECRET": "b"},
            "one must be empty",
        ),
        ({"SANDTABLE_OIDC_CA_FILE": "/nowhere"}, "SANDTABLE_OIDC_CA_FILE"),
        ({"SANDTABLE_OIDC_SESSION_HOURS": "0"}, "SANDTABLE_OIDC_SESSION_HOURS"),
    ],
)
def test_what_can_not_work_stops_the_start(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, str], words: str
) -> None:
    for name, text in {**GOOD, **change}.items():
        monkeypatch.setenv(name, text)
    with pytest.raises(ImproperlyConfigured, match=words):
        configuration.read(value)
