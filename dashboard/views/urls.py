"""The addresses of all pages but accounts."""

from django.urls import path, re_path

from dashboard.kinds import modules
from dashboard.views import (
    compare,
    debugger,
    glossary,
    home,
    lives,
    play_alone,
    runs,
    samples,
    scenarios,
    snapshots,
    ticked,
    why,
)

urlpatterns = [
    path("", home.home, name="home"),
    path("samples/", samples.samples, name="samples"),
    path("samples/load/", samples.load_large_sample, name="sample-load"),
    path("glossary/", glossary.glossary, name="glossary"),
    path("snapshots/", snapshots.gallery, name="snapshots"),
    path("snapshots/import/", snapshots.importing, name="snapshot-import"),
    path("snapshots/<int:pk>/", snapshots.snapshot, name="snapshot"),
    path("snapshots/<int:pk>/summary/", snapshots.summary, name="snapshot-summary"),
    path("snapshots/<int:pk>/end-asking/", why.end_asking, name="snapshot-end-asking"),
    re_path(r"^snapshots/(?P<pk>\d+)/why/(?P<uid>.+)/$", why.why_of_pod, name="snapshot-why-pod"),
    path("snapshots/<int:pk>/warnings/", snapshots.warnings, name="snapshot-warnings"),
    path("snapshots/<int:pk>/cancel/", snapshots.cancel, name="snapshot-cancel"),
    path("snapshots/<int:pk>/without-faulty/", snapshots.without_faulty, name="snapshot-without-faulty"),
    path("snapshots/<int:pk>/upgrade/", scenarios.upgrade_snapshot, name="snapshot-upgrade"),
    path("snapshots/<int:pk>/edit/", ticked.add_edit, name="snapshot-edit"),
    path("snapshots/<int:pk>/delete/", snapshots.delete, name="snapshot-delete"),
    re_path(
        r"^snapshots/(?P<pk>\d+)/export\.(?P<file_format>json|yaml)$",
        snapshots.exported,
        name="snapshot-export",
    ),
    re_path(
        r"^snapshots/(?P<pk>\d+)/(?P<kind>nodes|pods|workloads)/$", snapshots.table, name="snapshot-table"
    ),
    re_path(
        r"^snapshots/(?P<pk>\d+)/(?P<kind>nodes|pods|workloads)/(?P<key>.+)/$",
        snapshots.detail,
        name="snapshot-detail",
    ),
    path("scenarios/", scenarios.scenarios, name="scenarios"),
    path("scenarios/create/", scenarios.create, name="scenario-create"),
    path("scenarios/text/", scenarios.text, name="scenario-text"),
    path("scenarios/<int:pk>/", scenarios.editor, name="scenario"),
    path("scenarios/<int:pk>/copy/", scenarios.copy, name="scenario-copy"),
    path("scenarios/<int:pk>/own-schedulers/", scenarios.take_own_schedulers, name="scenario-own-schedulers"),
    path("scenarios/<int:pk>/delete/", scenarios.delete, name="scenario-delete"),
    path("scenarios/<int:pk>/run/", runs.start, name="scenario-run"),
    path("scenarios/<int:pk>/run-under/", scenarios.run_scenario_under, name="scenario-run-under"),
    path("scenarios/<int:pk>/upgrade/", scenarios.upgrade_scenario, name="scenario-upgrade"),
    path("compare/", compare.compare, name="compare"),
    path("compare/<int:a>/<int:b>/alone/", play_alone.play_alone, name="compare-alone"),
    path("runs/", runs.runs, name="runs"),
    path("runs/<int:pk>/", debugger.debugger, name="run"),
    path("runs/<int:pk>/outcome/", runs.outcome, name="run-outcome"),
    path("runs/<int:pk>/run-under/", scenarios.run_again_under, name="run-again-under"),
    path("runs/<int:pk>/pin/", runs.pin, name="run-pin"),
    path("runs/<int:pk>/cancel/", runs.cancel, name="run-cancel"),
    path("runs/<int:pk>/delete/", runs.delete, name="run-delete"),
    re_path(r"^runs/(?P<pk>\d+)/pods/(?P<uid>.+)/$", lives.pod, name="run-pod"),
    path("runs/<int:pk>/nodes/<str:name>/", lives.node, name="run-node"),
    *(pattern for module in modules("urls") for pattern in module.urlpatterns),
]
