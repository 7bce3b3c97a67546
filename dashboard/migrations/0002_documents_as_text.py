"""Documents become `json` on PostgreSQL; on SQLite they are text already, and no table is written anew."""

from django.db import migrations

from dashboard.models.documents import DocumentField

COLUMNS = {
    "node": {"object": {}},
    "pod": {"object": {}},
    "workload": {"object": {}},
    "snapshot": {
        "counts": {"default": dict},
        "dropped": {"default": list},
        "problems": {"default": list},
        "progress": {"default": dict},
        "resources": {"default": dict},
        "warnings": {"default": list},
    },
    "scenario": {
        "config": {"blank": True, "null": True},
        "edits": {"blank": True, "default": list},
    },
    "run": {
        "config": {"blank": True, "null": True},
        "edit_results": {"default": list},
        "edits": {"default": list},
        "outcome": {"blank": True, "null": True},
        "progress": {"default": dict},
        "schedule": {"blank": True, "null": True},
        "trust": {"blank": True, "null": True},
    },
}


def _change_type(schema_editor, kind):
    if schema_editor.connection.vendor != "postgresql":
        return
    for model, columns in COLUMNS.items():
        changes = ", ".join(f'ALTER COLUMN "{name}" TYPE {kind} USING "{name}"::{kind}' for name in columns)
        schema_editor.execute(f'ALTER TABLE "dashboard_{model}" {changes}')


def to_json(apps, schema_editor):
    _change_type(schema_editor, "json")


def to_jsonb(apps, schema_editor):
    _change_type(schema_editor, "jsonb")


class Migration(migrations.Migration):
    dependencies = [("dashboard", "0001_initial")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(to_json, to_jsonb)],
            state_operations=[
                migrations.AlterField(model, name, DocumentField(**options))
                for model, columns in COLUMNS.items()
                for name, options in columns.items()
            ],
        )
    ]
