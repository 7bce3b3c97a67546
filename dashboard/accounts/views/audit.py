"""The audit log for administrators: a table, filtered, page by page, and as files."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from dashboard.accounts.forms import AuditForm
from dashboard.accounts.views.users import admin_only
from dashboard.queries.audit import audit_entries, csv_lines, json_lines

PAGE = 100
FILES = {"csv": (csv_lines, "text/csv"), "jsonl": (json_lines, "application/x-ndjson")}


@admin_only
@require_safe
@never_cache
def audit(request: HttpRequest) -> HttpResponse | StreamingHttpResponse:
    """The newest entries that the fields ask for; `before` has older ones, `as` a file of all."""
    form = AuditForm(request.GET or None)
    asked = form.cleaned_data if form.is_bound and form.is_valid() else {}
    until = asked.get("until")
    found = audit_entries(
        who=asked.get("who", ""),
        action=asked.get("action", ""),
        since=_midnight(asked.get("since")),
        until=_midnight(until + timedelta(days=1)) if until and until < date.max else None,
    )
    if request.GET.get("as") in FILES and form.is_valid():
        return _file(request.GET["as"], found)
    before = request.GET.get("before", "")
    page = found.filter(pk__lt=int(before)) if before.isdecimal() and len(before) < 19 else found
    rows = list(page[: PAGE + 1])
    query = request.GET.copy()
    query.pop("before", None)
    context = {
        "form": form,
        "rows": rows[:PAGE],
        "query": query.urlencode(),
        "older": rows[PAGE - 1].pk if len(rows) > PAGE else None,
    }
    return render(request, "accounts/audit.html", context, status=200 if not form.errors else 422)


def _midnight(day: date | None) -> datetime | None:
    return None if day is None else datetime.combine(day, time(), UTC)


def _file(form: str, found: Any) -> StreamingHttpResponse:
    lines, media_type = FILES[form]
    response = StreamingHttpResponse(lines(found), content_type=f"{media_type}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="audit.{form}"'
    return response
