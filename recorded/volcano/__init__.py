"""Cases of Volcano: sessions and controllers."""
