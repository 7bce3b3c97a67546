"""The addresses of Volcano's admission webhooks."""

from django.urls import path

from api.kinds.volcano.webhooks import VolcanoWebhook
from scheduler_core.volcano.admission.webhooks import WEBHOOKS

urlpatterns = [
    path(
        f"volcano/<int:pk>/{resource.resource}/{verb}",
        VolcanoWebhook.as_view(resource=resource, verb=verb),
        name=f"volcano-{resource.resource}-{verb}",
    )
    for resource, verb in WEBHOOKS
]
