"""Tournaments of agents, which are programs that play the 2048 duel for their authors.

In a game, each of the two agents runs in a jail of its own, and the referee runs outside of both.
"""
