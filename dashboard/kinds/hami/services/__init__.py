"""What is summed up, kept and served for HAMi."""
