"""What nobody should send to a served scenario, and who should not: refused in words, and nothing breaks."""

import asyncio
import gzip
import json
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import OperationalError, connection
from django.http import HttpResponse

from api.kinds.hami.extender import door, rate, verbs
from api.kinds.hami.extender.batch_answers import Request, answer_all
from api.kinds.hami.extender.batches import Batches
from api.kinds.hami.extender.door import BODY_BYTES, UNASKED_BYTES, ExtenderDoor
from api.kinds.hami.extender.verbs import VERBS
from dashboard import rates
from dashboard.accounts.tokens import create_token
from dashboard.kinds.hami.services import served
from dashboard.models import ApiToken, ServedObject
from dashboard.outages import LOCKED
from scheduler_core.objects.reading.json_text import MAX_DEPTH
from tests.api.serving import KubeScheduler, asking, machine, scenario_of, usage

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_in_memory() -> None:
    served.forget_all()
    rate.forget_all()


@pytest.fixture
def kube(alice: Any) -> KubeScheduler:
    return KubeScheduler(scenario_of(machine("a"), machine("b")), alice)


def question(**more: Any) -> dict[str, Any]:
    return {"Pod": asking(), "Nodes": None, "NodeNames": ["a"], **more}


# -- bodies ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("parts", [1, 7])
def test_of_a_body_that_is_too_long_no_more_than_the_limit_is_read(kube: KubeScheduler, parts: int) -> None:
    part = b" " * (BODY_BYTES // parts + 1)
    answer = kube.send_parts("POST", "filter", [part] * parts + [b"never read"] * 100)
    assert (answer.status_code, answer["Connection"]) == (413, "close")
    assert kube.parts_left >= 99


def test_of_a_long_body_with_a_token_that_nobody_has_only_the_beginning_is_read(kube: KubeScheduler) -> None:
    stranger = KubeScheduler(kube.scenario, token="sandtable_made-up")
    answer = stranger.send_parts("POST", "filter", [b" " * 16_384] * 100)
    assert (answer.status_code, answer["Connection"]) == (401, "close")
    assert stranger.parts_left >= 100 - UNASKED_BYTES // 16_384 - 1


def test_a_long_body_with_a_valid_token_is_read_to_its_end(kube: KubeScheduler) -> None:
    body = json.dumps(question(NodeNames=["a", *(f"node-{number:0100}" for number in range(2000))])).encode()
    assert len(body) > UNASKED_BYTES
    answer = kube.send_parts(
        "POST", "filter", [body[place : place + 9999] for place in range(0, len(body), 9999)]
    )
    assert answer.status_code == 200
    assert json.loads(answer.content)["NodeNames"] == ["a"]


class Slow:
    """Connections whose bodies stop in the middle, and how much of them was held at most at once."""

    def __init__(self, kube: KubeScheduler, first: int) -> None:
        self.headers = [
            (b"host", b"testserver"),
            (b"authorization", f"Bearer {kube.token}".encode()),
            (b"content-type", b"application/json"),
        ]
        self.path = f"/extender/{kube.scenario.pk}/filter"
        self.first = first
        self.held = self.most = 0

    async def come_in(self, door: ExtenderDoor) -> int:
        """The status of the answer."""
        sent: list[Any] = []
        given = 0

        async def receive() -> Any:
            nonlocal given
            if given >= self.first:
                await asyncio.Event().wait()
            given += 16_384
            self.held += 16_384
            self.most = max(self.most, self.held)
            return {"type": "http.request", "body": b" " * 16_384, "more_body": True}

        async def send(event: Any) -> None:
            sent.append(event)

        scope: Any = {"type": "http", "method": "POST", "path": self.path, "headers": self.headers}
        await door(scope, receive, send)
        self.held -= given
        return int(sent[0]["status"])


async def nobody(*_: Any) -> None:
    raise AssertionError("this address is no extender's")


async def everybody_is_known(function: Any, *arguments: Any) -> Any:
    return None


@pytest.mark.parametrize("first", [16_384, 4 * UNASKED_BYTES])
def test_a_body_that_does_not_come_is_not_waited_for_for_ever(
    kube: KubeScheduler, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    monkeypatch.setattr(door, "BODY_SECONDS", 0.01)
    slow = Slow(kube, first)
    assert async_to_sync(slow.come_in)(ExtenderDoor(nobody, in_thread=everybody_is_known)) == 408


def test_many_long_bodies_at_once_are_not_all_held(
    kube: KubeScheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "BODY_SECONDS", 0.5)
    monkeypatch.setattr(door, "LARGE_AT_ONCE", 2)
    slow = Slow(kube, BODY_BYTES - 16_384)

    async def come_in_together() -> list[int]:
        at_the_door = ExtenderDoor(nobody, in_thread=everybody_is_known)
        return await asyncio.gather(*(slow.come_in(at_the_door) for _ in range(50)))

    assert async_to_sync(come_in_together)() == [408] * 50
    assert slow.most <= 2 * BODY_BYTES + 50 * (UNASKED_BYTES + 16_384)


def test_a_packed_body_is_never_unpacked(kube: KubeScheduler) -> None:
    bomb = gzip.compress(b" " * 50_000_000)
    answer = kube.send("POST", "filter", bomb, content_encoding="gzip")
    assert answer.status_code == 415
    assert "must not be packed" in answer.content.decode()
    assert "not JSON" in kube.ask("filter", bomb)["Error"]


@pytest.mark.parametrize("media_type", ["", "text/plain", "application/x-www-form-urlencoded"])
def test_a_body_that_does_not_call_itself_json_is_not_read(kube: KubeScheduler, media_type: str) -> None:
    assert kube.send("POST", "filter", b"{}", content_type=media_type).status_code == 415


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_deep_nesting_is_refused_before_it_is_decoded(kube: KubeScheduler, opening: str) -> None:
    error = kube.ask("filter", (opening * 100_000).encode())["Error"]
    assert "nested deeper than" in error
    inner: Any = "x"
    for _ in range(MAX_DEPTH + 10):
        inner = [inner]
    assert "nested deeper than" in kube.ask("filter", question(Pod=inner))["Error"]


WRONG: list[Any] = [None, True, -1, 2**70, 1.5, "", "\x01ü", [], [[]], {}, {"": {}}, [None], "9" * 5000]


def spoiled(value: Any) -> Iterator[Any]:
    """The value with each of its parts, and itself, replaced by each of WRONG."""
    yield from WRONG
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {other: found for other, found in value.items() if other != key}
            for other in spoiled(inner):
                yield {**value, key: other}
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            for other in spoiled(inner):
                yield [*value[:place], other, *value[place + 1 :]]


def bodies(verb: str) -> Any:
    pod = asking(number=1, initContainers=[{"name": "i", "resources": {"requests": {"nvidia.com/gpu": "1"}}}])
    pod["metadata"]["annotations"] = {"hami.io/vgpu-node": "a", "nvidia.com/use-gputype": "A100"}
    review = {"uid": "u", "operation": "CREATE", "namespace": "default", "name": "p", "object": pod}
    names = {"PodName": "p", "PodNamespace": "default", "PodUID": "u", "Node": "a"}
    victims = {"a": {"Pods": [{"UID": "u"}], "NumPDBViolations": 1}}
    return {
        "filter": {"Pod": pod, "Nodes": {"items": [machine("a", 1)]}, "NodeNames": ["a", "b"]},
        "prioritize": {"Pod": pod, "Nodes": None, "NodeNames": ["a"]},
        "bind": names,
        "preempt": {"Pod": pod, "NodeNameToMetaVictims": victims},
        "webhook": {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": review},
    }[verb]


@pytest.mark.parametrize("verb", ["filter", "prioritize", "bind", "preempt", "webhook"])
def test_wrong_types_anywhere_are_refused_or_ignored_and_never_a_fault(
    kube: KubeScheduler, verb: str
) -> None:
    token = f"Bearer {kube.token}".encode()
    whole = bodies(verb)
    sent = [json.dumps(one).encode() for one in spoiled(whole)]
    if verb == "filter":
        sent += [json.dumps(one).encode() for one in spoiled({**whole, "Nodes": None})]
    answers = answer_all(
        kube.scenario.pk, [Request(VERBS[verb], token, body, time.monotonic()) for body in sent]
    )
    faults = [
        body for body, answer in zip(sent, answers, strict=True) if answer.status_code not in (200, 400)
    ]
    assert faults == []
    kube.ask("webhook", bodies("webhook"))


# -- names -----------------------------------------------------------------------------------------------


def test_nodes_that_nobody_knows_are_no_candidates(kube: KubeScheduler) -> None:
    names = ["", "../a", "A", "x" * 10_000, "a\u0000b"[:1] + "z"]
    found = kube.filter(asking(), *names)
    assert found["FailedNodes"] == dict.fromkeys(names, "node unregistered")
    assert kube.filter(asking(), *names, "b", "b")["NodeNames"] == ["b"]
    assert usage(kube.scenario) == {"b-gpu-1": (1, 4000)}


def test_pods_that_share_a_uid_are_one_to_hami_and_pods_that_share_a_name_take_turns(
    kube: KubeScheduler,
) -> None:
    first, second = asking("p"), asking("q")
    second["metadata"]["uid"] = first["metadata"]["uid"]
    for pod in (first, second, first):
        assert kube.filter(pod, "a")["NodeNames"] == ["a"]
    assert [used for used, _ in usage(kube.scenario).values()] == [1]
    for uid in ("one", "two"):
        again = asking("r")
        again["metadata"]["uid"] = uid
        kube.filter(again, "b")
    assert len(usage(kube.scenario)) == 2
    in_memory = usage(kube.scenario)
    served.forget_all()
    assert usage(kube.scenario) == in_memory


# -- addresses, methods and who asks ---------------------------------------------------------------------


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"])
def test_only_the_verbs_own_method_is_taken(kube: KubeScheduler, method: str) -> None:
    answer = kube.send(method, "filter", json.dumps(question()).encode())
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert kube.send("POST", "cluster", b"{}").status_code == 405
    assert not ServedObject.objects.exists()


@pytest.mark.parametrize("verb", ["", "filter/", "Filter", "filter/x", "../filter", "kill", "filter%00"])
def test_other_addresses_are_nothing(kube: KubeScheduler, verb: str) -> None:
    assert kube.send("POST", verb, b"{}").status_code == 404


@pytest.mark.parametrize("number", ["0", "9" * 18, "9" * 400, "-1", "\N{ARABIC-INDIC DIGIT ONE}", "1e3"])
def test_scenarios_that_are_not_there_are_nothing(kube: KubeScheduler, number: str) -> None:
    assert kube.send("POST", "filter", b"{}", scenario=number).status_code == 404


def test_an_unknown_host_is_not_served(kube: KubeScheduler) -> None:
    for host in ("evil.example", "", "testserver@evil.example", "testserver\x00"):
        answer = kube.send("GET", "healthz", host=host)
        assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")


def test_a_token_that_is_withdrawn_counts_no_more(kube: KubeScheduler, alice: Any) -> None:
    assert kube.get("healthz").status_code == 200
    alice.is_active = False
    alice.save()
    assert kube.get("healthz").status_code == 401
    alice.is_active = True
    alice.save()
    assert kube.get("healthz").status_code == 200
    ApiToken.objects.all().delete()
    assert kube.get("healthz").status_code == 401


def test_a_role_that_is_taken_away_counts_no_more(kube: KubeScheduler, alice: Any) -> None:
    alice.groups.clear()
    assert kube.post("filter", question()).status_code == 404
    assert not ServedObject.objects.exists()


def test_filter_and_bind_say_in_words_that_they_are_asked_too_often(
    kube: KubeScheduler, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rates, "time", SimpleNamespace(monotonic=lambda: 0.0))
    settings.EXTENDER_RATE = 1
    words = f"Scenario {kube.scenario.pk} takes 1 questions a second of one person: SANDTABLE_EXTENDER_RATE."
    assert kube.filter(asking(), "a")["NodeNames"] == ["a"]
    assert kube.filter(asking("q"), "a")["Error"].startswith(words)
    assert kube.bind(asking(), "a").startswith(words)
    assert kube.post("prioritize", question()).status_code == 429
    assert len(usage(kube.scenario)) == 1


def test_answers_are_kept_by_nobody(kube: KubeScheduler) -> None:
    for answer in (kube.get("healthz"), kube.post("filter", question()), kube.send("PUT", "filter")):
        assert (answer["Cache-Control"], answer["X-Content-Type-Options"]) == ("private, no-store", "nosniff")


def test_who_goes_away_before_the_body_is_there_gets_no_answer(kube: KubeScheduler) -> None:
    events: Any = [{"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"}]
    headers = [(b"host", b"testserver"), (b"authorization", b"x"), (b"content-type", b"application/json")]
    scope: Any = {"type": "http", "method": "POST", "path": "/extender/1/filter", "headers": headers}
    sent: list[Any] = []

    async def receive() -> Any:
        return events.pop(0)

    async def send(event: Any) -> None:
        sent.append(event)

    async_to_sync(ExtenderDoor(send))(scope, receive, send)
    assert sent == []


# -- batches ---------------------------------------------------------------------------------------------


def test_who_fails_in_a_batch_harms_nobody_else(
    kube: KubeScheduler, bob: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def request(verb: str, body: Any, token: str = kube.token) -> Request:
        return Request(VERBS[verb], f"Bearer {token}".encode(), json.dumps(body).encode(), time.monotonic())

    def fail(_: Any) -> Any:
        raise RuntimeError("a fault of ours")

    broken = VERBS["filter"]._replace(ask=lambda asked: verbs.Asking(served.Question(fail, changes=True)))
    viewer = create_token(bob, "viewer")[1]
    answers = answer_all(
        kube.scenario.pk,
        [
            request("filter", question()),
            request("filter", {"Pod": 7}),
            request("filter", question(Pod=asking("of a viewer")), viewer),
            Request(broken, f"Bearer {kube.token}".encode(), b"", time.monotonic()),
            request("filter", question(), "unknown"),
            request("prioritize", question(), viewer),
            request("filter", question(Pod=asking("late")))._replace(since=time.monotonic() - 60),
            request("filter", question(Pod=asking("q"))),
        ],
    )
    assert [answer.status_code for answer in answers] == [200, 200, 403, 500, 401, 200, 200, 200]
    said = [json.loads(answer.content) for answer in answers]
    assert [said[place]["NodeNames"] for place in (0, 1, 6, 7)] == [["a"], None, None, ["a"]]
    assert said[1]["Error"].startswith("request Pod: ")
    assert "waited 20 s for its turn" in said[6]["Error"]
    assert set(ServedObject.objects.values_list("key", flat=True)) == {"default/p", "default/q"}
    assert sum(used for used, _ in usage(kube.scenario).values()) == 2


@pytest.mark.parametrize("verb", ["healthz", "prioritize"])
def test_who_waited_too_long_in_the_queue_is_asked_to_try_again(kube: KubeScheduler, verb: str) -> None:
    body = json.dumps(question()).encode()
    late = Request(VERBS[verb], f"Bearer {kube.token}".encode(), body, time.monotonic() - 60)
    assert_asked_to_try_again(*answer_all(kube.scenario.pk, [late]))


def test_who_waits_too_long_for_a_question_that_hangs_is_asked_to_try_again(
    kube: KubeScheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served, "PATIENCE", 0)
    body = json.dumps(question()).encode()
    # No time passes between `since` and now for a request from the future.
    asked = Request(VERBS["prioritize"], f"Bearer {kube.token}".encode(), body, time.monotonic() + 60)
    with served._locked(served.served_scenario(kube.scenario.pk)):
        [answer] = answer_all(kube.scenario.pk, [asked])
    assert_asked_to_try_again(answer)


def assert_asked_to_try_again(answer: Any) -> None:
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "for its turn, so nothing was done" in json.loads(answer.content)["detail"]


def test_where_the_database_is_busy_filter_and_bind_say_so_and_what_only_looks_is_answered(
    kube: KubeScheduler, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kube.filter(asking(), "a")["NodeNames"] == ["a"]

    def busy(*_: Any) -> Any:
        raise OperationalError("database is locked")

    with monkeypatch.context() as patch:
        patch.setattr(served, "_lock_cluster", busy)
        assert kube.filter(asking("q"), "a")["Error"] == LOCKED.sentence
        assert kube.bind(asking(), "a") == LOCKED.sentence
        chosen = kube.ask("prioritize", question())
    assert chosen == [{"Host": "a", "Score": 10}]
    assert kube.bind(asking(), "a") == ""
    assert sum(used for used, _ in usage(kube.scenario).values()) == 1


def test_who_waits_for_one_scenario_is_answered_together() -> None:
    batches: list[tuple[int, list[bytes]]] = []

    async def come() -> list[HttpResponse]:
        first_is_at_it, others_wait = asyncio.Event(), asyncio.Event()

        async def in_thread(_: Any, scenario: int, requests: list[Request]) -> list[HttpResponse]:
            batches.append((scenario, [request.body for request in requests]))
            if scenario == 1:
                first_is_at_it.set()
                await others_wait.wait()
            return [HttpResponse(request.body) for request in requests]

        door = Batches(in_thread)

        def ask(scenario: int, body: bytes) -> "asyncio.Task[HttpResponse]":
            request = Request(VERBS["filter"], b"", body, 0.0)
            return asyncio.create_task(door.answer(scenario, request))

        first = ask(1, b"first")
        await first_is_at_it.wait()
        others = [ask(1, b"%d" % number) for number in range(3)]
        elsewhere = await ask(2, b"another scenario")
        others_wait.set()
        return [await first, *[await other for other in others], elsewhere]

    answers = async_to_sync(come)()
    assert [answer.content for answer in answers] == [b"first", b"0", b"1", b"2", b"another scenario"]
    assert batches == [(1, [b"first"]), (2, [b"another scenario"]), (1, [b"0", b"1", b"2"])]


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_was_lost_is_left_after_one_refusal_at_most(alice: Any) -> None:
    kube = KubeScheduler(scenario_of(machine("a")), alice)
    assert kube.filter(asking("p"), "a")["NodeNames"] == ["a"]
    connection.connection.close()  # the driver's own: Django knows nothing of it
    kube.post("filter", question(Pod=asking("q")))
    assert kube.filter(asking("q"), "a")["NodeNames"] == ["a"]
    assert sum(used for used, _ in usage(kube.scenario).values()) == 2
