"""What would make pods fit, and how many more fit, in exact sentences: the engine tries each change."""

import pytest
from msgspec.structs import replace

from dashboard.answers.changes import changes
from dashboard.answers.more_fit import more_fit
from dashboard.answers.printers.markdown import markdown
from dashboard.answers.printers.words import plain
from dashboard.answers.would_fit import would_fit
from scheduler_core.world import RunInput
from scheduler_core.world.fitting.results import Change, Start
from scheduler_core.world.fitting.what_fits import what_would_fit
from scheduler_core.world.headroom.counting import headroom
from scheduler_core.world.headroom.shapes import shape_like, shape_of_pod
from scheduler_core.world.trials.warm_world import WarmWorld
from tests.scheduler_core.clusters import budget, node, pod
from tests.scheduler_core.world.fitting.test_starting import gang
from tests.scheduler_core.world.fitting.test_what_fits import TAINT, workload
from tests.scheduler_core.world.test_hami import HELD, asking, machine

WEB = [f"pod-web-{number}" for number in range(3)]


def asked(objects, pods, name="ReplicaSet/default/web", **more):
    played = {"profile": more.pop("profile")} if "profile" in more else {}
    found = what_would_fit(WarmWorld(RunInput(objects=objects, **played)), pods, **more)
    return would_fit(found, name)


def rows(answer, table):
    found = next((one for one in answer.tables if one.name == table), None)
    return [] if found is None else [[plain(cell) for cell in row] for row in found.rows]


def test_the_best_change_leads():
    answer = asked([node("a", cpu="4"), *workload("web", 3, "3")], WEB)
    assert answer.verdict == "partly"
    assert plain(answer.lead) == (
        "default/web: 3 of 3 fit with this change: ask for 1.333 cpu instead of 3 cpu. 2 other changes found."
    )
    told = [plain(one) for one in answer.trust]
    assert (
        "These pods get a changed template only once they are deleted: the trials delete those that wait."
        in told
    )
    assert [row[:2] for row in rows(answer, "changes")] == [
        ["without any change", "1 of 3"],
        ["ask for 1.333 cpu instead of 3 cpu", "3 of 3"],
        ["have 1 pod instead of 3", "1 of 1"],
        ["add 2 nodes like a", "3 of 3"],
    ]
    assert "What would make it fit" in markdown(answer)


def test_a_change_that_fits_and_does_not_start_by_the_clock_says_so_first():
    found = what_would_fit(WarmWorld(RunInput(objects=[node("a", cpu="4"), *workload("web", 3, "3")])), WEB)
    best = replace(found.proposals[0], start=Start(None, "until"))
    answer = would_fit(replace(found, proposals=[best]), "ReplicaSet/default/web")
    assert plain(answer.lead).endswith(
        "instead of 3 cpu. But in a trial by the clock it did not start: not within 2 h 0 min."
    )


def test_of_pods_that_come_and_go_until_the_limit_nothing_is_claimed():
    found = what_would_fit(WarmWorld(RunInput(objects=[node("a", cpu="9"), *workload("web", 3, "3")])), WEB)
    assert would_fit(found, "ReplicaSet/default/web").verdict == "fits"
    answer = would_fit(replace(found, unsettled=True), "ReplicaSet/default/web")
    assert answer.verdict == "unsure"
    assert plain(answer.lead) == (
        "Not known for default/web: its pods are placed and evicted by turns until the limit of attempts, "
        "without an end."
    )


def test_whom_it_costs_is_said():
    objects = [
        node("a", cpu="4"),
        *workload("holds", 2, "2", on=["a", "a"], priority=50),
        budget("guard", "holds", 0),
        pod("x", "2"),
    ]
    answer = asked(objects, ["pod-x"], "default/x")
    assert [plain(one) for one in answer.trust[:3]] == [
        "No pod here is known to end within 2 h 0 min, so until then time alone changes nothing.",
        "Start times count from the snapshot's instant, in trials by the clock of 2 h 0 min and 20,000 "
        "decisions at the most.",
        "Pods are changed as they stand: in a cluster they have to be made anew.",
    ]
    raised = rows(answer, "changes")[-1]
    assert raised == [
        "have priority 51 instead of 0 (priority-51, a new class)",
        "1 of 1",
        "after 30.01 s",
        "1: default/holds ×1",
        "1: default/holds ×1",
        "1: default/holds ×1",
        "1",
    ]


def test_the_sentence_says_what_the_best_change_costs():
    objects = [node("a", cpu="2"), *workload("holds", 1, "2", on=["a"], priority=50), pod("x", "2")]
    found = what_would_fit(WarmWorld(RunInput(objects=objects)), ["pod-x"])
    raised = [one for one in found.proposals if one.evicted]
    said = plain(would_fit(replace(found, proposals=raised), "default/x").lead)
    assert said.endswith(
        "a new class). It evicts 1: default/holds ×1; leaves without a node 1: default/holds ×1."
    )


