"""Every address: pages, accounts, health and metrics, and REST under ``/api/v1/`` (included by name)."""

import structlog
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
        urlpatterns.append(path(prefix, include(module)))
    except ImportError as error:
        structlog.get_logger(__name__).warning("not there yet", module=module, error=str(error))
