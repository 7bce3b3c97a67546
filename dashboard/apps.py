"""The app ``dashboard``: after each migration it creates the role groups and settles how texts are sorted.

What SQLite is to call is made known to each connection, and packages that bring schedulers to the engine.
"""

import gc

from django.apps import AppConfig, apps
from django.conf import settings
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate

from dashboard import USUAL


class DashboardConfig(AppConfig):
    name = "dashboard"

    def ready(self) -> None:
        from dashboard.accounts.roles import create_roles
        from dashboard.collation import sort_texts_by_code_point
        from dashboard.natural_order import know_natural_key
        from scheduler_core.schedulers.names import packages as scheduler_packages

        gc.set_threshold(*USUAL)
        if apps.is_installed("axes"):  # nobody signs in to a command line that has no server
            from dashboard.accounts import audited

            audited.connect()
        scheduler_packages.extend(settings.SCHEDULER_PACKAGES)
        connection_created.connect(know_natural_key, dispatch_uid="natural-key")
        post_migrate.connect(create_roles, sender=self, dispatch_uid="create-roles")
        post_migrate.connect(sort_texts_by_code_point, sender=self, dispatch_uid="sort-texts")
