"""The schedulers that a scenario may name: profiles, drivers, and what each takes as configuration."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from api.base import ApiView
from api.describing import refusals
from api.serializers.schedulers import SchedulerList
from dashboard.services.schedulers import versions


class Schedulers(ApiView):
    """All schedulers."""

    serializer_class = SchedulerList

    @extend_schema(operation_id="schedulers_list", responses={200: SchedulerList, **refusals()})
    def get(self, request: Any) -> Response:
        """List the schedulers, the newest first, and the drivers of each, its default first."""
        return Response(SchedulerList({"results": versions(), "next": None}).data)
