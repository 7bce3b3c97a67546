"""The rules that an API server has for pods and their templates, where several fields meet.

Source: kubernetes v1.36 pkg/apis/core/validation ValidatePodSpec and what it calls.
"""

from collections.abc import Iterable, Iterator

from scheduler_core.objects.amounts.pod_resources import (
    containers_of,
    pod_level_faults,
    resource_faults,
    unlimited_faults,
)
from scheduler_core.objects.checks.field_rules import is_subdomain
from scheduler_core.objects.validation.label_rules import key_fault, name_fault, value_fault
from scheduler_core.objects.validation.parts_of_objects import (
    Fault,
    Object,
    Rule,
    dict_in,
    objects_in,
    texts_in,
)

_SELECTED = ("matchLabelKeys", "mismatchLabelKeys")


def container_resources(container: Object) -> Iterator[Fault]:
    """Yield what is wrong with requests beside limits (validateResourceRequirements)."""
    resources = container.get("resources")
    if isinstance(resources, dict) and resources:
        for field, message in resource_faults(resources):
            yield f"resources.{field}", message


def pod_spec(spec: Object) -> Iterator[Fault]:
    """Yield what is wrong between the parts of a pod."""
    yield from container_resources(spec)
    yield from _host_ports(spec)
    yield from _same_constraints(spec)
    yield from _claims(spec)
    if spec.get("resources"):
        for field, message in pod_level_faults(spec):
            yield f"resources.{field}", message
    if spec.get("dnsPolicy") == "None" and not spec.get("dnsConfig"):
        yield "dnsConfig", "is required with dnsPolicy None"


def _host_ports(spec: Object) -> Iterator[Fault]:
    """Yield host ports that are taken twice (checkHostPortConflicts) or not the container's own."""
    has_host_network = spec.get("hostNetwork") is True
    taken: set[tuple[object, object, object]] = set()
    for field in ("containers", "initContainers"):
        for place, container in enumerate(objects_in(spec, field)):
            if not container.get("ports"):
                continue
            # Init containers run one after the other, so that each may have what others have.
            known = taken if field == "containers" else set()
            for index, port in enumerate(objects_in(container, "ports")):
                path = f"{field}[{place}].ports[{index}].hostPort"
                yield from _host_port(port, path, known, has_host_network=has_host_network)


def _host_port(
    port: Object, path: str, taken: set[tuple[object, object, object]], *, has_host_network: bool
) -> Iterator[Fault]:
    host_port, own = port.get("hostPort"), port.get("containerPort")
    if not isinstance(host_port, int) or not host_port:
        return
    if has_host_network and host_port != own:
        yield path, f"must be the containerPort {own} with hostNetwork"
    key = str(port.get("protocol") or "TCP"), str(port.get("hostIP") or ""), host_port
    if key in taken:
        yield path, f"is taken by another container port too: {key[0]} {host_port}"
    taken.add(key)


def _same_constraints(spec: Object) -> Iterator[Fault]:
    """Yield constraints of which there is another one (ValidateSpreadConstraintNotRepeat)."""
    terms = objects_in(spec, "topologySpreadConstraints")
    kinds = [(term.get("topologyKey"), term.get("whenUnsatisfiable")) for term in terms]
    for place, kind in enumerate(kinds):
        if kind in kinds[place + 1 :]:
            message = "is that of another constraint with the same whenUnsatisfiable"
            yield f"topologySpreadConstraints[{place}].topologyKey", message


def _claims(spec: Object) -> Iterator[Fault]:
    """Yield claims of devices that containers name and the pod lacks, or name twice."""
    names = {claim.get("name") for claim in objects_in(spec, "resourceClaims")}
    for path, container in containers_of(spec):
        resources = container.get("resources") if isinstance(container, dict) else None
        if not isinstance(resources, dict) or not resources.get("claims"):
            continue
        known = set()
        for place, claim in enumerate(objects_in(resources, "claims")):
            field, key = f"{path}.resources.claims[{place}].name", (claim.get("name"), claim.get("request"))
            if claim.get("name") not in names:
                yield field, "is the name of none of the pod's resourceClaims"
            elif key in known:
                yield field, "is named twice"
            known.add(key)


def pod_claim(claim: Object) -> Iterator[Fault]:
    """Yield a claim of devices that names none or two."""
    if dict_in(claim, "source"):
        return
    given = [field for field in ("resourceClaimName", "resourceClaimTemplateName") if claim.get(field)]
    if not given:
        yield "resourceClaimName", "is required, or resourceClaimTemplateName"
    elif len(given) == 2:
        yield "resourceClaimTemplateName", "must be absent where there is resourceClaimName"


def container_ports(container: Object) -> Iterator[Fault]:
    """Yield names that two ports of a container have."""
    known = set()
    for place, item in enumerate(objects_in(container, "ports") if container.get("ports") else ()):
        name = item.get("name")
        if isinstance(name, str) and name and name in known:
            yield f"ports[{place}].name", f"is the name of another port too: {name[:80]}"
        known.add(name if isinstance(name, str) else None)


