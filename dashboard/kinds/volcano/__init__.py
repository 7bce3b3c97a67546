"""What the product says of Volcano."""
