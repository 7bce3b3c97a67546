"""The addresses of Volcano's own pages."""

from django.urls import path, re_path

from dashboard.kinds.volcano.views import (
    group_lives,
    hyper_nodes,
    job_lives,
    objects,
    queue_lives,
    queue_shares,
)

urlpatterns = [
    path("snapshots/<int:pk>/queue-shares/", queue_shares.shares, name="snapshot-queue-shares"),
    path("snapshots/<int:pk>/queue-shares/end/", queue_shares.end_asking, name="snapshot-queue-shares-end"),
    path("snapshots/<int:pk>/volcano/hypernodes/", hyper_nodes.hyper_nodes, name="snapshot-hyper-nodes"),
    re_path(
        r"^snapshots/(?P<pk>\d+)/volcano/(?P<kind>jobs|podgroups|queues|jobflows|jobtemplates|cronjobs)/$",
        objects.table,
        name="snapshot-volcano",
    ),
    re_path(
        r"^snapshots/(?P<pk>\d+)/volcano/(?P<kind>jobs|podgroups|queues|jobflows|jobtemplates|cronjobs)/(?P<key>.+)/$",
        objects.detail,
        name="snapshot-volcano-detail",
    ),
    path("runs/<int:pk>/groups/<str:namespace>/<str:name>/", group_lives.group, name="run-group"),
    path("runs/<int:pk>/jobs/<str:namespace>/<str:name>/", job_lives.job, name="run-job"),
    path("runs/<int:pk>/queues/<str:name>/", queue_lives.queue, name="run-queue"),
]
