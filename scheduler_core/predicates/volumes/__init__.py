"""What volumes say about nodes."""
