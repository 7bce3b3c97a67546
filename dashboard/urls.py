"""Every address: pages, accounts, health and metrics, and REST under ``/api/v1/`` (included by name)."""

from importlib.util import find_spec

from django.urls import include, path

from dashboard import health, metrics

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics.metrics, name="metrics"),
    path("accounts/", include("dashboard.accounts.urls")),
]
for prefix, module in (("api/v1/", "api.urls"), ("", "dashboard.views.urls")):  # until both are written
    try:
        found = find_spec(module)
    except ModuleNotFoundError:
        found = None
    if found:
        urlpatterns.append(path(prefix, include(module)))