def toleration(item: Object) -> Iterator[Fault]:
    """Yield seconds without NoExecute, and a value that no taint can have."""
    if item.get("tolerationSeconds") is not None and item.get("effect") != "NoExecute":
        yield "effect", "must be NoExecute where there are tolerationSeconds"
    value, is_compared = item.get("value"), item.get("operator") in (None, "", "Equal")
    if isinstance(value, str) and is_compared and (fault := value_fault(value)):
        yield "value", fault


def spread_constraint(term: Object) -> Iterator[Fault]:
    """Yield minDomains that don't count, and label keys beside no selector."""
    if term.get("minDomains") is not None and term.get("whenUnsatisfiable") == "ScheduleAnyway":
        yield "minDomains", "must be absent with whenUnsatisfiable ScheduleAnyway"
    yield from _label_keys(term)


def affinity_term(term: Object) -> Iterator[Fault]:
    """Yield namespaces that cannot be, and label keys beside no selector or in both lists."""
    for place, name in enumerate(texts_in(term, "namespaces")):
        if fault := name_fault(name):
            yield f"namespaces[{place}]", fault
    yield from _label_keys(term)
    twice = set(texts_in(term, "mismatchLabelKeys"))
    for place, key in enumerate(texts_in(term, "matchLabelKeys")):
        if key in twice:
            yield f"matchLabelKeys[{place}]", "is one of mismatchLabelKeys too"


def _label_keys(term: Object) -> Iterator[Fault]:
    """Yield the faults of ValidateMatchLabelKeysAndMismatchLabelKeys."""
    for field in _SELECTED:
        keys = texts_in(term, field) if term.get(field) else []
        if keys and term.get("labelSelector") is None:
            yield field, "must be absent without labelSelector"
        for place, key in enumerate(keys):
            if fault := key_fault(key):
                yield f"{field}[{place}]", fault


def node_term(term: Object) -> Iterator[Fault]:
    """Yield names of nodes that no node can have."""
    for place, requirement in enumerate(objects_in(term, "matchFields") if term.get("matchFields") else ()):
        for index, name in enumerate(texts_in(requirement, "values")):
            if not is_subdomain(name):
                yield f"matchFields[{place}].values[{index}]", "is no name that a node can have"


def required_values(selector: Object) -> Iterator[Fault]:
    """Yield values that no label can have; of preferred terms an API server takes them."""
    for place, term in enumerate(objects_in(selector, "nodeSelectorTerms")):
        for index, requirement in enumerate(objects_in(term, "matchExpressions")):
            path = f"nodeSelectorTerms[{place}].matchExpressions[{index}]"
            yield from _values(requirement, path)


def selector_values(requirement: Object) -> Iterable[Fault]:
    """Return values that no label can have."""
    return _values(requirement, "")


def _values(requirement: Object, path: str) -> Iterator[Fault]:
    for place, value in enumerate(texts_in(requirement, "values")):
        if fault := value_fault(value):
            yield f"{path}.values[{place}]".lstrip("."), fault


def pod_template(template: Object) -> Iterator[Fault]:
    """Yield requests without the limit that they need: those of pods LimitRanges may still fill."""
    spec = dict_in(template, "spec")
    for path, container in containers_of({"containers": objects_in(spec, "containers"),
                                          "initContainers": objects_in(spec, "initContainers")}):  # fmt: skip
        for field, message in unlimited_faults(container.get("resources")):
            yield f"spec.{path}.resources.{field}", message
    for field, message in unlimited_faults(spec.get("resources")):
        yield f"spec.resources.{field}", message


def pod(document: Object) -> Iterator[Fault]:
    """Yield a node of a pod that waits until its gates are gone (ValidatePodCreate)."""
    spec = dict_in(document, "spec")
    if spec.get("nodeName") and spec.get("schedulingGates"):
        yield "spec.nodeName", "must be absent while there are schedulingGates"


def new_pod(document: Object) -> Iterator[Fault]:
    """Yield what a pod gets when it runs (ValidatePodCreate)."""
    if dict_in(document, "spec").get("ephemeralContainers"):
        yield "spec.ephemeralContainers", "must be absent from a new pod"


RULES: dict[str, tuple[Rule, ...]] = {
    "core.Container": (container_resources, container_ports),
    "core.NodeSelectorTerm": (node_term,),
    "core.Pod": (pod,),
    "core.PodAffinityTerm": (affinity_term,),
    "core.PodResourceClaim": (pod_claim,),
    "core.PodSpec": (pod_spec,),
    "core.PodTemplateSpec": (pod_template,),
    "core.Toleration": (toleration,),
    "core.TopologySpreadConstraint": (spread_constraint,),
}
"""By the name of a type in `schema`."""
LATER: dict[str, tuple[Rule, ...]] = {
    "core.Pod": (new_pod,),
    "core.NodeSelector": (required_values,),
    "meta.LabelSelectorRequirement": (selector_values,),
}
"""Rules that came after objects were stored that break them; of those an API server still takes these."""
