"""What can be asked: each verb reads the body of a request and says how its answer goes over the wire.

Of a refusal kube-scheduler prints the status alone, so that filter and bind answer 200 with an `Error`
wherever their asker is known and the trouble can be told.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
from django.http import HttpResponse
from prometheus_client import CONTENT_TYPE_LATEST

from dashboard.json_body import decode_body
from dashboard.kinds.hami.services import served
from dashboard.kinds.hami.services.served import Question, Served
from dashboard.kinds.hami.services.served_figures import cards_of, cards_text
from dashboard.queries import access
from scheduler_core.hami.extender.extender_answers import BindAnswer, FilterAnswer
from scheduler_core.hami.served.wire import (
    BindingArgs,
    ExtenderArgs,
    PreemptionArgs,
    nodes_to_try,
    pod_to_admit,
    pod_to_place,
    read,
    read_review,
)
from scheduler_core.hami.webhook.webhook import review_answer


class PermittedRequest(NamedTuple):
    """A request whose asker may see the scenario."""

    user: Any
    scenario: Served
    body: bytes

    def document(self) -> Any:
        """Return the decoded body. Raises BadInput."""
        return decode_body(self.body) if self.body else {}


def json_answer(value: Any) -> HttpResponse:
    """Return a value as it goes over the wire."""
    return HttpResponse(msgspec.json.encode(value), content_type="application/json")


class Asking(NamedTuple):
    """A question to HAMi, and how its answer goes over the wire."""

    question: Question
    say: Callable[[Any], HttpResponse] = json_answer


class Verb(NamedTuple):
    """`ask` raises BadInput and Refused; `error` words a refusal as an answer, where the verb's has room."""

    method: str
    ask: Callable[[PermittedRequest], Asking | HttpResponse]
    for_operators: bool = False
    error: Callable[[str], Any] | None = None


def _filter(asked: PermittedRequest) -> Asking:
    """ExtenderArgs in, ExtenderFilterResult out: choose a node and cards for a pod, and note them."""
    given = read(asked.document(), ExtenderArgs)
    pod = pod_to_place(given.pod)
    if given.nodes is not None:
        nodes = nodes_to_try(given.nodes)
        return Asking(Question(lambda one: one.hami.dry_run(pod, nodes)), _wire)
    names = given.node_names or ()
    return Asking(Question(lambda one: one.filter(pod, names), changes=True), _wire)


def _bind(asked: PermittedRequest) -> Asking:
    """ExtenderBindingArgs in, ExtenderBindingResult out: bind a pod to a node of the scenario's cluster."""
    given = read(asked.document(), BindingArgs)
    key = f"{given.pod_namespace}/{given.pod_name}"
    return Asking(Question(lambda one: one.bind(key, given.pod_uid, given.node), changes=True), _wire)


def _prioritize(asked: PermittedRequest) -> Asking:
    """ExtenderArgs in, HostPriorityList out: all points for the node that the filter has chosen."""
    given = read(asked.document(), ExtenderArgs)
    pod = pod_to_place(given.pod)
    names = given.node_names or ()
    if given.nodes is not None:
        names = [node["metadata"]["name"] for node in nodes_to_try(given.nodes)]
    return Asking(Question(lambda one: one.prioritize(pod, names)))


def _preempt(asked: PermittedRequest) -> Asking:
    """ExtenderPreemptionArgs in, ExtenderPreemptionResult out.

    Kept are the nodes on which the pod gets its cards once the victims have left.
    """
    given = read(asked.document(), PreemptionArgs)
    pod, victims = pod_to_place(given.pod), given.meta_victims()
    candidates = {node: [one["UID"] for one in found["Pods"]] for node, found in victims.items()}

    def say(left: list[str]) -> HttpResponse:
        return json_answer({"NodeNameToMetaVictims": {node: victims[node] for node in left}})

    return Asking(Question(lambda one: one.preempt(pod, candidates)), say)


def _webhook(asked: PermittedRequest) -> Asking | HttpResponse:
    """AdmissionReview in and out: complete a pod that is created; hear of one that is deleted."""
    request = read_review(asked.document())
    if request.operation == "DELETE":
        access.require_operator(asked.user)
        key, allowed = f"{request.namespace}/{request.name}", json_answer(_allowed(request.uid))
        if request.dry_run is True:
            return allowed
        return Asking(Question(lambda one: one.delete(key), changes=True), lambda _: allowed)
    pod = pod_to_admit(request)
    return Asking(
        Question(lambda one: one.hami.webhook(pod)),
        lambda answer: json_answer(review_answer(request.uid, answer)),
    )


def _healthz(asked: PermittedRequest) -> HttpResponse:
    """Answer `ok`: the scenario can be asked."""
    return HttpResponse("ok", content_type="text/plain")


def _metrics(asked: PermittedRequest) -> Asking:
    """Answer with the cards in Prometheus' text format."""
    return Asking(
        Question(cards_of), lambda cards: HttpResponse(cards_text(cards), content_type=CONTENT_TYPE_LATEST)
    )


def _start_over(asked: PermittedRequest) -> HttpResponse:
    """Let the cluster be as the snapshot again."""
    served.start_over(asked.scenario)
    return HttpResponse(status=204)


def _wire(answer: Any) -> HttpResponse:
    return json_answer(answer.wire())


def _allowed(uid: str) -> dict[str, Any]:
    """Return the AdmissionReview that lets a request pass as it is."""
    response = {"uid": uid, "allowed": True, "status": {"metadata": {}, "code": 200}}
    return {"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "response": response}


VERBS = {
    "filter": Verb("POST", _filter, True, lambda error: FilterAnswer(error=error).wire()),
    "bind": Verb("POST", _bind, True, lambda error: BindAnswer(error).wire()),
    "prioritize": Verb("POST", _prioritize),
    "preempt": Verb("POST", _preempt),
    "webhook": Verb("POST", _webhook),
    "healthz": Verb("GET", _healthz),
    "metrics": Verb("GET", _metrics),
    "cluster": Verb("DELETE", _start_over, True),
}
"""By the last part of the address."""
