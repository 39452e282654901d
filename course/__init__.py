"""Write the game 2048 yourself."""
