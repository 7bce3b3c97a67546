"""What REST has of Volcano, and its admission webhooks."""