def test_the_sentence_says_that_what_fits_did_not_start_by_the_clock():
    objects = [node("a", cpu="2"), *workload("holds", 1, "2", on=["a"], priority=50), pod("x", "2")]
    found = what_would_fit(WarmWorld(RunInput(objects=objects)), ["pod-x"])
    assert "by the clock" not in plain(would_fit(found, "default/x").lead)
    late = replace(found.proposals[0], start=Start(None, "until"))
    said = plain(would_fit(replace(found, proposals=[late]), "default/x").lead)
    assert said.endswith(" But in a trial by the clock it did not start: not within 2 h 0 min."), said
    fits = replace(found, placed=found.pods, start=Start(None, "quiet"))
    assert plain(would_fit(fits, "default/x").lead) == (
        "default/x: 1 of 1 fit without any change. "
        "But in a trial by the clock it did not start: not by itself: nothing more happens."
    )


def test_when_it_starts_is_said_with_who_is_gone_by_then():
    pods = [f"pod-b-{number}" for number in range(3)]
    answer = asked(gang(2400), pods, "default/b-0", profile="volcano-1.16")
    starts = {row[0]: row[2] for row in rows(answer, "changes")}
    assert starts["without any change"] == "after 40 min 0 s, once default/a-0 is gone"
    assert starts["add 1 node like a"] == "at once"
    later = asked(gang(3 * 3600), pods, "default/b-0", profile="volcano-1.16", most=40)
    assert rows(later, "changes")[0][2] == "not within 2 h 0 min"
    never = asked(gang(None), pods, "default/b-0", profile="volcano-1.16", most=1)
    assert [row[2] for row in rows(never, "changes")] == ["not played"]


def test_nothing_found_says_what_was_tried():
    claim = {"name": "data", "persistentVolumeClaim": {"claimName": "none"}}
    answer = asked([node("a"), pod("x", volumes=[claim])], ["pod-x"], "default/x")
    assert answer.verdict == "not"
    assert plain(answer.lead).startswith("No small change found for default/x, ")
    assert len(rows(answer, "not_enough")) == int(plain(answer.lead).split()[-2])


def test_a_type_of_cards_that_no_node_has_is_named_and_nobody_is_asked_to_go():
    wishes = {"nvidia.com/use-gputype": "H200", "nvidia.com/nouse-gpuuuid": "a-gpu-0"}
    wants = asking("x", annotations=wishes)
    held = asking("held", memory=10_000, annotations=HELD, nodeName="a") | {"status": {"phase": "Running"}}
    cluster = [machine("a", kind="NVIDIA L40S"), held, wants]
    answer = asked(cluster, ["uid-default-x"], "default/x", profile="hami-2.10")
    [_, *changes] = [row[0] for row in rows(answer, "changes")]
    assert changes == ["do without the annotation nvidia.com/use-gputype=H200"]
    assert [row[0] for row in rows(answer, "not_enough")] == [
        "do without the annotation nvidia.com/nouse-gpuuuid=a-gpu-0"
    ]
    assert plain(answer.trust[0]) == (
        "Evicting pods, or more nodes like those that are there, would not help: no node has an NVIDIA card "
        "of type H200 with a UUID other than a-gpu-0."
    )


def test_who_fits_needs_no_change():
    answer = asked([node("a"), pod("x")], ["pod-x"], "default/x")
    assert (answer.verdict, plain(answer.lead)) == (
        "fits",
        "default/x: 1 of 1 fit without any change, at once.",
    )


