"""Tournaments of agents, which are programs that play the 2048 duel for their authors."""
