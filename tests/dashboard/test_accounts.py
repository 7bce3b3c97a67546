"""Roles, tokens, sign-in links, and who may open the users' page."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser, Group
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.test import APIRequestFactory

from dashboard.accounts.authentication import TokenAuthentication
from dashboard.accounts.first_admin import first_administrator
from dashboard.accounts.invitations import InvalidInvitation, invite
from dashboard.accounts.links import create_link, link_address, use_link
from dashboard.accounts.membership import LastAdministrator, change_membership
from dashboard.accounts.roles import give_role, is_admin, is_operator, is_viewer, role_of
from dashboard.accounts.tokens import create_token, token_in_file, user_of_token
from dashboard.models.accounts import ApiToken, SignInLink
from tests.fixtures.people import password_of

pytestmark = pytest.mark.django_db


def test_each_role_includes_the_ones_below(alice: Any, bob: Any, charlie: Any, dora: Any) -> None:
    people = (charlie, bob, alice, dora)
    assert [role_of(person) for person in people] == [None, "viewer", "operator", "admin"]
    assert [is_viewer(person) for person in people] == [False, True, True, True]
    assert [is_operator(person) for person in people] == [False, False, True, True]
    assert [is_admin(person) for person in people] == [False, False, False, True]


def test_nobody_and_people_without_access_have_no_role(alice: Any) -> None:
    alice.is_active = False
    assert role_of(alice) is None
    assert role_of(AnonymousUser()) is None


def test_the_roles_are_there_after_migration() -> None:
    assert set(Group.objects.values_list("name", flat=True)) == {"viewer", "operator", "admin"}


def test_an_unknown_role_is_refused(bob: Any) -> None:
    with pytest.raises(ValueError, match="king"):
        give_role(bob, "king")
    assert role_of(bob) == "viewer"


# --- tokens ---------------------------------------------------------------------------------------------


def test_only_the_digest_of_a_token_is_stored(alice: Any) -> None:
    token, plain = create_token(alice, "script")
    assert plain.startswith("sandtable_")
    stored = ApiToken.objects.values().get(pk=token.pk)
    assert plain not in str(stored)
    assert plain.removeprefix("sandtable_") not in str(stored)


def test_a_token_signs_its_user_in_until_it_is_withdrawn(alice: Any) -> None:
    token, plain = create_token(alice, "script")
    request = APIRequestFactory().get("/", headers={"Authorization": f"Bearer {plain}"})
    assert TokenAuthentication().authenticate(request) == (alice, "token")
    token.delete()
    with pytest.raises(AuthenticationFailed):
        TokenAuthentication().authenticate(request)


@pytest.mark.parametrize("header", ["Bearer nonsense", "Bearer", "Bearer \xe9\xe9"])
def test_a_bad_token_is_refused_and_not_taken_for_none(header: str) -> None:
    request = APIRequestFactory().get("/", HTTP_AUTHORIZATION=header)
    with pytest.raises(AuthenticationFailed):
        TokenAuthentication().authenticate(request)


def test_other_kinds_of_authentication_are_left_to_others() -> None:
    request = APIRequestFactory().get("/", headers={"Authorization": "Basic abc"})
    assert TokenAuthentication().authenticate(request) is None


def test_a_token_in_the_address_does_not_count(alice: Any) -> None:
    _, plain = create_token(alice, "script")
    assert TokenAuthentication().authenticate(APIRequestFactory().get(f"/?token={plain}")) is None


def test_the_token_of_somebody_without_access_is_worth_nothing(alice: Any) -> None:
    _, plain = create_token(alice, "script")
    alice.is_active = False
    alice.save()
    assert user_of_token(plain) is None


def test_the_token_file_is_private_stable_and_replaced_when_withdrawn(tmp_path: Any) -> None:
    user, path = first_administrator(), tmp_path / "token"
    first = token_in_file(user, path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert token_in_file(user, path) == first
    ApiToken.objects.all().delete()
    second = token_in_file(user, path)
    assert second != first
    assert user_of_token(second) == user
    assert ApiToken.objects.count() == 1


# --- sign-in links --------------------------------------------------------------------------------------


def test_looking_at_a_link_does_not_spend_it_and_using_it_does(client: Client) -> None:
    secret = create_link(first_administrator())
    address = f"/accounts/link/{secret}/"
    assert client.get(address).status_code == 200
    assert client.get(address).status_code == 200
    assert "_auth_user_id" not in client.session
    assert client.post(address).headers["Location"] == "/accounts/password/"
    assert client.session["_auth_user_id"] == str(first_administrator().pk)
    another = Client()
    assert another.get(address).status_code == 410
    assert another.post(address).status_code == 410


def test_the_address_of_a_link_is_that_of_its_page() -> None:
    assert link_address("http://a.example", "abc") == "http://a.example" + reverse(
        "sign-in-link", args=["abc"]
    )


def test_a_link_is_over_after_ten_minutes() -> None:
    assert settings.SIGN_IN_LINK_SECONDS == 600
    secret = create_link(first_administrator())
    SignInLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert use_link(secret) is None


def test_the_secret_of_a_link_is_not_stored_nor_sent_on(client: Client) -> None:
    secret = create_link(first_administrator())
    assert secret not in str(SignInLink.objects.values().get())
    answer = client.get(f"/accounts/link/{secret}/")
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert "no-store" in answer.headers["Cache-Control"]


def test_the_button_needs_its_csrf_token() -> None:
    address = f"/accounts/link/{create_link(first_administrator())}/"
    assert Client(enforce_csrf_checks=True).post(address).status_code == 403
    assert SignInLink.objects.get().used_at is None


def test_the_first_administrator_has_no_password_and_comes_once() -> None:
    user = first_administrator()
    assert first_administrator() == user
    assert not user.has_usable_password()
    assert is_admin(user)


# --- passwords ------------------------------------------------------------------------------------------


def test_after_a_link_a_password_is_set_without_the_old_one_and_then_not_again(client: Client) -> None:
    client.post(f"/accounts/link/{create_link(first_administrator())}/")
    new = {"new_password1": "quite a long one", "new_password2": "quite a long one"}
    assert client.post("/accounts/password/", new).status_code == 302
    assert first_administrator().check_password("quite a long one")
    other = {"new_password1": "something else 1", "new_password2": "something else 1"}
    assert client.post("/accounts/password/", other).status_code == 200
    assert first_administrator().check_password("quite a long one")


def test_five_wrong_passwords_lock_the_name_out_even_with_the_right_one(client: Client, bob: Any) -> None:
    wrong = {"username": "bob", "password": "wrong"}
    answers = [client.post("/accounts/sign-in/", wrong).status_code for _ in range(5)]
    assert answers == [200, 200, 200, 200, 429]
    right = {"username": "bob", "password": password_of("bob")}
    assert client.post("/accounts/sign-in/", right).status_code == 429


def test_name_and_password_sign_in_and_lead_back_but_never_elsewhere(client: Client, bob: Any) -> None:
    right = {"username": "bob", "password": password_of("bob")}
    back = client.post("/accounts/sign-in/", {**right, "next": "/runs/3/"})
    assert back.headers["Location"] == "/runs/3/"
    elsewhere = Client().post("/accounts/sign-in/", {**right, "next": "https://evil.example/"})
    assert elsewhere.headers["Location"] == "/"


# --- users ----------------------------------------------------------------------------------------------


def test_only_administrators_find_the_users_page(
    client: Client, alice: Any, bob: Any, charlie: Any, dora: Any
) -> None:
    for person, status in ((alice, 404), (bob, 404), (charlie, 404), (dora, 200)):
        client.force_login(person)
        assert client.get("/accounts/users/").status_code == status
    client.logout()
    assert client.get("/accounts/users/").headers["Location"].startswith("/accounts/sign-in/")


@pytest.mark.parametrize(
    "path", ["users/", "users/{bob}/", "users/{bob}/link/", "users/tokens/{token}/withdraw/"]
)
def test_operators_change_nobody(client: Client, alice: Any, bob: Any, path: str) -> None:
    token, _ = create_token(bob, "his")
    client.force_login(alice)
    address = "/accounts/" + path.format(bob=bob.pk, token=token.pk)
    assert client.post(address, {"name": "eve", "role": "admin", "active": "on"}).status_code == 404
    assert role_of(get_user_model().objects.get(pk=bob.pk)) == "viewer"
    assert ApiToken.objects.filter(pk=token.pk).exists()
    assert not get_user_model().objects.filter(username="eve").exists()


def test_an_invited_user_signs_in_by_the_link_that_the_page_shows(client: Client, dora: Any) -> None:
    client.force_login(dora)
    answer = client.post("/accounts/users/", {"name": "erin", "role": "viewer"})
    address = answer.context["link"]
    erin = Client()
    erin.post(address.removeprefix("http://testserver"))
    user = get_user_model().objects.get(pk=erin.session["_auth_user_id"])
    assert (user.get_username(), role_of(user)) == ("erin", "viewer")


@pytest.mark.parametrize("name", ["BOB", "", "a b"])
def test_a_name_that_is_taken_or_none_is_refused(bob: Any, name: str) -> None:
    with pytest.raises(InvalidInvitation):
        invite(name, "viewer")


def test_nobody_withdraws_anothers_token_from_the_account_page(client: Client, alice: Any, bob: Any) -> None:
    token, _ = create_token(bob, "his")
    client.force_login(alice)
    assert client.post(f"/accounts/tokens/{token.pk}/withdraw/").status_code == 404
    assert ApiToken.objects.filter(pk=token.pk).exists()


@pytest.mark.parametrize(("role", "active"), [("viewer", True), ("admin", False), (None, True)])
def test_the_last_administrator_stays(dora: Any, role: str | None, active: bool) -> None:
    with pytest.raises(LastAdministrator):
        change_membership(dora, role, active)
    assert role_of(get_user_model().objects.get(pk=dora.pk)) == "admin"


def test_of_two_administrators_one_may_go(alice: Any, dora: Any) -> None:
    change_membership(alice, "admin", True)
    change_membership(dora, None, False)
    assert is_admin(get_user_model().objects.get(pk=alice.pk))
    assert not get_user_model().objects.get(pk=dora.pk).is_active
