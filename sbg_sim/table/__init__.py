"""What stands on the table: board, terrain, models, questions and rulings, as frozen values."""
