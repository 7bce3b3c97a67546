"""Rules of Volcano's source that no recorded case turns on: small sessions, what the source says of them."""

import pytest

from tests.scheduler_core.volcano.small_sessions import (
    action,
    configuration,
    group,
    node,
    pod,
    queue,
    session,
)


def test_a_bind_is_not_sent_where_the_cache_finds_less_than_nothing_idle():
    """cache.go AddBindTask, node_info.go AddTask (Binding): the room is looked at once more."""
    items = [
        node("node-1"),
        queue("research"),
        pod("other", on="node-1", requests={"cpu": "5"}),
        group("job", 1),
        pod("job-a-0", of="job"),
    ]
    answer = session(items, configuration("backfill"))
    assert action(answer, "backfill") == {
        "name": "backfill",
        "allocated_not_bound": {"ml/job-a-0": "node-1"},
    }
    assert answer["fit_errors"] == {
        "ml/job-a-0": "0/1 nodes are unavailable: 1 node node-1 resources [cpu] are not enough to put task "
        "<ml/job-a-0>, idle: cpu -1000.00, memory 8589934592.00, pods 9.00, "
        "req: cpu 0.00, memory 0.00, pods 1.00."
    }


def test_a_bind_that_is_not_sent_tells_only_of_what_its_node_has_or_had():
    """node_info.go AddTask; resource_info.go NewResource, sub: only what a pod there names is added."""
    items = [
        node("node-1", **{"example.com/a": "1"}),
        node("node-2", cpu="0", **{"example.com/b": "1"}),
        queue("research"),
        pod("other", on="node-1", requests={"cpu": "5", "example.com/c": "1"}),
        pod("another", on="node-2", requests={"cpu": "5"}),
        group("job", 1),
        pod("job-a-0", of="job"),
    ]
    errors = session(items, configuration("backfill", ("predicates",)))["fit_errors"]
    assert (
        "idle: cpu -1000.00, memory 8589934592.00, example.com/a 1000.00, example.com/c -1000.00, pods 9.00,"
        in (errors["ml/job-a-0"])
    )


