"""The schedulers that a scenario may name: profiles, drivers, and what each takes as configuration."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from api.base import ApiView
from api.describing import refusals
from api.serializers.schedulers import SchedulerList, SchedulerWords
from dashboard.queries import access
from dashboard.services.workspace.scheduler_words import words_of, words_of_run
from dashboard.services.workspace.schedulers import versions
from scheduler_core.schedulers import registry


class Schedulers(ApiView):
    """All schedulers."""

    serializer_class = SchedulerList

    @extend_schema(operation_id="schedulers_list", responses={200: SchedulerList, **refusals()})
    def get(self, request: Any) -> Response:
        """List the schedulers, the newest first, and the drivers of each, its default first."""
        return Response(SchedulerList({"results": versions(), "next": None}).data)


class SchedulerView(ApiView):
    """One scheduler."""

    serializer_class = SchedulerWords

    @extend_schema(operation_id="scheduler_get", responses={200: SchedulerWords, **refusals(404)})
    def get(self, request: Any, profile: str) -> Response:
        """Return a scheduler's plugins, criteria and words, as it is without a configuration."""
        if profile not in registry.versions():
            raise Http404
        return Response(SchedulerWords(words_of(profile)).data)


class RunScheduler(ApiView):
    """The scheduler of a run."""

    serializer_class = SchedulerWords

    @extend_schema(operation_id="run_scheduler", responses={200: SchedulerWords, **refusals(404, 409)})
    def get(self, request: Any, pk: int) -> Response:
        """Return the plugins, criteria and words of a run's scheduler, as configured and played."""
        run = access.get_run_or_404(request.user, pk)
        return Response(SchedulerWords(words_of_run(run)).data)
