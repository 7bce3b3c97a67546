"""Who may do what: roles, sign-in, API tokens, and the admin's page of users and tokens."""
