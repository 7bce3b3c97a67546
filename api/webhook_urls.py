"""The addresses of admission webhooks: a snapshot's number, then the path of the webhook manager."""

from django.urls import path, re_path

from api.problems import answer_not_found
from api.views.webhooks import VolcanoWebhook
from scheduler_core.volcano.admission.webhooks import WEBHOOKS

app_name = "webhook"

urlpatterns = [
    *(
        path(
            f"volcano/<int:pk>/{resource.resource}/{verb}",
            VolcanoWebhook.as_view(resource=resource, verb=verb),
            name=f"volcano-{resource.resource}-{verb}",
        )
        for resource, verb in WEBHOOKS
    ),
    re_path(r"^[\s\S]*\Z", answer_not_found),
]
