"""Runs with extenders: their answers are in the log, and whoever plays a run again reads them from there."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from scheduler_core.events.decisions import Attempt, Completion, decision_decoder, encoder
from scheduler_core.events.fold import Fold
from scheduler_core.kube.extenders.exchanges import Diverged, Exchanges
from scheduler_core.kube.extenders.source import EOF, NobodyToAsk, Reply, no_reply
from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from tests.portions import tries
from tests.scheduler_core.clusters import clusters, node, pod

examples = settings(max_examples=tries(25))
URL = "http://extender.example.com/hami"


def configured(*extenders):
    return {"extenders": [{"urlPrefix": URL, "nodeCacheCapable": True, **one} for one in extenders]}


class Script:
    """Answers with what a function says, and remembers the questions."""

    def __init__(self, answer):
        self.answer = answer
        self.questions = []

    def ask(self, question, body):
        self.questions.append((question.verb, question.url, msgspec.json.decode(body())))
        answer = self.answer(question)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, Reply) else Reply(200, msgspec.json.encode(answer))


def play(run_input, source):
    simulation = Simulation(run_input, exchanges=Exchanges(source))
    return simulation, list(simulation)


def recorded(decisions):
    """What a reader of the log knows of exchanges, through the JSON in which they are stored."""
    told = {}
    for decision in decisions:
        stored = decision_decoder.decode(encoder.encode(decision))
        told[stored.seq] = () if getattr(stored, "exchanges", UNSET) is UNSET else stored.exchanges
    return lambda seq: told.get(seq, ())


def replayed(run_input, decisions, checkpoint=None):
    return Simulation(run_input, checkpoint, exchanges=Exchanges(None, recorded(decisions)))


# -- what is asked ------------------------------------------------------------------------------------


def test_an_extender_is_sent_what_the_client_sends_and_the_log_says_what_it_made_of_the_pod():
    objects = [node("a"), node("b"), pod("p")]
    script = Script(lambda question: {"NodeNames": ["b"], "FailedNodes": {"a": "no card left"}})
    run_input = RunInput(objects=objects, config=configured({"filterVerb": "filter"}))
    simulation = Simulation(run_input, exchanges=Exchanges(script))
    found = simulation.explain()
    decision = found.decision
    assert (decision.outcome, decision.chosen, decision.feasible) == ("scheduled", "b", 1)
    (verb, url, body) = script.questions[0]
    assert (verb, url) == ("filter", f"{URL}/filter")
    assert (body["NodeNames"], body["Nodes"]) == (["a", "b"], None)
    assert body["Pod"]["metadata"]["name"] == "p"
    (exchange,) = decision.exchanges
    assert (exchange.extender, exchange.verb, exchange.sent) == (URL, "filter", 2)
    assert (exchange.fits, exchange.failed) == (["b"], {"no card left": ["a"]})
    assert [(one.plugin, one.code, one.reasons, one.nodes) for one in decision.rejections] == [
        (URL, "Unschedulable", ["no card left"], 1)
    ]
    assert found.attempt.filter == {"a": None, "b": None}, "the plugins' part alone"
    assert found.attempt.extenders[0].failed == {"a": "no card left"}
    refused = found.node("a")
    assert refused.first_failure == URL
    assert [(one.plugin, one.reasons) for one in refused.filters if one.code] == [(URL, ["no card left"])]
    assert [(one.node, one.status is None) for one in found.nodes()] == [("a", False), ("b", True)]


def test_whole_nodes_are_sent_with_what_changed_since_the_snapshot():
    labelled = node("a", labels={"disk": "ssd"})
    labelled["metadata"]["annotations"] = {"hami.io/node": "cards"}
    objects = [labelled, pod("p"), pod("q")]
    config = {"extenders": [{"urlPrefix": URL, "filterVerb": "filter"}]}
    script = Script(lambda question: {"Nodes": {"items": [{"metadata": {"name": "a"}}]}})
    play(RunInput(objects=objects, config=config), script)
    items = script.questions[0][2]["Nodes"]["items"]
    assert [item["metadata"]["annotations"] for item in items] == [{"hami.io/node": "cards"}]
    assert script.questions[0][2]["NodeNames"] is None
    assert items[0]["status"]["allocatable"]["cpu"] == "4"


def test_an_answer_that_says_more_than_the_log_takes_does_not_count():
    objects = [node("a"), pod("p")]
    words = "x" * 5_000_000
    script = Script(lambda question: {"NodeNames": [], "FailedNodes": {"a": words}})
    _, decisions = play(RunInput(objects=objects, config=configured({"filterVerb": "f"})), script)
    assert {one.outcome for one in decisions} == {"error"}
    assert "bytes of the log" in decisions[0].message
    assert all(len(encoder.encode(one)) < 5_000 for one in decisions)


def test_a_pod_is_tried_again_after_an_error_of_an_extender_but_not_for_ever():
    answers = iter([no_reply(f"{URL}/f", EOF), Reply(500, b""), {"NodeNames": ["a"]}])
    objects = [node("a"), pod("p")]
    script = Script(lambda question: next(answers))
    _, decisions = play(RunInput(objects=objects, config=configured({"filterVerb": "f"})), script)
    assert [(one.outcome, one.message) for one in decisions] == [
        ("error", f'Post "{URL}/f": EOF'),
        ("error", f"failed f with extender at URL {URL}/f, code 500"),
        ("scheduled", None),
    ]
    dead = Script(lambda question: no_reply(f"{URL}/f", EOF))
    _, decisions = play(RunInput(objects=objects, config=configured({"filterVerb": "f"})), dead)
    assert [one.outcome for one in decisions] == ["error"] * 3


# -- played again -------------------------------------------------------------------------------------


def answers_of(draw):
    """Return answers, good and bad ones, as anybody might give them."""

    def answer(question):
        kind = draw(st.integers(0, 9))
        if kind == 0:
            return no_reply(question.url, EOF)
        if kind == 1:
            return Reply(200, draw(st.sampled_from([b"", b"oops", b"{}", b"null", b"[]", b'{"Error":"x"}'])))
        if question.verb == "prioritize":
            scores = st.integers(-20, 20)
            return [{"Host": name, "Score": draw(scores)} for name in [*question.nodes, "stranger"]]
        if question.verb == "preempt":
            left = [name for name in question.candidates if draw(st.booleans())]
            return {
                "NodeNameToMetaVictims": {
                    name: {"Pods": [{"UID": uid} for uid in question.candidates[name].pods]} for name in left
                }
            }
        if question.verb == "bind":
            return {"Error": draw(st.sampled_from(["", "", "locked"]))}
        staying = [name for name in question.nodes if draw(st.integers(0, 3))]
        gone = [name for name in question.nodes if name not in staying and draw(st.booleans())]
        which = draw(st.sampled_from(["FailedNodes", "FailedAndUnresolvableNodes"]))
        reasons = st.sampled_from(["no card", "another reason", "zone is full"])
        named = draw(st.permutations([*gone, "stranger"]))
        return {"NodeNames": staying, which: {name: draw(reasons) for name in named}}

    return answer


EXTENDERS = configured(
    {"filterVerb": "filter", "prioritizeVerb": "prioritize", "weight": 2, "preemptVerb": "preempt"},
    {"urlPrefix": "http://other.example.com", "filterVerb": "f", "bindVerb": "bind", "ignorable": True},
)


@examples
@given(data=st.data(), objects=clusters(), driver=st.sampled_from(["instant", "timed"]), cut=st.floats(0, 1))
def test_a_log_is_played_again_from_any_place_without_asking_anybody(data, objects, driver, cut):
    until = 60.0 if driver == "timed" else None
    run_input = RunInput(objects=objects, config=EXTENDERS, driver=driver, until=until)
    simulation, decisions = play(run_input, Script(answers_of(data.draw)))
    log = [encoder.encode(one) for one in decisions]
    fold = Fold(simulation.base)
    for one in log:
        fold.apply(decision_decoder.decode(one))
    assert fold.state() == simulation.state()

    again = replayed(run_input, decisions)
    assert [encoder.encode(one) for one in again] == log

    place = int(cut * len(log))
    again.restore(None)
    for _ in range(place):
        again.step()
    resumed = replayed(run_input, decisions, again.checkpoint())
    assert resumed.seq == place
    assert [encoder.encode(one) for one in resumed] == log[place:]

    again.restore(None)
    for number, line in enumerate(log):
        found = again.explain()
        found.nodes(sort="-total")
        assert encoder.encode(found.decision) == line, number


def test_nobody_is_asked_where_the_log_has_no_answer():
    run_input = RunInput(objects=[node("a"), pod("p")], config=configured({"filterVerb": "f"}))
    with pytest.raises(NobodyToAsk):
        Simulation(run_input).step()


def test_a_log_of_other_questions_is_not_taken_for_an_answer():
    run_input = RunInput(objects=[node("a"), pod("p")], config=configured({"filterVerb": "f"}))
    _, decisions = play(run_input, Script(lambda question: {"NodeNames": ["a"]}))
    other = RunInput(
        objects=run_input.objects, config=configured({"filterVerb": "f", "urlPrefix": "http://other.example"})
    )
    with pytest.raises(Diverged):
        replayed(other, decisions).step()


# -- where a clock moves -------------------------------------------------------------------------------


def test_a_binding_that_fails_gives_the_room_back_and_the_pod_waits_for_its_back_off():
    objects = [node("a", cpu="1"), pod("p", cpu="1"), pod("q", cpu="1")]
    answers = iter([{"Error": "the node is locked"}, {}])
    config = configured({"bindVerb": "bind"})
    run_input = RunInput(objects=objects, config=config, driver="timed")
    simulation, decisions = play(run_input, Script(lambda question: next(answers, {})))
    told = [
        (one.time, one.outcome, one.pod.name) for one in decisions if isinstance(one, Attempt | Completion)
    ]
    assert told[:4] == [
        (0, "scheduled", "p"),
        (10, "returned", "p"),
        (10, "scheduled", "q"),
        (20, "bound", "q"),
    ]
    failed = decisions[1]
    assert (failed.exchanges[0].verb, failed.exchanges[0].error) == ("bind", "the node is locked")
    assert [(wake.pod, wake.target) for wake in failed.wakes] == [("pod-p", "backoff")]
    places = {row.name: row.node for row in simulation.state().pods()}
    assert places == {"p": "", "q": "a"}


def test_what_extenders_refused_is_tried_again_after_any_change():
    """kube-scheduler registers every event for the plugin that stands for extenders.

    So the pod's own condition, which its first failure writes, has it tried once more.
    """
    objects = [node("a"), pod("p")]
    edit = {
        "op": "patch",
        "at": 5,
        "kind": "Node",
        "name": "a",
        "patch": {"metadata": {"labels": {"x": "y"}}},
    }
    answers = iter([{"NodeNames": []}, {"NodeNames": []}, {"NodeNames": ["a"]}])
    config = configured({"filterVerb": "f"})
    run_input = RunInput(objects=objects, config=config, driver="timed", edits=[edit])
    _, decisions = play(run_input, Script(lambda question: next(answers)))
    attempts = [(one.time, one.outcome) for one in decisions if isinstance(one, Attempt)]
    assert attempts == [(0, "unschedulable"), (10, "unschedulable"), (5000, "scheduled")]


# -- the configuration ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("extender", "field"),
    [
        ({"urlPrefix": "ftp://x"}, "extenders[0].urlPrefix"),
        ({"urlPrefix": ""}, "extenders[0].urlPrefix"),
        ({"urlPrefix": "http://user:secret@x"}, "extenders[0].urlPrefix"),
        ({"urlPrefix": "http://x?a=b"}, "extenders[0].urlPrefix"),
        ({"urlPrefix": "http://[::1"}, "extenders[0].urlPrefix"),
        ({"url": "http://x"}, "extenders[0].url"),
        ({"prioritizeVerb": "p"}, "extenders[0].weight"),
        ({"weight": "3"}, "extenders[0].weight"),
        ({"httpTimeout": "soon"}, "extenders[0].httpTimeout"),
        ({"managedResources": [{"name": "cpu"}]}, "extenders[0].managedResources[0].name"),
        (
            {"managedResources": [{"name": "a.io/x"}, {"name": "a.io/x"}]},
            "extenders[0].managedResources[1].name",
        ),
        ({"tlsConfig": {"keyData": "c2VjcmV0"}}, "extenders[0].tlsConfig.keyData"),
        ({"tlsConfig": {"caFile": "/etc/passwd"}}, "extenders[0].tlsConfig.caFile"),
        ({"tlsConfig": {"caData": "???"}}, "extenders[0].tlsConfig.caData"),
        ({"tlsConfig": {"caData": "eA==", "insecure": True}}, "extenders[0].tlsConfig.insecure"),
    ],
)
def test_an_extender_that_would_not_work_is_refused_with_its_field(extender, field):
    with pytest.raises(BadInput) as refused:
        Simulation(RunInput(objects=[node("a")], config=configured({"filterVerb": "f", **extender})))
    (problem,) = refused.value.problems
    assert (problem.object, problem.field) == ("KubeSchedulerConfiguration", field)
    assert "secret" not in problem.message


def test_two_extenders_cannot_bind():
    with pytest.raises(BadInput) as refused:
        Simulation(RunInput(objects=[], config=configured({"bindVerb": "b"}, {"bindVerb": "b"})))
    assert refused.value.problems[0].field == "extenders"
