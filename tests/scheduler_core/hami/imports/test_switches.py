"""Switches that settings leave open follow from what nodes register; what settings leave out is told."""

from scheduler_core.hami.configuration.installed import installed_settings
from scheduler_core.hami.configuration.settings import read_configuration
from scheduler_core.hami.imports.switches import left_out_cards, with_switches
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.hami import cards

NVIDIA = {"resourceCountName": "nvidia.com/gpu"}
NPU = {"commonWord": "Ascend910B3", "resourceName": "huawei.com/Ascend910B3"}
KUBE = {"extenders": [{"bindVerb": "bind", "managedResources": [{"name": "nvidia.com/gpu"}]}]}


def test_a_switch_that_is_open_is_on_where_nodes_register_such_cards():
    nodes = [cards.nvidia("a"), cards.ascend("b")]
    assert with_switches(None, nodes) == {"enableAscend": True}
    assert with_switches({"gpuSchedulerPolicy": "binpack"}, nodes) == {
        "gpuSchedulerPolicy": "binpack",
        "enableAscend": True,
    }
    assert with_switches(None, [cards.nvidia("a")]) is None
    assert with_switches({}, [cards.nvidia("a")]) == {}
    unread = cards.node("c", {"hami.io/node-MR-V100-register": "[]"})
    assert with_switches(None, [unread]) == {"enableIluvatar": True}


def test_what_settings_say_stays():
    nodes = [cards.ascend("b")]
    off = {"enableAscend": False}
    assert with_switches(off, nodes) == off
    without = {"deviceConfig": {"nvidia": NVIDIA}}
    assert with_switches(without, nodes) == without
    own = {"deviceConfig": {"vnpus": {"configs": [NPU]}}}
    assert with_switches(own, nodes) == own | {"enableAscend": True}


def test_a_clusters_kube_scheduler_says_which_switches_are_off():
    devices = {"nvidia": NVIDIA, "vnpus": {"configs": [NPU]}}
    settings = installed_settings(devices, [KUBE])
    assert settings["enableAscend"] is False
    assert with_switches(settings, [cards.ascend("b")]) == settings
    managed = [{"name": "nvidia.com/gpu"}, {"name": "huawei.com/Ascend910B3"}]
    extenders = [{**KUBE["extenders"][0], "managedResources": managed}]
    assert installed_settings(devices, [{"extenders": extenders}])["enableAscend"] is True
    by_hand = {"kubeSchedulerConfiguration": KUBE}
    assert with_switches(by_hand, [cards.ascend("b")]) == by_hand


def test_cards_that_settings_leave_out_are_told_with_the_reason():
    nodes = [cards.nvidia("a"), cards.ascend("b"), cards.ascend("c")]
    told = "2 Nodes (b, c) register cards of Ascend910B3, which HAMi's settings leave out"
    none = "no pod is given any of them"
    assert left_out_cards(read_configuration({}), nodes) == [f"{told} (enableAscend is not on): {none}"]
    on = {"enableAscend": True}
    assert left_out_cards(read_configuration(on), nodes) == []
    settings = on | {"deviceConfig": {"biren": {"resourceCountName": "birentech.com/gpu"}}}
    assert left_out_cards(read_configuration(settings), nodes) == [
        f"1 Node (a) registers cards of NVIDIA, which HAMi's settings leave out "
        f"(nothing about them in deviceConfig): {none}",
        f"{told} (nothing about them in deviceConfig): {none}",
    ]


def test_a_run_tells_what_its_own_settings_leave_out_and_nothing_that_they_read():
    items = [{"apiVersion": "v1", **cards.ascend("b")}]
    told = "1 Node (b) registers cards of Ascend910B3, which HAMi's settings leave out"

    def missing(settings):
        return " ".join(
            Simulation(RunInput(objects=items, profile="hami-2.10", config=settings)).trust.missing
        )

    assert told in missing(None)
    assert told not in missing({"enableAscend": True})
    own = {"commonWord": "Ascend910B9", "resourceName": "huawei.com/Ascend910B9"}
    items[0]["metadata"]["annotations"]["hami.io/node-register-Ascend910B9"] = "[]"
    assert "hami.io/node-register-Ascend910B9" in missing({"enableAscend": True})
    settings = {"enableAscend": True, "deviceConfig": {"vnpus": {"configs": [own]}}}
    assert "hami.io/node-register-Ascend910B9" not in missing(settings)
