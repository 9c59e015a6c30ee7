"""Contested answers: the shifts that flip an answer, how sure it is, and the rulings that decide it."""
