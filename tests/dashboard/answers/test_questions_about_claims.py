"""What is asked of a cluster whose pods have ResourceClaims: why they wait, what would fit, how many more."""

from dashboard.services.results.preflight import baseline, preflight
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.edits.manifests import in_order
from scheduler_core.world.headroom.counting import room_for
from scheduler_core.world.headroom.shapes import shape_of_pod
from scheduler_core.world.trials.warm_world import WarmWorld
from tests.builders import manifest, node, pod
from tests.scheduler_core.world.cards_by_claims import by_name, by_template, cards, claim, replicas, template

PROFILE = "kube-1.36"


def world_of(objects):
    return WarmWorld(RunInput(objects=objects, profile=PROFILE))


def filled(**on_nodes):
    """Cards of which pods hold some: as many pods as the first keyword says."""
    owner, pods = replicas("web", on_nodes.pop("pods"))
    simulation = Simulation(RunInput(objects=[*cards(**on_nodes), owner, *pods], profile=PROFILE))
    assert all(one.outcome == "scheduled" for one in simulation)
    return simulation.objects_at_end()


def test_how_many_more_fit_counts_free_devices():
    world = world_of(filled(pods=2, a=2, b=3))
    found = room_for(world, shape_of_pod("with a card", manifest("x", spec=by_template())["spec"]))
    assert (found.fit, found.evicting) == (3, 0)
    assert found.devices == ["1 device of class gpu"]


def test_why_a_pod_waits_names_what_it_lacks():
    objects = [*filled(pods=2, a=1, b=1), node("plain"), pod("waiting", spec=by_template())]
    simulation = Simulation(RunInput(objects=objects, profile=PROFILE))
    cause = simulation.why("uid-default-waiting").cause
    assert (cause.kind, cause.nodes, cause.fits) == ("nodes", 3, 0)
    first = cause.held[0]
    assert (first.plugin, first.nodes, first.alone) == ("DynamicResources", 3, 3)
    assert first.reasons == {"cannot allocate all claims": 3}


def test_why_a_pod_without_its_claim_waits():
    simulation = Simulation(RunInput(objects=[*cards(a=1), pod("p", spec=by_name("gone"))], profile=PROFILE))
    cause = simulation.why("uid-default-p").cause
    assert (cause.kind, cause.plugin) == ("gated", "DynamicResources")
    assert cause.reason == 'could not find ResourceClaim "default/gone"'


def asked(objects, *documents):
    world = world_of(objects)
    return preflight(world, in_order(documents), baseline(world))


def deployment(replicas, name="own"):
    spec = manifest("x", spec=by_template(name))["spec"]
    labels = {"app": "api"}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "api", "namespace": "default"},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": spec},
        },
    }


def own_template():
    made = template("own")
    del made["metadata"]["uid"]
    return made


def test_preflight_of_a_manifest_with_its_template():
    found = asked(filled(pods=1, a=2, b=1), deployment(3), own_template())
    assert [(one.asked, one.fit) for one in found.workloads] == [(3, 2)]
    assert asked(filled(pods=1, a=2, b=1), deployment(2), own_template()).answer.verdict == "fits"


def test_preflight_without_the_template_fits_nowhere():
    found = asked(cards(a=2), deployment(1, "nowhere"))
    assert found.answer.verdict == "not"


def test_a_shared_claim_draws_its_pods_to_one_node():
    objects = [*cards(a=1, b=1), claim("both"), pod("first", spec=by_name("both"))]
    found = asked(objects, manifest("second", spec=by_name("both")))
    assert found.answer.verdict == "fits"
