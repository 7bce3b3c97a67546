"""The schedulers to choose from, as REST shows them."""

from typing import Any

from rest_framework import serializers


class DriverChoice(serializers.Serializer[Any]):
    """A driver: how time passes, and who comes next."""

    driver = serializers.CharField()
    summary = serializers.CharField()


class SchedulerVersion(serializers.Serializer[Any]):
    """A profile, its drivers (the default first), and what may stand in `config`.

    `configuration` names the kind of document that it takes, or is empty; `settings` are the only fields
    otherwise.
    """

    profile = serializers.CharField()
    name = serializers.CharField()
    summary = serializers.CharField()
    drivers = DriverChoice(many=True)
    configuration = serializers.CharField(allow_blank=True)
    settings = serializers.ListField(child=serializers.CharField())


class SchedulerList(serializers.Serializer[Any]):
    """All of them: there is no second page."""

    results = SchedulerVersion(many=True)
    next = serializers.CharField(allow_null=True)