def test_the_last_of_several_default_priority_classes_counts():
    """event_handlers.go addPriorityClass."""
    items = [queue("research"), group("plain", 1), group("ranked", 1, priorityClassName="high")]
    for name, value in (("high", 1000), ("low", 10)):
        items.append(
            {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": name}}
            | {"value": value, "globalDefault": True}
        )
    assert session(items, configuration())["job_order"] == {"research": ["ml/ranked", "ml/plain"]}


def test_without_a_node_no_pod_is_tried():
    """allocate.go allocateResourcesForTasks: an empty list of nodes ends it before any pod."""
    items = [queue("research"), group("job", 1), pod("job-a-0", of="job", requests={"cpu": "1"})]
    answer = session(items, configuration("allocate"))
    assert "fit_errors" not in answer
    (status,) = answer["pod_status"].values()
    assert status["message"] == "pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable"


def test_a_container_that_is_resized_counts_as_the_larger_of_spec_and_status():
    """pod_info.go determineContainerReqs."""
    reported = [{"name": "c", "resources": {"requests": {"cpu": "3"}}}]
    running = pod("held-a-0", of="held", on="node-1", requests={"cpu": "1"}, containerStatuses=reported)
    items = [
        node("node-1"),
        queue("research"),
        group("held", 1, "Running"),
        running,
        group("job", 1),
        pod("job-a-0", of="job", requests={"cpu": "2"}),
    ]
    plugins = ("predicates", "nodeorder")
    assert "binds" not in action(session(items, configuration("allocate", plugins)), "allocate")
    running["status"]["conditions"] = [{"type": "PodResizePending", "reason": "Infeasible"}]
    assert "binds" not in action(session(items, configuration("allocate", plugins)), "allocate")
    reported[0]["resources"]["requests"]["cpu"] = "2"
    assert "binds" in action(session(items, configuration("allocate", plugins)), "allocate")


def test_ephemeral_storage_of_a_job_in_its_queue_is_not_kept_for_it():
    """plugins/util/util.go GetInqueueResource: what is no scalar resource is passed over."""
    items = [
        node("node-1", **{"ephemeral-storage": "10Gi"}),
        queue("research"),
        group("first", 1, minResources={"ephemeral-storage": "8Gi"}),
        pod("first-a-0", of="first", requests={"cpu": "1"}),
        group("second", 1, "Pending", minResources={"ephemeral-storage": "8Gi"}),
        pod("second-a-0", of="second", requests={"cpu": "1"}),
    ]
    answer = session(items, configuration("enqueue"))
    assert action(answer, "enqueue")["podgroups_enqueued"] == ["ml/second"]


HIERARCHY = ("predicates", ("capacity", ["enableHierarchy: true"]), "nodeorder")


def test_a_best_effort_pod_is_placed_under_a_tree_of_queues_that_is_not_whole():
    """capacity.go buildHierarchicalQueueAttrs: a missing parent ends it, and backfill asks no queue."""
    items = [
        node("node-1"),
        queue("root"),
        queue("research", parent="gone"),
        group("job", 1),
        pod("job-a-0", of="job"),
    ]
    answer = session(items, configuration("backfill", HIERARCHY))
    assert action(answer, "backfill")["binds"] == {"ml/job-a-0": "node-1"}


def test_shares_are_not_measured_in_a_tree_of_queues_that_is_not_whole():
    """capacity.go buildHierarchicalQueueAttrs: a job of a queue with children ends it before updateShare."""
    items = [
        node("node-1"),
        queue("root"),
        queue("research", parent="root"),
        queue("below", parent="research"),
        group("job", 1),
        pod("job-a-0", of="job"),
    ]
    queues = session(items, configuration("allocate", HIERARCHY))["queues"]
    assert [one["share"] for one in queues.values()] == [0, 0, 0]


def test_a_circle_of_queues_stands_only_in_its_own_way():
    """capacity.go updateAncestors: who is known already is not looked at again, so a circle is no fault."""
    items = [
        node("node-1"),
        queue("root"),
        queue("research"),
        queue("here", parent="there"),
        queue("there", parent="here"),
        group("job", 1),
        pod("job-a-0", of="job", requests={"cpu": "1"}),
    ]
    answer = session(items, configuration("allocate", HIERARCHY))
    assert action(answer, "allocate")["binds"] == {"ml/job-a-0": "node-1"}


def test_a_text_that_go_reads_as_no_number_oversubscribes_nothing():
    """node_info.go setOversubscription, strconv.ParseFloat."""
    items = [node("node-1"), queue("research"), group("job", 1)]
    items.append(pod("job-a-0", of="job", requests={"cpu": "5"}))
    items[0]["metadata"]["annotations"] = {"volcano.sh/oversubscription-cpu": "1000m"}
    assert "binds" not in action(session(items, configuration("allocate")), "allocate")
    for text in ("1e3", "1_000"):
        items[0]["metadata"]["annotations"] = {"volcano.sh/oversubscription-cpu": text}
        assert "binds" in action(session(items, configuration("allocate", ("predicates",))), "allocate")


def test_what_waits_behind_the_queues_own_gate_only_counts_as_in_the_queue():
    """job_info.go GetSchGatedPodResources, v1beta1 labels.go QueueAllocationGateKey."""
    gated = pod("first-a-0", of="first", requests={"cpu": "4"})
    items = [
        node("node-1"),
        queue("research"),
        group("first", 1, minResources={"cpu": "4"}),
        gated,
        group("second", 1, "Pending", minResources={"cpu": "4"}),
        pod("second-a-0", of="second", requests={"cpu": "4"}),
    ]
    gated["spec"]["schedulingGates"] = [{"name": "scheduling.volcano.sh/queue-allocation-gate"}]
    assert "podgroups_enqueued" not in action(session(items, configuration("enqueue")), "enqueue")
    gated["spec"]["schedulingGates"] = [{"name": "example.com/another"}]
    answer = session(items, configuration("enqueue"))
    assert action(answer, "enqueue")["podgroups_enqueued"] == ["ml/second"]


def test_drf_orders_queues_level_by_level_where_the_hierarchy_is_on():
    """drf.go compareQueues, updateHierarchicalShare."""

    def at(name, path, weights):
        made = queue(name)
        keys = "volcano.sh/hierarchy", "volcano.sh/hierarchy-weights"
        made["metadata"]["annotations"] = dict(zip(keys, (path, weights), strict=True))
        return made

    items = [
        node("node-1", cpu="10"),
        at("dev", "root/eng/dev", "1/4/1"),
        at("sci", "root/sci", "1/1"),
        group("held-dev", 1, "Running", queue="dev"),
        pod("held-dev-0", of="held-dev", on="node-1", requests={"cpu": "3"}),
        group("held-sci", 1, "Running", queue="sci"),
        pod("held-sci-0", of="held-sci", on="node-1", requests={"cpu": "2"}),
        group("more-dev", 1, queue="dev"),
        pod("more-dev-0", of="more-dev", requests={"cpu": "1"}),
        group("more-sci", 1, queue="sci"),
        pod("more-sci-0", of="more-sci", requests={"cpu": "1"}),
    ]
    flat = session(items, configuration("allocate", ("predicates", "drf")))
    assert flat["queue_order"] == ["dev", "sci"]
    weighted = configuration("allocate", ("predicates", ("drf", ["enableHierarchy: true"])))
    assert session(items, weighted)["queue_order"] == ["dev", "sci"]
    items[1] = at("dev", "root/eng/dev", "1/1/1")
    assert session(items, weighted)["queue_order"] == ["sci", "dev"]


def test_volumes_of_csi_drivers_are_a_resource_that_a_node_needs_a_csinode_for():
    """event_handlers.go addPodCSIVolumesToTask, setCSIResourceOnNode; who asks for one is not best effort."""
    driver = "disk.example.com"
    volume = {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": "pv"},
        "spec": {
            "accessModes": ["ReadWriteMany"],
            "claimRef": {"namespace": "ml", "name": "data", "uid": "uid-data"},
            "csi": {"driver": driver, "volumeHandle": "h"},
        },
        "status": {"phase": "Bound"},
    }
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {
            "namespace": "ml",
            "name": "data",
            "uid": "uid-data",
            "annotations": {"pv.kubernetes.io/bind-completed": "yes"},
        },
        "spec": {"volumeName": "pv", "accessModes": ["ReadWriteMany"]},
        "status": {"phase": "Bound"},
    }
    waiting = [pod("job-a-0", of="job"), pod("job-a-1", of="job")]
    for one in waiting:
        one["spec"]["volumes"] = [{"name": "v", "persistentVolumeClaim": {"claimName": "data"}}]
    items = [node("node-1"), queue("research"), volume, claim, group("job", 1), *waiting]
    config = configuration("allocate, backfill", ("predicates", "nodeorder"))
    answer = session(items, config)
    assert answer["fit_errors"]["ml/job-a-0"] == (
        f"0/1 nodes are unavailable: 1 Insufficient attachable-volumes-csi-{driver}."
    )
    items.append(
        {
            "apiVersion": "storage.k8s.io/v1",
            "kind": "CSINode",
            "metadata": {"name": "node-1"},
            "spec": {"drivers": [{"name": driver, "nodeID": "n", "allocatable": {"count": 1}}]},
        }
    )
    answer = session(items, config)
    assert action(answer, "allocate")["binds"] == {"ml/job-a-0": "node-1"}
    assert list(answer["fit_errors"]) == ["ml/job-a-1"]