def test_what_was_not_tried_and_who_was_left_out_is_told(monkeypatch):
    monkeypatch.setattr("scheduler_core.world.fitting.judging.MANY_WAIT", 0)
    objects = [node("a", cpu="4"), pod("other"), *workload("web", 3, "3")]
    answer = asked(objects, WEB, most=3)
    assert [plain(one) for one in answer.trust[:2]] == [
        "1 other pod waits and took no part: with them there may be less room.",
        "3 changes were not tried: there were as many trials as may be.",
    ]
    assert len(rows(answer, "untried")) == 3
    assert plain(asked(objects, WEB, stop=lambda: True).lead) == "Nothing was tried yet for default/web."


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (Change("tolerate", what="a=b:NoSchedule"), "tolerate the taint a=b:NoSchedule"),
        (Change("drop_selector", what="disk=ssd"), "drop the selector disk=ssd"),
        (Change("drop_selector"), "drop the node selector and required node affinity"),
        (Change("drop_wish", what="a=b"), "do without the annotation a=b"),
        (Change("drop_affinity", what="podAntiAffinity"), "drop the required podAntiAffinity"),
        (
            Change("relax_spread", what="zone", before=1, after=3),
            "allow a maxSkew of 3 over zone instead of 1",
        ),
        (Change("drop_spread", what="zone"), "make the spread over zone a preference"),
        (Change("ungate"), "lift the scheduling gates"),
        (Change("preempt"), "let the pods evict others of lower priority"),
        (Change("scheduler", what="other"), "name the scheduler other"),
        (Change("priority", what="high", before=0, after=100), "have priority 100 instead of 0 (high)"),
        (Change("untaint", what="a:NoSchedule", names=["n"]), "take the taint a:NoSchedule from n"),
        (Change("uncordon", names=list("abcd")), "uncordon 4 nodes: a, b, c and 1 other"),
        (Change("scale_down", "Deployment/shop/cart", before=4, after=2), "scale shop/cart from 4 pods to 2"),
        (Change("remove_pods", "shop/x"), "take away shop/x"),
        (Change("heal_card", "n", "GPU-1"), "have card GPU-1 of n healthy again"),
        (Change("weight", "prod", before=1, after=3), "give prod the weight 3 instead of 1"),
        (
            Change("capability", "prod", "cpu", 3000, 4000, "m"),
            "raise the capability of prod to 4 cpu from 3 cpu",
        ),
        (
            Change("ask_less", what="memory", before=10 * 1024**3, after=8001 * 1024**2, unit="bytes"),
            "ask for 8,001 MiB memory instead of 10 GiB memory",
        ),
        (Change("minimum", before=4, after=3), "let the gang start with 3 pods instead of 4"),
        (
            Change("promise_less", what="cpu", before=4000, after=2000),
            "lower minResources of the gang to 2 cpu from 4 cpu",
        ),
    ],
)
def test_a_change_in_words(change, words):
    assert plain(changes([change])) == words
    assert plain(changes([change, Change("ungate")])) == f"{words} and lift the scheduling gates"


# -- how many more -----------------------------------------------------------------------------------


def counted(objects, *shapes, **more):
    world = WarmWorld(RunInput(objects=objects))
    return more_fit(
        headroom(
            world, [one if not isinstance(one, str) else shape_like(world, one) for one in shapes], **more
        ),
        asked=True,
    )


def test_how_many_more_and_what_stops_the_next():
    objects = [
        node("a", cpu="4", labels={"pool": "general"}),
        node("t", labels={"pool": "gpu"}, taints=[TAINT]),
        *workload("web", 1, "1", on=["a"]),
    ]
    answer = counted(objects, "ReplicaSet/default/web", shape_of_pod("small", pod("x", "500m")["spec"]))
    assert plain(answer.lead) == (
        "3 more of default/web fit. What stops the next one: cpu on 1 node, untolerated taint on 1 node."
    )
    assert [column.title for column in answer.tables[0].columns][:4] == [
        "one more of",
        "general",
        "gpu",
        "fit in all",
    ]
    assert [row[:4] for row in rows(answer, "shapes")] == [
        ["default/web", "3", "closed", "3"],
        ["small", "6", "closed", "6"],
    ]
    assert answer.verdict == "fits"


def test_a_pool_that_was_not_needed_is_not_said_to_be_full():
    objects = [node("a", cpu="8", labels={"pool": "full"}), node("b", cpu="8", labels={"pool": "spare"})]
    objects.append(pod("x", "7500m", "a"))
    small = shape_of_pod("small", pod("x", "1")["spec"])
    assert rows(counted(objects, small, most=2), "shapes")[0][1:4] == ["–", "2", "2 or more"]
    assert rows(counted(objects, small), "shapes")[0][1:4] == ["0", "8", "8"]


def test_those_by_evicting_and_bounds_are_said():
    objects = [node("a", cpu="4"), *workload("low", 1, "2", on=["a"], priority=-5)]
    small = shape_of_pod("small", pod("x", "1")["spec"])
    answer = counted(objects, small)
    assert plain(answer.lead).startswith("2 more of small fit. 2 more would, by evicting others. What stops")
    assert rows(answer, "shapes")[0][2:5] == ["2", "2", "1: default/low ×1"]
    large = shape_of_pod("large", pod("x", "3")["spec"])
    assert counted(objects, large).verdict == "partly", "only by evicting"
    assert counted(objects, small, large).verdict == "partly"
    assert counted(objects, shape_of_pod("huge", pod("x", "9")["spec"])).verdict == "not"
    assert plain(counted(objects, small, most=2).lead) == "2 or more of small fit."
    answer = counted(objects, small, stop=lambda: True)
    assert (plain(answer.lead), plain(answer.trust[0])) == (
        "Nothing was counted.",
        "1 shape was not counted.",
    )
    assert answer.verdict == "unsure"
    assert plain(counted([node("a", cpu="1")], shape_of_pod("s", pod("x", "2")["spec"])).lead).startswith(
        "No more of s fit."
    )
