"""Pages: signing in (``sign_in``), one's own account (``account``), the administrators' (``users``)."""
