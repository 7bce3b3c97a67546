"""The pages of connected clusters: which there are and how new, connecting one, what may be read of it."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.answers.came_true import VERDICTS, of_predictions, predicted, seen
from dashboard.answers.clusters import lacking, lead
from dashboard.errors import Refused
from dashboard.live.kubeconfig import FLATTEN, MAX_BYTES
from dashboard.queries import access
from dashboard.queries.clusters import cluster_seen, clusters_seen
from dashboard.services.results.came_true import Prediction, predictions_of
from dashboard.services.workspace import clusters as service
from scheduler_core.objects.problems import BadInput

EVERY = (
    (0, "when asked"), (15, "every 15 min"), (30, "every 30 min"), (60, "every hour"), (1440, "every day"),
)  # fmt: skip
"""Minutes, and the words for them."""
ROLE = (
    "nodes,pods,namespaces,services,replicationcontrollers,limitranges,resourcequotas,persistentvolumes,"
    "persistentvolumeclaims,configmaps,deployments.apps,replicasets.apps,statefulsets.apps,daemonsets.apps,"
    "jobs.batch,cronjobs.batch,horizontalpodautoscalers.autoscaling,poddisruptionbudgets.policy,"
    "priorityclasses.scheduling.k8s.io,runtimeclasses.node.k8s.io,storageclasses.storage.k8s.io,"
    "csinodes.storage.k8s.io,csidrivers.storage.k8s.io,csistoragecapacities.storage.k8s.io,"
    "volumeattachments.storage.k8s.io,resourceclaims.resource.k8s.io,resourceclaimtemplates.resource.k8s.io,"
    "resourceslices.resource.k8s.io,deviceclasses.resource.k8s.io"
)
"""What kubectl calls all that is read of a cluster without other schedulers' own kinds."""


class ConnectForm(forms.Form):
    """A kubeconfig, as a file or as text, and which of its contexts is meant."""

    file = forms.FileField(required=False, label="A kubeconfig")
    text = forms.CharField(
        required=False,
        label="or its text",
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "autocomplete": "off"}),
    )
    context = forms.CharField(required=False, label="Context", help_text="If it is not the current one.")
    name = forms.CharField(
        required=False, max_length=service.NAME_LENGTH, label="Name", help_text="Else the context's."
    )
    in_cluster = forms.BooleanField(
        required=False,
        label="The cluster that Sandtable runs in",
        help_text="By the service account of its pod, instead of a kubeconfig. Nothing of it is kept.",
    )

    def __init__(self, *sent: Any) -> None:
        super().__init__(*sent)
        if not service.offers_own_cluster():
            del self.fields["in_cluster"]

    def clean(self) -> dict[str, Any]:
        """Read the kubeconfig from where it is."""
        found: dict[str, Any] = super().clean() or {}
        file, text = found.get("file"), (found.get("text") or "").strip()
        if found.get("in_cluster"):
            if file or text or found.get("context"):
                raise forms.ValidationError("Send a kubeconfig, or choose the own cluster: one of the two.")
            return {**found, "way": service.Way(in_cluster=True)}
        if bool(file) == bool(text):
            raise forms.ValidationError("Choose a kubeconfig, or paste its text: one of the two.")
        if file and file.size > MAX_BYTES:
            raise forms.ValidationError("This file is too large for a kubeconfig.")
        kubeconfig = file.read() if file else found["text"].encode()
        return {**found, "way": service.Way(kubeconfig, found["context"])}


class ScheduleForm(forms.Form):
    """How often a cluster is read, and how many readings stay."""

    every = forms.TypedChoiceField(coerce=int, choices=EVERY, label="Read")
    keep = forms.IntegerField(min_value=1, max_value=service.MOST_KEPT, label="Keep")


@require_safe
def clusters(request: HttpRequest) -> HttpResponse:
    """All connected clusters."""
    access.require_viewer(request.user)
    seen = clusters_seen(request.user, timezone.now())
    context = {"clusters": seen, "lead": lead(seen), "resources": ROLE}
    return render(request, "clusters/clusters.html", context)


@require_safe
def cluster(request: HttpRequest, pk: int) -> HttpResponse:
    """One cluster: what may be read of it, its schedule and its readings."""
    found = access.get_cluster_or_404(request.user, pk)
    return _cluster_page(request, found, ScheduleForm({"every": found.every, "keep": found.keep}))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def connect(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """Connect a cluster, or give a connected one other credentials; what is wrong stands beside the form."""
    access.require_admin(request.user)
    found = None if pk is None else access.get_cluster_or_404(request.user, pk)
    form = ConnectForm(request.POST, request.FILES) if request.method == "POST" else ConnectForm()
    if form.is_bound and form.is_valid():
        sent = form.cleaned_data
        try:
            if found is None:
                found = service.connect_cluster(request.user, sent["way"], name=sent["name"])
            else:
                service.renew_cluster(request.user, found, sent["way"])
        except BadInput as error:
            for problem in error.problems:
                form.add_error(None, ": ".join(filter(None, (problem.field, problem.message))))
        else:
            reading = found.snapshots.order_by("-pk").first()
            return redirect("snapshot", reading.pk) if reading else redirect("cluster", found.pk)
    context = {"form": form, "cluster": found, "flatten": FLATTEN, "resources": ROLE}
    return render(request, "clusters/connect.html", context, status=422 if form.errors else 200)


@require_POST
def read(request: HttpRequest, pk: int) -> HttpResponse:
    """Read a cluster now, and show how far that is."""
    access.require_operator(request.user)
    found = access.get_cluster_or_404(request.user, pk)
    try:
        return redirect("snapshot", service.begin_reading(request.user, found).pk)
    except Refused as refusal:
        messages.warning(request, str(refusal))
        return redirect("clusters")


@require_POST
def schedule(request: HttpRequest, pk: int) -> HttpResponse:
    """Say how often a cluster is read."""
    access.require_admin(request.user)
    found = access.get_cluster_or_404(request.user, pk)
    form = ScheduleForm(request.POST)
    if not form.is_valid():
        return _cluster_page(request, found, form, status=422)
    service.schedule_cluster(found, **form.cleaned_data)
    messages.success(request, "Saved.")
    return redirect("cluster", pk)


@require_POST
def disconnect(request: HttpRequest, pk: int) -> HttpResponse:
    """Forget a cluster; its snapshots stay."""
    access.require_admin(request.user)
    found = access.get_cluster_or_404(request.user, pk)
    service.disconnect_cluster(found)
    messages.success(request, f"{found.name} is no longer connected. Its snapshots stay.")
    return redirect("clusters")


def _row(one: Prediction) -> dict[str, Any]:
    """Return a prediction as the page lists it: what was predicted, what was found, and the verdict."""
    row: dict[str, Any] = {"run": one.run, "verdict": None, "why_not": one.why_not}
    if one.found is None:
        return row
    is_told = one.found.verdict != "can’t be told"
    words = {"predicted": predicted(one.found) if one.found.judged else [], "seen": seen(one.found)}
    return {**row, **words, "is_told": is_told, "verdict": VERDICTS[one.found.verdict]}


def _cluster_page(request: HttpRequest, found: Any, form: ScheduleForm, status: int = 200) -> HttpResponse:
    shown = cluster_seen(request.user, found, timezone.now())
    rows = [_row(one) for one in predictions_of(request.user, found)]
    told = of_predictions([row["verdict"] for row in rows])
    context = {
        "seen": shown, "form": form, "lead": lead([shown]), "lacking": lacking(found),
        "predictions": rows, "came_true": told,
    }  # fmt: skip
    return render(request, "clusters/cluster.html", context, status=status)
