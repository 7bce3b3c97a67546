"""Addresses of signing in, one's own account, and the administrators' page, under ``/accounts/``."""

from django.urls import path

from dashboard.accounts.views import account, audit, oidc, sign_in, sign_out, users

urlpatterns = [
    path("sign-in/", sign_in.SignInView.as_view(), name="sign-in"),
    path("link/<str:secret>/", sign_in.sign_in_link, name="sign-in-link"),
    path("oidc/", oidc.begin_oidc, name="oidc"),
    path("oidc/callback/", oidc.finish_oidc, name="oidc-callback"),
    path("sign-out/", sign_out.SignOutView.as_view(), name="sign-out"),
    path("", account.account, name="account"),
    path("password/", account.set_password, name="set-password"),
    path("tokens/", account.add_token, name="add-token"),
    path("tokens/<int:token>/withdraw/", account.withdraw_token, name="withdraw-token"),
    path("audit/", audit.audit, name="audit-log"),
    path("users/", users.users, name="users"),
    path("users/<int:user>/", users.change_user, name="change-user"),
    path("users/<int:user>/link/", users.new_link, name="new-link"),
    path("users/tokens/<int:token>/withdraw/", users.withdraw_any_token, name="withdraw-any-token"),
]
