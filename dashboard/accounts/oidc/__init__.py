"""Sign-in by OpenID Connect: what is configured, the provider that is asked, and whom its claims are about.

Nothing here is loaded where no provider is configured, but for the variables.
"""
