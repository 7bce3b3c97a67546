"""What an import says of cards: faults, cards that nodes register, and switches of the settings."""
