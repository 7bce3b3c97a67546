"""The shapes that go in and out of REST; what they mean is decided by the dashboard's services."""
