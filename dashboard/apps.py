"""The app ``dashboard``: after each migration it creates the role groups and settles how texts are sorted."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class DashboardConfig(AppConfig):
    name = "dashboard"

    def ready(self) -> None:
        from dashboard.accounts.roles import create_roles
        from dashboard.collation import sort_texts_by_code_point

        post_migrate.connect(create_roles, sender=self, dispatch_uid="create-roles")
        post_migrate.connect(sort_texts_by_code_point, sender=self, dispatch_uid="sort-texts")
