"""Snapshots know what the API servers of their cluster said of their version; of old ones nothing is known."""

from django.db import migrations

import dashboard.models.documents


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0022_chosen_drivers")]

    operations = [
        migrations.AddField(
            "snapshot", "server_versions", dashboard.models.documents.DocumentField(default=list)
        ),
    ]
