"""When imports and answers ended, so that it can be told how long they take; nothing that is stored changes."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0041_deltas")]

    operations = [
        migrations.AddField("snapshot", "ended_at", models.DateTimeField(blank=True, null=True)),
        migrations.AddField("question", "answered_at", models.DateTimeField(blank=True, null=True)),
    ]
