"""The audit log: who did what, when. Entries are added, and removed by age alone."""

from typing import Any, Never

from django.db import models
from django.utils import timezone

from dashboard.models.documents import DocumentField


class AppendOnly(models.QuerySet["AuditEntry"]):
    """Entries that nobody changes or deletes one by one."""

    def update(self, **_: Any) -> Never:
        """Refuse. Raises TypeError."""
        raise TypeError("Entries of the audit log are not changed.")

    def delete(self) -> Never:
        """Refuse. Raises TypeError."""
        raise TypeError("Entries of the audit log are removed by age alone.")


class AuditEntry(models.Model):
    """Something that somebody did.

    who: the user's name then; empty for a command on the server itself. address: where the request came
    from. action: one of `dashboard.services.workspace.audit.ACTIONS`. thing: what it was done to, as a
    person names it. details: what else is known, never a secret.
    """

    at = models.DateTimeField(default=timezone.now)
    who = models.CharField(max_length=150, blank=True)
    address = models.CharField(max_length=50, blank=True)
    action = models.CharField(max_length=40)
    thing = models.CharField(max_length=300, blank=True)
    details = DocumentField(default=dict)

    objects = AppendOnly.as_manager()

    class Meta:
        ordering = ["-pk"]
        indexes = [
            models.Index(fields=["at"], name="audit_by_time"),
            models.Index(fields=["who", "-id"], name="audit_by_person"),
            models.Index(fields=["action", "-id"], name="audit_by_action"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S} {self.who or 'the server'}: {self.action} {self.thing}"

    def save(self, *arguments: Any, **options: Any) -> None:
        """Add the entry. Raises TypeError for one that is there already."""
        if not self._state.adding:
            raise TypeError("Entries of the audit log are not changed.")
        super().save(*arguments, **options)

    def delete(self, *_: Any, **__: Any) -> tuple[int, dict[str, int]]:
        """Refuse. Raises TypeError."""
        raise TypeError("Entries of the audit log are removed by age alone.")
