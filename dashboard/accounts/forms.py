"""Forms of the account pages."""

from django import forms

from dashboard.accounts.roles import ROLES

ROLE_CHOICES = [*((role, role) for role in ROLES), ("", "none (sees nothing)")]


class TokenForm(forms.Form):
    """What a new API token is called."""

    name = forms.CharField(max_length=100, label="What is it for?", help_text="For example: nightly check")


class InvitationForm(forms.Form):
    """Whom to invite and as what."""

    name = forms.CharField(max_length=150, label="Name")
    role = forms.ChoiceField(choices=ROLE_CHOICES, required=False, initial="viewer")


class UserForm(forms.Form):
    """A user's role and access."""

    role = forms.ChoiceField(choices=ROLE_CHOICES, required=False)
    active = forms.BooleanField(required=False, label="may sign in")
