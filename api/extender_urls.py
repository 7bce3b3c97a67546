"""The addresses of a kube-scheduler's extender: a scenario's number, then the verb."""

from django.urls import path, re_path

from api.problems import answer_not_found
from api.views import extender

app_name = "extender"

urlpatterns = [
    path("<int:pk>/filter", extender.Filter.as_view(), name="filter"),
    path("<int:pk>/prioritize", extender.Prioritize.as_view(), name="prioritize"),
    path("<int:pk>/preempt", extender.Preempt.as_view(), name="preempt"),
    path("<int:pk>/bind", extender.Bind.as_view(), name="bind"),
    path("<int:pk>/webhook", extender.Webhook.as_view(), name="webhook"),
    path("<int:pk>/healthz", extender.Health.as_view(), name="healthz"),
    path("<int:pk>/metrics", extender.Metrics.as_view(), name="metrics"),
    path("<int:pk>/cluster", extender.Cluster.as_view(), name="cluster"),
    re_path(r"^[\s\S]*\Z", answer_not_found),
]
