"""HAMi as a kube-scheduler's extender, over the cluster of a scenario.

These addresses are no part of the REST interface: what goes in and out are Kubernetes' own types. Of a
refusal kube-scheduler prints the status alone, so that filter and bind answer 200 with an `Error` wherever
their asker is known and the trouble can be told.
"""

import base64
import binascii
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from django.db import DatabaseError
from django.http import HttpResponse
from prometheus_client import CONTENT_TYPE_LATEST
from rest_framework.authentication import get_authorization_header
from rest_framework.exceptions import AuthenticationFailed

from api.base import ApiView
from api.throttling import ExtenderRate
from dashboard.accounts.authentication import TokenAuthentication
from dashboard.accounts.tokens import user_of_token
from dashboard.errors import Refused, sentences_of
from dashboard.models import Scenario
from dashboard.outages import outage_of
from dashboard.queries import access
from dashboard.services import served
from dashboard.services.served_figures import cards_text
from scheduler_core.hami.answers import BindAnswer, FilterAnswer
from scheduler_core.hami.webhook import review_answer
from scheduler_core.hami.wire import (
    BindingArgs,
    ExtenderArgs,
    PreemptionArgs,
    nodes_to_try,
    pod_to_admit,
    pod_to_place,
    read,
    read_review,
)
from scheduler_core.objects.problems import BadInput

T = TypeVar("T")


class ExtenderAuthentication(TokenAuthentication):
    """A bearer token, or the token as a password: kube-scheduler can send nothing but what its URL holds."""

    def authenticate(self, request: Any) -> tuple[Any, str] | None:
        kind, _, text = get_authorization_header(request).partition(b" ")
        if kind.lower() != b"basic":
            return super().authenticate(request)
        try:
            plain = base64.b64decode(text.strip(), validate=True).decode("ascii").partition(":")[2]
        except (binascii.Error, UnicodeDecodeError):
            plain = ""
        user = user_of_token(plain)
        if user is None:
            raise AuthenticationFailed("This token is unknown or was withdrawn.")
        return user, "token"


class ExtenderView(ApiView):
    """One address of a scenario's extender; only a token signs in, never a browser's session."""

    authentication_classes = [ExtenderAuthentication]
    throttle_classes = [ExtenderRate]
    schema = None

    def scenario(self, pk: int, *, to_change: bool = False) -> Scenario:
        """Return the scenario. Raises Http404, PermissionDenied, NotPossibleNow."""
        if to_change:
            access.require_operator(self.request.user)
        return served.served_scenario(self.request.user, pk)


class Filter(ExtenderView):
    """ExtenderArgs in, ExtenderFilterResult out."""

    def post(self, request: Any, pk: int) -> HttpResponse:
        """Choose a node and cards for a pod, and note them."""

        def answer() -> dict[str, Any]:
            scenario = self.scenario(pk, to_change=True)
            asked = read(request.data, ExtenderArgs)
            pod = pod_to_place(asked.pod)
            if asked.nodes is not None:
                nodes = nodes_to_try(asked.nodes)
                return served.look(scenario, lambda one: one.hami.dry_run(pod, nodes).wire())
            return served.change(scenario, lambda one: one.filter(pod, asked.node_names or ()).wire())

        return _json(_or_error(answer, lambda error: FilterAnswer(error=error).wire()))


class Bind(ExtenderView):
    """ExtenderBindingArgs in, ExtenderBindingResult out."""

    def post(self, request: Any, pk: int) -> HttpResponse:
        """Bind a pod to a node of the scenario's cluster."""

        def answer() -> dict[str, Any]:
            scenario = self.scenario(pk, to_change=True)
            asked = read(request.data, BindingArgs)
            key = f"{asked.pod_namespace}/{asked.pod_name}"
            return served.change(scenario, lambda one: one.bind(key, asked.pod_uid, asked.node).wire())

        return _json(_or_error(answer, lambda error: BindAnswer(error).wire()))


class Prioritize(ExtenderView):
    """ExtenderArgs in, HostPriorityList out."""

    def post(self, request: Any, pk: int) -> HttpResponse:
        """Give all points to the node that the filter has chosen."""
        scenario = self.scenario(pk)
        asked = read(request.data, ExtenderArgs)
        pod = pod_to_place(asked.pod)
        names = asked.node_names or ()
        if asked.nodes is not None:
            names = [node["metadata"]["name"] for node in nodes_to_try(asked.nodes)]
        return _json(served.look(scenario, lambda one: one.prioritize(pod, names)))


class Preempt(ExtenderView):
    """ExtenderPreemptionArgs in, ExtenderPreemptionResult out."""

    def post(self, request: Any, pk: int) -> HttpResponse:
        """Keep the nodes on which the pod gets its cards once the victims have left."""
        scenario = self.scenario(pk)
        asked = read(request.data, PreemptionArgs)
        pod, victims = pod_to_place(asked.pod), asked.meta_victims()
        candidates = {node: [one["UID"] for one in found["Pods"]] for node, found in victims.items()}
        left = served.look(scenario, lambda one: one.preempt(pod, candidates))
        return _json({"NodeNameToMetaVictims": {node: victims[node] for node in left}})


class Webhook(ExtenderView):
    """AdmissionReview in and out."""

    def post(self, request: Any, pk: int) -> HttpResponse:
        """Complete a pod that is created; hear of one that is deleted."""
        asked = read_review(request.data)
        if asked.operation == "DELETE":
            return _json(self._delete(pk, asked))
        scenario, pod = self.scenario(pk), pod_to_admit(asked)
        return _json(review_answer(asked.uid, served.look(scenario, lambda one: one.hami.webhook(pod))))

    def _delete(self, pk: int, asked: Any) -> dict[str, Any]:
        scenario = self.scenario(pk, to_change=True)
        if asked.dry_run is not True:
            served.change(scenario, lambda one: one.delete(f"{asked.namespace}/{asked.name}"))
        return allowed(asked.uid)


class Health(ExtenderView):
    """Whether the scenario can be asked."""

    def get(self, request: Any, pk: int) -> HttpResponse:
        """Answer `ok`."""
        self.scenario(pk)
        return HttpResponse("ok", content_type="text/plain")


class Metrics(ExtenderView):
    """The cards, for Prometheus."""

    def get(self, request: Any, pk: int) -> HttpResponse:
        """Answer with Prometheus' text format."""
        return HttpResponse(cards_text(self.scenario(pk)), content_type=CONTENT_TYPE_LATEST)


class Cluster(ExtenderView):
    """What was written to the scenario's cluster."""

    def delete(self, request: Any, pk: int) -> HttpResponse:
        """Let the cluster be as the snapshot again."""
        served.start_over(self.scenario(pk, to_change=True))
        return HttpResponse(status=204)


def allowed(uid: str) -> dict[str, Any]:
    """Return the AdmissionReview that lets a request pass as it is."""
    response = {"uid": uid, "allowed": True, "status": {"metadata": {}, "code": 200}}
    return {"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "response": response}


def _or_error(answer: Callable[[], T], say: Callable[[str], T]) -> T:
    """Return the answer, or one that says why there is none."""
    try:
        return answer()
    except BadInput as error:
        return say(sentences_of(error))
    except Refused as error:
        return say(str(error))
    except DatabaseError as error:
        outage = outage_of(error)
        if outage is None:
            raise
        return say(outage.sentence)


def _json(value: Any) -> HttpResponse:
    return HttpResponse(msgspec.json.encode(value), content_type="application/json")