def test_a_job_with_network_topology_does_not_preempt():
    """preempt.go Execute: ContainsNetworkTopology."""
    wanting = group("urgent", 1, priorityClassName="high")
    items = [
        node("node-1"),
        queue("research"),
        {
            "apiVersion": "scheduling.k8s.io/v1",
            "kind": "PriorityClass",
            "metadata": {"name": "high"},
            "value": 1000,
        },
        group("held", 0, "Running"),
        pod("held-a-0", of="held", on="node-1", requests={"cpu": "4"}),
        wanting,
        pod("urgent-a-0", of="urgent", requests={"cpu": "4"}),
    ]
    config = configuration("preempt", ("predicates", "nodeorder"))
    assert action(session(items, config), "preempt")["evicted"] == ["ml/held-a-0"]
    wanting["spec"]["networkTopology"] = {"mode": "hard", "highestTierAllowed": 1}
    assert "evicted" not in action(session(items, config), "preempt")


def test_a_pod_with_affinity_finds_nothing_to_preempt_where_no_node_is_left():
    """preempt.go normalPreempt: PrioritizeNodes of no nodes."""
    wanting = pod("urgent-a-0", of="urgent", requests={"cpu": "1"})
    term = {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "b"}}}
    weighted = [{"weight": 5, "podAffinityTerm": term}]
    wanting["spec"]["affinity"] = {
        "podAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": weighted}
    }
    closed = node("node-1")
    closed["spec"] = {"unschedulable": True}
    neighbour = pod("held-a-0", of="held", on="node-1")
    neighbour["metadata"]["labels"] = {"app": "b"}
    items = [closed, queue("research"), group("held", 1, "Running"), neighbour, group("urgent", 1), wanting]
    answer = session(items, configuration("preempt", ("predicates", "nodeorder")))
    assert answer["actions"] == [{"name": "preempt"}]


