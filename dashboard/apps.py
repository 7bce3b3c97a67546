"""The app ``dashboard``: creates the role groups after each migration."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class DashboardConfig(AppConfig):
    name = "dashboard"

    def ready(self) -> None:
        from dashboard.accounts.roles import create_roles

        post_migrate.connect(create_roles, sender=self, dispatch_uid="create-roles")
