"""What answers rest on: stored with questions, and what imports lack; of older ones nothing is known."""

from django.db import migrations

from dashboard.models.documents import DocumentField


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0042_ended")]

    operations = [
        migrations.AddField("question", "rests_on", DocumentField(blank=True, null=True)),
        migrations.AddField("snapshot", "lacks", DocumentField(blank=True, null=True)),
    ]