def enqueued_by_overcommit(factor):
    """What enters its queue of a job that claims 4.5 of the cluster's 4 cores."""
    items = [node("node-1"), queue("research"), group("job", 1, "Pending", minResources={"cpu": "4500m"})]
    plugins = (("overcommit", ["arguments:", f"  overcommit-factor: {factor}"]),)
    return action(session(items, configuration("enqueue", plugins)), "enqueue").get("podgroups_enqueued")


def test_a_factor_of_overcommit_of_exactly_one_holds():
    """overcommit.go OnSessionOpen: only a factor below 1.0 is taken for the default of 1.2."""
    assert not enqueued_by_overcommit(1.0)
    assert enqueued_by_overcommit(0.9) == ["ml/job"]


def test_a_job_that_has_entered_its_queue_claims_what_it_needs_from_the_next():
    """overcommit.go AddJobEnqueuedFn: 4.8 cores hold one claim of 3 and a claim of nothing, and no other."""
    claims = [group(name, 1, "Pending", minResources={"cpu": "3"}) for name in ("one", "two")]
    items = [node("node-1"), queue("research"), *claims, group("zero", 1, "Pending")]
    answer = action(session(items, configuration("enqueue", ("overcommit",))), "enqueue")
    assert answer["podgroups_enqueued"] == ["ml/one", "ml/zero"]


def test_preempt_goes_on_past_jobs_that_want_nothing():
    """preempt.go Execute: a job whose phase is Pending is passed over, and the next one is asked."""
    high = {
        "apiVersion": "scheduling.k8s.io/v1",
        "kind": "PriorityClass",
        "metadata": {"name": "high"},
        "value": 1000,
    }
    items = [
        node("node-1"),
        queue("research"),
        high,
        group("a-waits", 1, "Pending", priorityClassName="high"),
        pod("a-waits-0", of="a-waits", requests={"cpu": "1"}),
        group("held", 0, "Running"),
        pod("held-0", of="held", on="node-1", requests={"cpu": "4"}),
        group("urgent", 1, priorityClassName="high"),
        pod("urgent-0", of="urgent", requests={"cpu": "4"}),
    ]
    answer = session(items, configuration("preempt", ("predicates", "nodeorder")))
    assert action(answer, "preempt")["evicted"] == ["ml/held-0"]


@pytest.mark.parametrize(
    ("hours", "fault"),
    [
        ("0:00-24:00", 'parsing time "24:00": hour out of range'),
        ("9:5-17:00", 'parsing time "9:5" as "15:04": cannot parse "5" as "04"'),
        ("always", "revocable zone always format error"),
    ],
)
def test_a_zone_whose_hours_are_no_times_is_shut_in_gos_words(hours, fault):
    """tdm.go parseRevocableZone: a minute has two digits, and no day has an hour 24."""
    lent = node("node-1")
    lent["metadata"]["labels"]["volcano.sh/revocable-zone"] = "night"
    items = [lent, queue("research"), group("job", 1), pod("job-a-0", of="job", requests={"cpu": "1"})]
    zone = ("tdm", ["arguments:", f'  tdm.revocable-zone.night: "{hours}"'])
    answer = session(items, configuration("allocate", ("predicates", zone)))
    assert answer["fit_errors"] == {"ml/job-a-0": f"0/1 nodes are unavailable: 1 {fault}."}


def test_on_a_node_without_any_pods_what_leaves_brings_the_place_for_one():
    """resource_info.go sub: of a node whose idle has neither `pods` nor others, none are subtracted."""
    bare = node("node-1")
    del bare["status"]["allocatable"]["pods"]
    items = [
        bare,
        queue("research"),
        queue("greedy"),
        group("held", 1, "Running", queue="greedy"),
        pod("held-0", of="held", on="node-1", requests={"cpu": "1"}),
        pod("held-1", of="held", on="node-1", requests={"cpu": "3"}),
        group("job", 1),
        pod("job-a-0", of="job", requests={"cpu": "1"}),
    ]
    answer = session(items, configuration("reclaim", ("predicates", "proportion", "nodeorder")))
    assert action(answer, "reclaim")["evicted"] == ["ml/held-0"]
