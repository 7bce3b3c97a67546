"""Forms of the account pages."""

from django import forms

from dashboard.accounts.roles import ROLES
from dashboard.services.workspace.audit import ACTIONS

ROLE_CHOICES = [*((role, role) for role in ROLES), ("", "none (sees nothing)")]


class TokenForm(forms.Form):
    """What a new API token is called."""

    name = forms.CharField(max_length=100, label="What is it for?", help_text="For example: nightly check")


class AuditForm(forms.Form):
    """Which entries of the audit log; empty fields leave nothing out."""

    who = forms.CharField(max_length=150, required=False, label="Who")
    action = forms.ChoiceField(
        choices=[("", "anything"), *((name, name) for name in ACTIONS)], required=False, label="Did"
    )
    since = forms.DateField(required=False, label="From", widget=forms.DateInput({"type": "date"}))
    until = forms.DateField(required=False, label="To", widget=forms.DateInput({"type": "date"}))


class InvitationForm(forms.Form):
    """Whom to invite and as what."""

    name = forms.CharField(max_length=150, label="Name")
    role = forms.ChoiceField(choices=ROLE_CHOICES, required=False, initial="viewer")


class UserForm(forms.Form):
    """A user's role and access."""

    role = forms.ChoiceField(choices=ROLE_CHOICES, required=False)
    active = forms.BooleanField(required=False, label="may sign in")
