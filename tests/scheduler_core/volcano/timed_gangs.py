"""What happens to clusters of gangs in virtual time, as Hypothesis makes it up."""

from hypothesis import strategies as st

from tests.scheduler_core.volcano.gangs import clusters, group, node, pod

INSTANTS = st.sampled_from([0, 0.4, 1, 2.5, 7, 31, 32, 40])
ARRIVALS = st.lists(
    st.tuples(
        INSTANTS,
        st.tuples(
            st.integers(1, 3),
            st.integers(1, 3),
            st.integers(0, 3),
            st.integers(0, 1),
            st.sampled_from(["research", "prod"]),
            st.sampled_from(["low", "high"]),
            st.just(False),
            st.booleans(),
        ),
        st.sampled_from([None, 3, 5.5, 20]),
    ),
    max_size=3,
)
INCIDENTS = st.lists(
    st.tuples(INSTANTS, st.sampled_from(["node", "drain", "loss", "delete"])),
    max_size=3,
    unique_by=lambda one: one[1],
)


@st.composite
def timed_clusters(draw):
    """Return objects and edits. Arriving jobs have their pod groups from the start or from their instant."""
    objects, edits = draw(clusters()), []
    for number, (at, job, duration) in enumerate(draw(ARRIVALS)):
        name = f"late-{number}"
        edits.append({"op": "add", "at": at, "manifest": group(name, job)})
        for index in range(job[0]):
            added = written(pod(name, index, job))
            edits.append({"op": "add", "at": at, "manifest": added} | _lasting(duration))
    for number, (at, incident) in enumerate(draw(INCIDENTS)):
        edits.append(_incident(number, at, incident, objects))
    for item in objects:
        if item["kind"] == "Pod":
            item["spec"]["terminationGracePeriodSeconds"] = draw(st.sampled_from([0, 2, 30]))
    return objects, edits


def written(pod):
    """A pod as somebody writes it who knows no uid and no priority."""
    del pod["metadata"]["uid"], pod["spec"]["priority"], pod["metadata"]["creationTimestamp"]
    for container in pod["spec"]["containers"]:
        container["resources"]["limits"] = dict(container["resources"]["requests"])
    return pod


def _lasting(duration):
    return {} if duration is None else {"duration": duration}


def _incident(number, at, incident, objects):
    if incident == "node":
        return {"op": "add", "at": at, "manifest": node(10 + number, (4, 2))}
    if incident == "drain":
        return {"op": "drain", "at": at, "node": "node-0"}
    if incident == "loss":
        ready = {"conditions": [{"type": "Ready", "status": "False"}]}
        return {"op": "patch", "at": at, "kind": "Node", "name": "node-0", "patch": {"status": ready}}
    name = next(item["metadata"]["name"] for item in objects if item["kind"] == "Pod")
    return {"op": "delete", "at": at, "kind": "Pod", "namespace": "ml", "name": name}
