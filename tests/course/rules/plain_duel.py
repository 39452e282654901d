"""A second, simpler version of the rules of a duel, to compare with `course.rules`."""

from dataclasses import dataclass

WAYS = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}


@dataclass
class Tile:
    """A tile: its owner, its value, and true if it has merged with another one in this push."""

    owner: str
    value: int
    has_eaten: bool = False


class PlainDuel:
    """A board of a duel as a dictionary of tiles; the players are called "first" and "second"."""

    def __init__(self, board):
        self.squares = {(row, at): n for row, line in enumerate(board) for at, n in enumerate(line)}
        self.width = len(board[0])
        self.tiles = {}
        for square, number in self.squares.items():
            if number:
                self.tiles[square] = Tile("first" if number > 0 else "second", abs(number))

    def as_board(self):
        numbers = dict.fromkeys(self.squares, 0)
        for square, tile in self.tiles.items():
            numbers[square] = tile.value if tile.owner == "first" else -tile.value
        found = list(numbers.values())
        return [found[start : start + self.width] for start in range(0, len(found), self.width)]

    def owner_of_ground(self, square):
        return "first" if square[1] in range(self.width // 2) else "second"

    def free_ground(self, owner):
        mine = [square for square in self.squares if self.owner_of_ground(square) == owner]
        return [square for square in mine if square not in self.tiles]

    def own_square(self, owner, number):
        free = self.free_ground(owner)
        if owner == "second":
            free = list(reversed(free))
        while number >= len(free) > 0:
            number -= len(free)
        return free[number] if free else None

    def legal_squares(self, owner, number):
        own = self.own_square(owner, number)
        other = "second" if owner == "first" else "first"
        return {*self.free_ground(other), own} - {None}

    def place(self, square):
        self.tiles[square] = Tile(self.owner_of_ground(square), 2)

    def push(self, owner, direction):
        down, along = WAYS[direction]
        mine = [square for square, tile in self.tiles.items() if tile.owner == owner]
        mine.sort(key=lambda square: square[0] * down + square[1] * along, reverse=True)
        changes = 0
        for square in mine:
            while (after := self.step(square, down, along)) is not None:
                changes += 1
                square = after
                if self.tiles[square].has_eaten:
                    break
        for tile in self.tiles.values():
            tile.has_eaten = False
        return changes > 0

    def step(self, square, down, along):
        """Move a tile by one step; return its new square, or `None` if it must stop."""
        ahead = square[0] + down, square[1] + along
        tile = self.tiles[square]
        if ahead not in self.squares:
            return None
        if ahead not in self.tiles:
            if self.owner_of_ground(ahead) != tile.owner:
                return None
        elif self.tiles[ahead].value != tile.value or self.tiles[ahead].has_eaten:
            return None
        else:
            tile.value += self.tiles[ahead].value
            tile.has_eaten = True
        self.tiles[ahead] = self.tiles.pop(square)
        return ahead

    def leader(self):
        for value in sorted({tile.value for tile in self.tiles.values()}, reverse=True):
            owners = [tile.owner for tile in self.tiles.values() if tile.value == value]
            if owners.count("first") != owners.count("second"):
                return 1 if owners.count("first") > owners.count("second") else -1
        return 0
