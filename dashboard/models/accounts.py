"""Credentials of people and programs: API tokens, the single-use sign-in link, and who somebody is elsewhere.

Only digests are stored: whoever reads the database cannot sign in with what is found there. The plain
token exists once, in the answer that created it (and in ``$DATA_DIR/token`` for the first administrator).
Rows are written by ``dashboard.accounts.tokens``, ``dashboard.accounts.links`` and
``dashboard.accounts.oidc.people`` alone.
"""

from django.conf import settings
from django.db import models


class ApiToken(models.Model):
    """A bearer token of one user; its digest is the SHA-256 of the plain token, in hexadecimal."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["user_id", "name", "id"]

    def __str__(self) -> str:
        return f"token {self.name!r} of user {self.user_id}"


class SignInLink(models.Model):
    """A link that signs one user in once, before ``expires_at``; the digest is that of the link's secret."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_in_links")
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"sign-in link of user {self.user_id} until {self.expires_at:%Y-%m-%d %H:%M:%S}"


class Identity(models.Model):
    """Who a user is to an OpenID Connect provider: by its issuer and its subject, never by a name or address.

    Whoever has one was made by a sign-in there. A user has one of these, and then no password.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="identity")
    issuer = models.CharField(max_length=255)
    subject = models.CharField(max_length=255)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["issuer", "subject"], name="identity_once")]

    def __str__(self) -> str:
        return f"user {self.user_id} at {self.issuer}"
