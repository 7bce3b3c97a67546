"""The addresses of admission webhooks: whose, a snapshot's number, then the path of the webhook manager."""

from django.urls import re_path

from api.kinds import urlpatterns as of_kinds
from api.problems import answer_not_found

app_name = "webhook"

urlpatterns = [*of_kinds("webhook_urls"), re_path(r"^[\s\S]*\Z", answer_not_found)]
