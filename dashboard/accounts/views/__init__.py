"""Pages: signing in (``sign_in``, ``oidc``) and out, one's ``account``, the administrators' (``users``)."""
