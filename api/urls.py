"""Every address under `/api/v1/`; docs/rest.md describes each (a test holds the two together)."""

from django.urls import path, re_path

from api.kinds import urlpatterns as of_kinds
from api.problems import answer_not_found
from api.views import (
    alone,
    anonymised,
    answers,
    audit,
    came_true,
    clusters,
    compare,
    consolidation,
    decisions,
    finding,
    manifest_fits,
    optimum,
    preflight,
    rehearsal,
    replay,
    replaying,
    run_cards,
    runs,
    scenarios,
    schedulers,
    schemas,
    snapshot_rows,
    snapshots,
    sweeps,
    upgrading,
    what_if,
    why,
)

app_name = "api"

urlpatterns = [
    path("schema/", schemas.OpenApiDocument.as_view(), name="schema"),
    path("events/schema/", schemas.EventSchema.as_view(), name="event-schema"),
    path("explanations/schema/", schemas.ExplanationSchema.as_view(), name="explanation-schema"),
    path("find/", finding.Find.as_view(), name="find"),
    path("glossary/", finding.Glossary.as_view(), name="glossary"),
    path("audit/", audit.AuditLog.as_view(), name="audit"),
    path("clusters/", clusters.Clusters.as_view(), name="clusters"),
    path("clusters/<int:pk>/", clusters.ClusterView.as_view(), name="cluster"),
    path("clusters/<int:pk>/read/", clusters.ClusterRead.as_view(), name="cluster-read"),
    path("snapshots/", snapshots.Snapshots.as_view(), name="snapshots"),
    path("snapshots/<int:pk>/", snapshots.SnapshotView.as_view(), name="snapshot"),
    path("snapshots/<int:pk>/findings/", snapshots.SnapshotFindings.as_view(), name="snapshot-findings"),
    path("snapshots/<int:pk>/progress/", snapshots.SnapshotProgress.as_view(), name="snapshot-progress"),
    path("snapshots/<int:pk>/cancel/", snapshots.SnapshotCancel.as_view(), name="snapshot-cancel"),
    path(
        "snapshots/<int:pk>/without-faulty/",
        snapshots.SnapshotWithoutFaulty.as_view(),
        name="snapshot-without-faulty",
    ),
    path(
        "snapshots/<int:pk>/configurations/",
        snapshots.SnapshotConfigurations.as_view(),
        name="snapshot-configurations",
    ),
    path(
        "snapshots/<int:pk>/schedulers/", snapshots.SnapshotSchedulers.as_view(), name="snapshot-schedulers"
    ),
    path("snapshots/<int:pk>/upgrade/", upgrading.SnapshotUpgrade.as_view(), name="snapshot-upgrade"),
    path("snapshots/<int:pk>/preflight/", preflight.SnapshotPreflight.as_view(), name="snapshot-preflight"),
    path(
        "snapshots/<int:pk>/preflight/would-fit/",
        manifest_fits.ManifestWouldFit.as_view(),
        name="manifest-would-fit",
    ),
    path(
        "snapshots/<int:pk>/preflight/would-fit/end/",
        manifest_fits.EndManifestWouldFit.as_view(),
        name="manifest-would-fit-end",
    ),
    path(
        "snapshots/<int:pk>/consolidation/",
        consolidation.SnapshotConsolidation.as_view(),
        name="snapshot-consolidation",
    ),
    path(
        "snapshots/<int:pk>/consolidation/end/",
        consolidation.EndConsolidation.as_view(),
        name="snapshot-consolidation-end",
    ),
    path("snapshots/<int:pk>/rehearsal/", rehearsal.SnapshotRehearsal.as_view(), name="snapshot-rehearsal"),
    path(
        "snapshots/<int:pk>/rehearsal/end/", rehearsal.EndRehearsal.as_view(), name="snapshot-rehearsal-end"
    ),
    path("snapshots/<int:pk>/why/", why.SnapshotWhy.as_view(), name="snapshot-why"),
    path("snapshots/<int:pk>/would-fit/", what_if.SnapshotWouldFit.as_view(), name="snapshot-would-fit"),
    path("snapshots/<int:pk>/headroom/", what_if.SnapshotHeadroom.as_view(), name="snapshot-headroom"),
    path("snapshots/<int:pk>/nodes/", snapshot_rows.SnapshotNodes.as_view(), name="snapshot-nodes"),
    path("snapshots/<int:pk>/pods/", snapshot_rows.SnapshotPods.as_view(), name="snapshot-pods"),
    path(
        "snapshots/<int:pk>/workloads/", snapshot_rows.SnapshotWorkloads.as_view(), name="snapshot-workloads"
    ),
    path("snapshots/<int:pk>/history/", replaying.SnapshotHistory.as_view(), name="snapshot-history"),
    path("snapshots/<int:pk>/simkube/", replaying.SnapshotSimKube.as_view(), name="snapshot-simkube"),
    path(
        "snapshots/<int:pk>/anonymised/",
        anonymised.SnapshotAnonymised.as_view(),
        name="snapshot-anonymised",
    ),
    path(
        "snapshots/<int:pk>/anonymised/<slug:file>/",
        anonymised.SnapshotAnonymisedFile.as_view(),
        name="snapshot-anonymised-file",
    ),
    path("snapshots/<int:pk>/export/", snapshot_rows.SnapshotExport.as_view(), name="snapshot-export"),
    path("schedulers/", schedulers.Schedulers.as_view(), name="schedulers"),
    path("schedulers/<str:profile>/", schedulers.SchedulerView.as_view(), name="scheduler"),
    path("scenarios/", scenarios.Scenarios.as_view(), name="scenarios"),
    path("scenarios/validate/", scenarios.DraftValidation.as_view(), name="scenarios-validate"),
    path("scenarios/<int:pk>/", scenarios.ScenarioView.as_view(), name="scenario"),
    path("scenarios/<int:pk>/validate/", scenarios.ScenarioValidation.as_view(), name="scenario-validate"),
    path("scenarios/<int:pk>/upgrade/", upgrading.ScenarioUpgrade.as_view(), name="scenario-upgrade"),
    path("scenarios/<int:pk>/sweeps/", sweeps.ScenarioSweeps.as_view(), name="scenario-sweeps"),
    path("sweeps/<int:pk>/", sweeps.SweepView.as_view(), name="sweep"),
    path("sweeps/<int:pk>/cancel/", sweeps.SweepCancel.as_view(), name="sweep-cancel"),
    path("sweeps/<int:pk>/play/", sweeps.SweepPlay.as_view(), name="sweep-play"),
    path("runs/", runs.Runs.as_view(), name="runs"),
    path("runs/<int:pk>/", runs.RunView.as_view(), name="run"),
    path("runs/<int:pk>/cancel/", runs.RunCancel.as_view(), name="run-cancel"),
    path("runs/<int:pk>/pause/", runs.RunPause.as_view(), name="run-pause"),
    path("runs/<int:pk>/resume/", runs.RunResume.as_view(), name="run-resume"),
    path("runs/<int:pk>/scheduler/", schedulers.RunScheduler.as_view(), name="run-scheduler"),
    path("runs/<int:pk>/cards/", run_cards.RunCards.as_view(), name="run-cards"),
    path("runs/<int:pk>/over-time/", runs.RunOverTime.as_view(), name="run-over-time"),
    path("runs/<int:pk>/optimum/", optimum.RunOptimum.as_view(), name="run-optimum"),
    path("runs/<int:pk>/came-true/", came_true.RunCameTrue.as_view(), name="run-came-true"),
    path("runs/<int:pk>/answer/", answers.RunAnswer.as_view(), name="run-answer"),
    path("runs/<int:pk>/decisions/", decisions.Decisions.as_view(), name="decisions"),
    path("runs/<int:pk>/decisions/<int:seq>/", decisions.DecisionView.as_view(), name="decision"),
    path(
        "runs/<int:pk>/decisions/<int:seq>/nodes/", decisions.DecisionNodes.as_view(), name="decision-nodes"
    ),
    path(
        "runs/<int:pk>/decisions/<int:seq>/order/", decisions.DecisionOrder.as_view(), name="decision-order"
    ),
    path(
        "runs/<int:pk>/decisions/<int:seq>/nodes/<str:node>/",
        decisions.DecisionNode.as_view(),
        name="decision-node",
    ),
    path("runs/<int:pk>/state/", replay.RunStateView.as_view(), name="run-state"),
    path("runs/<int:pk>/waiting/", replay.RunWaiting.as_view(), name="run-waiting"),
    path("runs/<int:pk>/why/", replay.RunWhy.as_view(), name="run-why"),
    path("runs/<int:pk>/timeline/", replay.RunTimeline.as_view(), name="run-timeline"),
    path("runs/<int:pk>/stops/", replay.RunStops.as_view(), name="run-stops"),
    path("compare/alone/", alone.CompareAlone.as_view(), name="compare-alone"),
    path("compare/answer/", compare.CompareAnswer.as_view(), name="compare-answer"),
    path("compare/", compare.Compare.as_view(), name="compare"),
    *of_kinds("urls"),
    re_path(r"^(?P<path>[\s\S]*)\Z", answer_not_found),
]
