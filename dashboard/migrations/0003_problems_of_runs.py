"""A failed run says what was wrong with its input by object and field, besides the sentences."""

from django.db import migrations

from dashboard.models.documents import DocumentField


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0002_documents_as_text")]

    operations = [migrations.AddField("run", "problems", DocumentField(default=list))]
