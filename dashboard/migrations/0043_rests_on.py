"""What answers about waiting pods rest on; of those that are stored nothing is known."""

from django.db import migrations

from dashboard.models.documents import DocumentField


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0042_ended")]

    operations = [migrations.AddField("question", "rests_on", DocumentField(blank=True, null=True))]
