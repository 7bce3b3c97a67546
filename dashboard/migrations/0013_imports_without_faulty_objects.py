"""Failed imports keep what is not faulty, so that they can be gone on with."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0012_served_clusters")]

    operations = [
        migrations.AddField("snapshot", "without_faulty", models.BooleanField(default=False)),
        migrations.AddField("snapshot", "faulty", models.PositiveIntegerField(default=0)),
    ]
