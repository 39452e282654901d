"""Tournaments of duel agents: each in a jail of its own, and a referee outside of both."""
