"""Answers the requests of a batch, all to one scenario: who asks is looked up once for all that they ask."""

import base64
import binascii
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from django.db import DatabaseError, connection
from django.http import HttpResponse
from rest_framework.exceptions import APIException, AuthenticationFailed, NotAuthenticated, Throttled

from api.kinds.hami.extender.rate import count_question
from api.kinds.hami.extender.verbs import Asking, PermittedRequest, Verb, json_answer
from api.problems import answer_exception
from dashboard.accounts.authentication import bearer_token
from dashboard.accounts.tokens import asker_of_token
from dashboard.errors import Refused, sentences_of
from dashboard.kinds.hami.services import served
from dashboard.kinds.hami.services.served import Served
from dashboard.outages import outage_of
from dashboard.queries import access
from scheduler_core.objects.problems import BadInput

T = TypeVar("T")


class Request(NamedTuple):
    """A request as it came in: `authorization` is its header's value, `since` by `time.monotonic`."""

    verb: Verb
    authorization: bytes
    body: bytes
    since: float


def answer_all(scenario: int, requests: Sequence[Request]) -> list[HttpResponse]:
    """Answer requests to a scenario, in their order. What they have changed is stored then."""
    _look_after_connection()
    askers = _Askers(scenario)
    answers: list[Any] = [_prepared(askers, request) for request in requests]
    asking = [place for place, found in enumerate(answers) if isinstance(found, Asking)]
    if asking:
        found = served.answer_all(askers.scenario(), [answers[place].question for place in asking])
        for place, answer in zip(asking, found, strict=True):
            answers[place] = _said(requests[place].verb, answers[place], answer)
    return answers


def _prepared(askers: "_Askers", request: Request) -> Asking | HttpResponse:
    """Return what the request asks, or the answer to it where HAMi need not be asked."""
    try:
        user = askers.user(request.authorization)
    except Exception as error:
        return answer_exception(error, {})

    def ask() -> Asking | HttpResponse:
        access.require_viewer(user)
        count_question(user.pk, askers.pk)
        if request.verb.for_operators:
            access.require_operator(user)
        if time.monotonic() - request.since > served.PATIENCE:
            raise served.waited_too_long(askers.pk)
        return request.verb.ask(PermittedRequest(user, askers.scenario(), request.body))

    return _or_refusal(request.verb, ask)


def _said(verb: Verb, asking: Asking, answer: Any) -> HttpResponse:
    def say() -> HttpResponse:
        if isinstance(answer, Exception):
            raise answer
        return asking.say(answer)

    return _or_refusal(verb, say)


def _or_refusal(verb: Verb, answer: Callable[[], T]) -> T | HttpResponse:
    """Return the answer, or one that says why there is none, in the verb's own type where it has room."""
    try:
        return answer()
    except Exception as error:
        words = _words_for(error)
        if verb.error is None or words is None:
            return answer_exception(error, {})
        return json_answer(verb.error(words))


def _words_for(error: Exception) -> str | None:
    """Return what a kube-scheduler may print; None for what is only told by a status."""
    if isinstance(error, BadInput):
        return sentences_of(error)
    if isinstance(error, Refused):
        return str(error)
    if isinstance(error, Throttled):
        return str(error.detail)
    outage = outage_of(error) if isinstance(error, DatabaseError) else None
    return None if outage is None else outage.sentence


class _Askers:
    """Who asks within a batch: each token is looked up once, and so is the scenario."""

    def __init__(self, scenario: int) -> None:
        self.pk = scenario
        self._users: dict[bytes, Any] = {}
        self._scenario: Served | None = None

    def user(self, authorization: bytes) -> Any:
        """Return whose token it is. Raises NotAuthenticated, AuthenticationFailed."""
        if authorization not in self._users:
            self._users[authorization] = _user_of(authorization)
        return self._users[authorization]

    def scenario(self) -> Served:
        """Return the scenario. Raises Http404, NotPossibleNow where there is no HAMi."""
        if self._scenario is None:
            self._scenario = served.served_scenario(self.pk)
        return self._scenario


def _user_of(authorization: bytes) -> Any:
    """Return whose token it is: as a bearer, or as the password that kube-scheduler's URL holds."""
    plain = _token_in(authorization)
    user = None if plain is None else asker_of_token(plain)
    if user is not None:
        return user
    if plain is None:
        raise not_signed_in()
    raise _challenging(AuthenticationFailed("This token is unknown or was withdrawn."))


def known_asker(authorization: bytes) -> HttpResponse | None:
    """Return the refusal of who shows no valid token, None for everybody else."""
    _look_after_connection()
    try:
        _user_of(authorization)
    except Exception as error:
        return answer_exception(error, {})
    return None


def not_signed_in() -> APIException:
    """Return the refusal of who shows no token."""
    return _challenging(NotAuthenticated())


def _challenging(refusal: APIException) -> APIException:
    refusal.auth_header = 'Bearer realm="Sandtable"'
    return refusal


def _token_in(authorization: bytes) -> str | None:
    """Return the token in the header's value, None where there is none."""
    kind, _, text = authorization.partition(b" ")
    if kind.lower() != b"basic":
        return bearer_token(authorization)
    try:
        return base64.b64decode(text.strip(), validate=True).decode("ascii").partition(":")[2]
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _look_after_connection() -> None:
    """Leave a connection that failed, and have one that rested tried out.

    Django does so with each request that comes to it; these don't. Their threads keep their connections.
    """
    if connection.in_atomic_block:
        return
    if connection.errors_occurred:
        connection.close()
    connection.health_check_done = False  # type: ignore[attr-defined]
