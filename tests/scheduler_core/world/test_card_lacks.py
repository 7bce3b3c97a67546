"""What is said of cards that won't do, node by node: the counts were worked out by hand from HAMi's rules."""

import pytest

from dashboard.answers.printers.words import plain
from dashboard.answers.why import why as said
from dashboard.answers.why_words import words_of
from scheduler_core.world import Simulation
from tests.scheduler_core.clusters import pod as plain_pod
from tests.scheduler_core.hami import cards as hami
from tests.scheduler_core.world.test_hami import asking, machine, run_of

TAINT = {"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}


def ready(made, **spec):
    """Return a node with cards that has room for pods, too."""
    amounts = made["status"]["allocatable"] | {"cpu": "64", "memory": "256Gi", "pods": "110"}
    made["metadata"]["uid"] = f"uid-{made['metadata']['name']}"
    status = {
        "allocatable": amounts,
        "capacity": amounts,
        "conditions": [{"type": "Ready", "status": "True"}],
    }
    return {"apiVersion": "v1", **made, "spec": spec, "status": status}


def holder(name, node, *cards, memory=8000, cores=0, key="vgpu", vendor="NVIDIA"):
    """Return a pod that holds so much of each of these cards of a node."""
    text = "".join(f"{card},{vendor},{memory},{cores}:" for card in cards) + ";"
    given = {"hami.io/vgpu-node": node, f"hami.io/{key}-devices-allocated": text}
    return asking(name, memory, cores, annotations=given, nodeName=node) | {"status": {"phase": "Running"}}


def cause_of(*objects, name="p", **more):
    simulation = Simulation(run_of(*objects, **more))
    waiting = next(one.uid for one in simulation.base.pods() if one.name == name)
    return simulation.why(waiting).cause


def lacks(cause):
    """Return what cards lack: its kind, whether freeing helps, HAMi's word, the nodes."""
    return [(one.kind, one.frees, one.reason, one.nodes) for one in cause.held[0].lacks]


def test_a_type_that_no_node_has_is_told_from_cards_that_are_full():
    objects = [
        machine("a", 2, kind="NVIDIA A100"),
        machine("b", 2, kind="NVIDIA L40S"),
        ready(hami.ascend("npu")),
        ready(hami.node("plain")),
        holder("one", "a", "a-gpu-0", "a-gpu-1"),
    ]
    known = {"config": {"enableAscend": True}}
    missing = cause_of(*objects, asking("p", annotations={"nvidia.com/use-gputype": "H200"}), **known)
    assert lacks(missing) == [
        ("type", False, "CardTypeMismatch", 2),
        ("unregistered", False, "node unregistered", 1),
        ("vendor", False, "NodeInsufficientDevice", 1),
    ]
    assert plain(said(missing)) == (
        "Fits on none of 4 nodes: no node has an NVIDIA card of type H200, free or not: "
        "2 have no NVIDIA card of type H200, 1 registers no cards, 1 has no NVIDIA card."
    )
    full = cause_of(*objects, asking("p", annotations={"nvidia.com/use-gputype": "A100"}), **known)
    assert lacks(full) == [
        ("memory", True, "CardInsufficientMemory", 1),
        ("type", False, "CardTypeMismatch", 1),
        ("unregistered", False, "node unregistered", 1),
        ("vendor", False, "NodeInsufficientDevice", 1),
    ]
    assert plain(said(full)) == (
        "Fits on none of 4 nodes: NVIDIA cards of type A100 have too little memory free on 1 node, 1 has no "
        "NVIDIA card of type A100, 1 registers no cards, 1 has no NVIDIA card."
    )
    assert full.nearest[0].node == "a"


def test_all_nodes_are_counted_though_some_have_cards_free():
    """HAMi answers kube-scheduler with the one node that it chooses, and says nothing of the others then."""
    free = machine("free", 1) | {"spec": {"taints": [TAINT]}}
    objects = [
        machine("a", 1),
        machine("b", 1),
        free,
        holder("one", "a", "a-gpu-0"),
        ready(hami.node("plain")),
    ]
    cause = cause_of(*objects, holder("two", "b", "b-gpu-0"), asking("p"))
    assert (cause.fits, sum(one.first for one in cause.held)) == (0, 4)
    [cards] = [one for one in cause.held if one.lacks]
    assert sum(one.nodes for one in cards.lacks) == cards.nodes == 3
    assert lacks(cause) == [
        ("memory", True, "CardInsufficientMemory", 2),
        ("unregistered", False, "node unregistered", 1),
    ]


def test_what_can_be_mended_binds_before_cards_that_nodes_do_not_have():
    free = machine("free", 1) | {"spec": {"taints": [TAINT]}}
    cause = cause_of(free, ready(hami.node("b")), ready(hami.node("c")), asking("p"))
    assert [(one.plugin, one.alone) for one in cause.held if not one.lacks] == [("TaintToleration", 1)]
    assert cause.held[0].plugin == "TaintToleration"
    assert cause.nearest[0].node == "free"


@pytest.mark.parametrize(
    ("cards", "asked", "wish", "kind"),
    [
        ({"kind": "NVIDIA A100"}, {}, {"nvidia.com/use-gpuuuid": "GPU-gone"}, "id"),
        ({"kind": "NVIDIA A100"}, {"memory": 11_000}, {}, "memory"),
        ({"cores": 50}, {"cores": 60}, {}, "cores"),
        ({"kind": "NVIDIA A100"}, {"number": 3}, {}, "few"),
        ({"kind": "NVIDIA A100"}, {}, {"nvidia.com/vgpu-mode": "mig"}, "type"),
        ({"numa": lambda place: place}, {"number": 2}, {"nvidia.com/numa-bind": "true"}, "numa"),
    ],
)
def test_what_cards_never_have(cards, asked, wish, kind):
    cause = cause_of(machine("a", 2, **cards), asking("p", annotations=wish, **asked))
    assert [(one.kind, one.frees, one.nodes) for one in cause.held[0].lacks] == [(kind, False, 1)]
    assert "free or not" in plain(said(cause))


@pytest.mark.parametrize(
    ("cards", "first", "second", "wish"),
    [
        ({"slots": 1}, (1000, 0), (1000, 0), {}),
        ({}, (1000, 10), (1000, 10), {"hami.io/gpu-scheduler-policy": "mutex"}),
        ({}, (1000, 100), (1000, 0), {}),
        ({}, (1000, 0), (1000, 100), {}),
        ({"memory": 10_000}, (8000, 10), (8000, 10), {}),
    ],
)
def test_a_card_that_does_for_each_container_and_not_for_all_is_not_said_to_be_missing(
    cards, first, second, wish
):
    """The second container is refused what the first has taken: no card is too small for either."""
    made = asking("p", *first, annotations=wish)
    [other] = asking("q", *second)["spec"]["containers"]
    made["spec"]["containers"].append({**other, "name": "second"})
    cause = cause_of(machine("a", 1, **cards), ready(hami.node("plain")), made)
    assert [(one.kind, one.frees) for one in cause.held[0].lacks] == [
        ("several", False),
        ("unregistered", False),
    ]
    assert plain(said(cause)) == (
        "Fits on none of 2 nodes: no node has enough NVIDIA cards for all containers of the pod, "
        "free or not: 1 has too few NVIDIA cards for all containers of the pod, 1 registers no cards."
    )
    assert cause_of(machine("a", 2, **cards), made).kind == "fits"


def test_containers_that_no_card_does_for_are_told_by_what_they_lack_themselves():
    made = asking("p", 8000)
    [other] = asking("q", 11_000)["spec"]["containers"]
    made["spec"]["containers"].append({**other, "name": "second"})
    cause = cause_of(machine("a", 1, memory=10_000), made)
    assert plain(said(cause)) == (
        "Fits on none of 1 node: no node has an NVIDIA card with 11,000 MiB, free or not."
    )
    cause = cause_of(machine("a", 1, slots=0), asking("p"))
    assert (
        plain(said(cause)) == "Fits on none of 1 node: no node has an NVIDIA card with a slot, free or not."
    )


@pytest.mark.parametrize(
    ("held", "asked", "wish", "kind"),
    [
        ({"memory": 8000}, {}, {}, "memory"),
        ({"memory": 10, "cores": 90}, {}, {}, "cores"),
        ({"memory": 10, "cores": 10}, {"cores": 100}, {}, "cores"),
        ({"memory": 10}, {}, {"hami.io/gpu-scheduler-policy": "mutex"}, "idle"),
    ],
)
def test_what_becomes_free(held, asked, wish, kind):
    on = holder("one", "a", "a-gpu-0", "a-gpu-1", **held)
    cause = cause_of(machine("a", 2), on, asking("p", annotations=wish, **asked))
    assert [(one.kind, one.frees, one.nodes) for one in cause.held[0].lacks] == [(kind, True, 1)]
    assert "free or not" not in plain(said(cause))


def test_cards_of_one_numa_node_that_others_hold():
    """Of each NUMA node one card is taken, so that two of one would do once either is free."""
    cards = {"numa": lambda place: place // 2}
    on = [holder("one", "a", "a-gpu-0", "a-gpu-2", memory=10_000)]
    wish = {"nvidia.com/numa-bind": "true"}
    cause = cause_of(machine("a", 4, **cards), *on, asking("p", number=2, annotations=wish))
    assert [(one.kind, one.frees) for one in cause.held[0].lacks] == [("memory", True)]


def test_sick_and_cordoned_cards_and_quotas_are_neither_missing_nor_full():
    sick = machine("sick", 1, health=False)
    shut = machine("shut", 1, annotations={"hami.io/device-cordon": "shut-gpu-0"})
    cause = cause_of(sick, shut, asking("p"))
    assert lacks(cause) == [
        ("cordoned", False, "CardCordoned", 1),
        ("unhealthy", False, "CardNotHealth", 1),
    ]
    quota = {"apiVersion": "v1", **hami.quota({"nvidia.com/gpumem": 3000})}
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default"}}
    cause = cause_of(machine("a", 1), quota, namespace, asking("p"))
    assert lacks(cause) == [("quota", False, "ResourceQuotaNotFit", 1)]


@pytest.mark.parametrize(
    ("node", "limits", "says"),
    [
        (hami.ascend("n", count=2), {"huawei.com/Ascend910B3": 4}, "4 Ascend910B3 cards"),
        (hami.dcu("n"), {"hygon.com/dcunum": 1, "hygon.com/dcumem": 20_000}, "a DCU card with 20,000 MiB"),
        (hami.amd("n"), {"nvidia.com/gpu": 1}, "an NVIDIA card"),
        (hami.xpu("n", 4), {"nvidia.com/gpu": 1}, "an NVIDIA card"),
    ],
)
def test_vendors(node, limits, says):
    waiting = {"apiVersion": "v1", **hami.pod("p", limits, schedulerName="hami-scheduler")}
    cause = cause_of(ready(node), waiting, config={"enableAscend": True})
    assert f"no node has {says}, free or not" in plain(said(cause))


def test_nothing_is_said_of_all_nodes_where_each_has_something_of_what_others_lack():
    """A pod wants a card of either vendor: one node has the one, one the other."""
    limits = {"nvidia.com/gpu": 1, "nvidia.com/gpumem": 1000, "amd.com/gpu": 1}
    waiting = {"apiVersion": "v1", **hami.pod("p", limits, schedulerName="hami-scheduler")}
    cause = cause_of(machine("nv", 1), ready(hami.amd("amd")), waiting)
    assert plain(said(cause)) == (
        "Fits on none of 2 nodes: 1 has no AMD card, 1 has no NVIDIA card; freeing cards does not help."
    )
    small = machine("small", 1, memory=1000)
    slow = machine("slow", 1, cores=50)
    cause = cause_of(small, slow, asking("p", memory=4000, cores=60))
    assert plain(said(cause)) == (
        "Fits on none of 2 nodes: 1 has no NVIDIA card with 60 cores, 1 has no NVIDIA card with 4,000 MiB; "
        "freeing cards does not help."
    )


def test_what_else_alone_keeps_a_pod_from_nodes_stands_behind_the_cards():
    free = machine("free", 1) | {"spec": {"taints": [TAINT]}}
    full = [machine("a", 1), machine("b", 1), holder("h", "a", "a-gpu-0"), holder("i", "b", "b-gpu-0")]
    cause = cause_of(free, *full, asking("p"))
    assert plain(said(cause)) == (
        "Fits on none of 3 nodes: NVIDIA cards have too little memory free on 2 nodes; 1 has only a taint "
        "that it does not tolerate, dedicated=gpu:NoSchedule."
    )
    shut = machine("a", 1) | {"spec": {"taints": [TAINT]}}
    cause = cause_of(shut, machine("b", 1), *full[2:], asking("p"))
    assert plain(said(cause)) == (
        "Fits on none of 2 nodes: NVIDIA cards have too little memory free on 2 nodes; "
        "without that 1 node would take it."
    )


def test_a_pod_without_cards_lacks_none():
    cause = cause_of(machine("a", 1), plain_pod("p", cpu="100") | {"apiVersion": "v1"})
    assert not any(one.lacks for one in cause.held)


@pytest.mark.parametrize(
    ("written", "asked", "vendor"),
    [
        (ready(hami.node("a", {"hami.io/node-nvidia-register": "GPU-1,10,32768,100,NVIDIA A100,0,true:"})),
         asking("p"), "NVIDIA"),
        (machine("a", 1) | {"metadata": hami.nvidia("a", 1, {"hami.io/node-dcu-register": "[]"})["metadata"]},
         asking("p") | {"spec": {"schedulerName": "hami-scheduler", "containers": [
             {"name": "c", "image": "i", "resources": {"limits": {"hygon.com/dcunum": 1}}}]}}, "DCU"),
    ],
)  # fmt: skip
def test_cards_that_cannot_be_read_are_not_said_to_be_missing(written, asked, vendor):
    """HAMi before 2.6 registered NVIDIA's cards in lines: what such a node has is not known."""
    cause = cause_of(written, ready(hami.node("plain")), asked)
    assert lacks(cause) == [
        ("unreadable", False, cause.held[0].lacks[0].reason, 1),
        ("unregistered", False, "node unregistered", 1),
    ]
    assert plain(said(cause)) == (
        f"Fits on none of 2 nodes: the registration of {vendor} cards cannot be read on 1 node, "
        "1 registers no cards."
    )
    assert words_of(cause).title == "Cards are out of use"


@pytest.mark.parametrize(
    ("limits", "profile"),
    [
        ({"nvidia.com/gpumem": 9_000}, "9,000 MiB"),
        ({"nvidia.com/gpumem-percentage": 90}, "90 % of its memory"),
        ({}, "100 % of its memory"),
    ],
)
def test_a_profile_that_no_card_has_is_told_as_it_was_asked_for(limits, profile):
    """No instance has all of a card's memory: of 10,000 MiB here the largest profile has 8,000."""
    place = [{"start": 0, "size": 4}]
    whole = {"name": "4g", "memoryMB": 8_000, "core": 100, "sliceCount": 4, "placements": place}
    made = asking("p")
    made["spec"]["containers"][0]["resources"]["limits"] = {"nvidia.com/gpu": "1", **limits}
    cause = cause_of(machine("a", 1, mode="mig", migProfiles=[whole]), made)
    assert plain(said(cause)) == (
        f"Fits on none of 1 node: no node has an NVIDIA card with a MIG profile of {profile}, free or not."
    )
