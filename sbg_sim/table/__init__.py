"""The table: board, terrain, models, questions and rulings, as frozen values."""
