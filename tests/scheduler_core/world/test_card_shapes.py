"""What the pods of a run ask of HAMi's cards, as shapes."""

import msgspec

from scheduler_core.hami.kind import settings_in
from scheduler_core.hami.measures.card_shapes import card_shapes
from scheduler_core.world import RunInput
from scheduler_core.world.run_input import Companion
from scheduler_core.world.setting_up.companions import configuration_of, takes_part
from scheduler_core.world.setting_up.preparation import pods_of
from tests.scheduler_core.hami import cards as hami
from tests.scheduler_core.world.test_hami import asking, machine, run_of


def shapes(run_input):
    return [
        msgspec.structs.astuple(shape)
        for shape in card_shapes(settings_in(configuration_of(run_input, "hami")), pods_of(run_input))
    ]


def test_pods_that_ask_for_the_same_are_one_shape_whether_they_come_now_or_later():
    late = asking("late")
    objects = [machine(), asking("p"), asking("q"), asking("r", memory=8000, number=2)]
    found = shapes(run_of(*objects, edits=[{"op": "add", "manifest": late, "at": 5}], driver="timed"))
    assert [shape[:5] for shape in found] == [("NVIDIA", 1, 4000, 0, 20), ("NVIDIA", 2, 8000, 0, 20)]
    assert [len(shape[5]) for shape in found] == [3, 1]


def test_a_share_of_the_memory_and_several_containers_count():
    pod = asking("p")
    other = {
        "name": "d",
        "image": "task",
        "resources": {"limits": {"nvidia.com/gpu": 2, "nvidia.com/gpumem": 1000}},
    }
    pod["spec"]["containers"].append(other)
    whole = asking("whole")
    limits = {"nvidia.com/gpu": 1, "nvidia.com/gpumem-percentage": 50}
    whole["spec"]["containers"][0]["resources"] = {"limits": limits}
    found = shapes(run_of(machine(), pod, whole))
    assert [shape[:5] for shape in found] == [("NVIDIA", 3, 4000, 0, 20), ("NVIDIA", 1, 0, 50, 0)]


def test_a_pod_that_the_webhook_refuses_asks_for_nothing():
    refused = asking("refused", schedulerName="default-scheduler")
    limits = {"nvidia.com/gpu": 1, "nvidia.com/gpumem-percentage": 150}
    refused["spec"]["containers"][0]["resources"] = {"limits": limits}
    found = shapes(run_of(machine(), asking(), refused))
    assert [(shape[:5], len(shape[5])) for shape in found] == [(("NVIDIA", 1, 4000, 0, 20), 1)]


def test_who_asks_for_no_cards_has_no_shape():
    plain = hami.pod("plain", {"cpu": "1"})
    assert shapes(run_of(machine(), {"apiVersion": "v1", **plain})) == []


def test_a_run_has_hami_where_it_is_about_it_or_beside():
    assert not takes_part(RunInput(objects=[]), "hami")
    assert takes_part(RunInput(objects=[], profile="hami-2.10"), "hami")
    assert takes_part(RunInput(objects=[], beside=[Companion(scheduler="hami")]), "hami")
