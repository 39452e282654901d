"""Functions that learners might write, for `watch`: right ones, odd ones, and endless ones."""

from course.rules import merge as merge_of_the_course
from course.rules import rotate as rotate_of_the_course
from course.rules import slide

ZERO = 0


def close_gaps(line):
    """Return the line with all tiles moved to the front."""
    tiles = [tile for tile in line if tile != ZERO]
    return tiles + [0] * (len(line) - len(tiles))


def merge(line):
    """Return the line after its tiles have slid to the front and merged."""
    squares = close_gaps(line)
    for index in range(len(squares) - 1):
        if squares[index] == squares[index + 1]:
            squares[index] = 2 * squares[index]
            squares[index + 1] = 0
    return close_gaps(squares)


def rotate(board):
    """Return the board after a quarter turn clockwise."""
    turned = []
    for column in range(len(board[0])):
        turned.append([row[column] for row in reversed(board)])
    return turned


def slide_by_turning(board, direction):
    turns = {
        "left": 0,
        "down": 1,
        "right": 2,
        "up": 3,
    }
    if direction not in turns:
        raise ValueError("use 'left', 'right', 'up' or 'down'")
    for _ in range(turns[direction]):
        board = rotate(board)
    board = [merge(row) for row in board]
    for _ in range(4 - turns[direction]):
        board = rotate(board)
    return board


def empty_cells(board):
    return [
        (row, column)
        for row, squares in enumerate(board)
        for column, tile in enumerate(squares)
        if not tile
    ]


def spawn(board, rng, p_four=0.1):
    """Return a new board with one more tile on a random empty square."""
    cells = empty_cells(board)
    if not cells:
        raise ValueError("the board is full")
    row, column = rng.choice(cells)
    spawned = [squares[:] for squares in board]
    spawned[row][column] = 4 if rng.random() < p_four else 2
    return spawned


def take_turn(board, direction, rng, p_four=0.1):
    slid = slide(board, direction)
    if slid == board:
        return slid
    return spawn(slid, rng, p_four)


def has_pair(line):
    for index in range(len(line) - 1):
        if line[index] == line[index + 1] and line[index] != 0:
            return True
    return False


def is_over(board):
    if any(0 in row for row in board):
        return False
    return not any(has_pair(line) for line in board + rotate_of_the_course(board))


def points(line):
    tiles = close_gaps(line)
    gained = 0
    index = 0
    while index < len(tiles) - 1:
        if tiles[index] == tiles[index + 1] != 0:
            gained += 2 * tiles[index]
            index += 2
        else:
            index += 1
    return gained


class Game:
    """A whole game of 2048."""

    def __init__(self, board, rng):
        self.board = board
        self.rng = rng
        self.score = 0
        self.moves = 0

    def move(self, direction):
        """Play one turn; return false if the direction is not legal or the turn ends the game."""
        if slide(self.board, direction) == self.board:
            return False
        self.score += sum(points(row) for row in self.board)
        self.board = take_turn(self.board, direction, self.rng)
        self.moves += 1
        return not self.is_over

    @property
    def is_over(self):
        return is_over(self.board)

    @classmethod
    def empty(cls, size):
        return cls([[0] * size for _ in range(size)], None)


def merge_by_itself(line):
    """Return the merged line; the function calls itself for the rest of the line."""
    if len(line) < 2:
        return line
    first, second, *rest = line
    if first == second:
        return [2 * first, *merge_by_itself(rest), 0]
    return [first, *merge_by_itself([second, *rest])]


def runs_off_the_end(line):
    print("merging", line)
    for index in range(len(line)):
        if line[index] == line[index + 1]:
            line[index] = 2 * line[index]
    return line


def stub(line):
    raise NotImplementedError


def calls_the_course(line):
    squares = merge_of_the_course(line)
    return merge(squares)


def never_ends(line):
    index = 0
    while index < len(line):
        if line[index] == 0:
            index += 1
    return line


def catches_everything_and_never_ends(line):
    while True:
        try:
            while True:
                line = line[:]
        except:  # noqa: E722
            pass


def ends_late(number):
    while number:
        number -= 1
    return "done"


def never_stops_calling_itself(number):
    return never_stops_calling_itself(number + 1)


def hands_out(number):
    while number:
        number -= 1
        yield number


def asks_for_more(number):
    total = 0
    for each in hands_out(number):
        total += each
    return total


def counts():
    total = 0

    def add(number):
        nonlocal total
        total += number
        return total

    add(2)
    return add(4)


def catches(line):
    try:
        return line[len(line)]
    except IndexError as error:
        print("caught", error)
    finally:
        line = []
    return line


def changes_its_argument(line):
    same_line = line
    same_line[0] = 8
    return line


def sorts(line):
    return sorted(line, key=lambda tile: -tile)


def prints(line):
    print("The line is", line)
    print("It has", len(line), "squares")


def remembers(number, known={0: 0, 1: 1}):  # noqa: B006
    if number not in known:
        known[number] = remembers(number - 1) + remembers(number - 2)
    return known[number]


def words_of(recording) -> list[str]:
    """Return the sentence of each recorded step; if the step has a line, its number comes first."""
    numbered = [(f"Line {step['line']}: ", step) for step in recording.steps]
    return [(start if step["line"] else "") + step["words"] for start, step in numbered]
