"""What the product says of HAMi."""
