"""Every address: pages, accounts, health and metrics, REST and webhooks (by name)."""

from django.urls import include, path

from dashboard import health, metrics

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics.metrics, name="metrics"),
    path("accounts/", include("dashboard.accounts.urls")),
    path("api/v1/", include("api.urls")),
    path("webhook/", include("api.webhook_urls")),
    path("", include("dashboard.views.urls")),
]

handler400 = "dashboard.bad_requests.bad_request"
handler500 = "dashboard.outages.server_error"
