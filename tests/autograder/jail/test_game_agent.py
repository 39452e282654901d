"""The cells of a notebook that are run for an agent: those that define it, and all it needs."""

from autograder.jail.inside.game_agent import needed_cells

AGENT = "class Agent:\n    pass\n"


def needed(*cells: str) -> list[str]:
    return [text for _, text in needed_cells(list(cells))]


def test_of_a_notebook_the_cell_of_the_agent_is_run_with_what_it_needs() -> None:
    cells = [
        "import math\nprint('a cell to try it')",
        "WEIGHT = 2",
        "def best(board):\n    return worth(board)",
        "def worth(board):\n    return WEIGHT * math.pi",
        "raise ValueError('no agent needs this')",
        "%matplotlib inline",
        "class Agent:\n    def place(self, view):\n        return best(view)",
        "class Agent(Agent):\n    def push(self, view):\n        return best(view)",
        "play(Agent())",
    ]
    assert needed(*cells) == ["import math", cells[1], cells[2], cells[3], cells[6], cells[7]]


def test_a_cell_is_not_needed_for_what_only_a_method_calls_the_same() -> None:
    cells = [
        "view = {}\nboard = [[0]]\nfor square in range(3):\n    print(square)",
        "SIDES = ('left', 'right')",
        "class Agent:\n    def push(self, view):\n        board = view['board']\n"
        "        return [square for square in SIDES if board][0]",
    ]
    assert needed(*cells) == cells[1:]


def test_a_class_that_grows_cell_by_cell_is_whole() -> None:
    cells = [
        "from course import add_to",
        "class Agent:\n    def place(self, view):\n        return view['legal'][0]",
        "try_it = 1",
        "LAST = -1",
        "def push(board, player, direction):\n    return board",
        "@add_to(Agent)\ndef push(self, view):\n    return push and view['legal'][LAST]",
        "def place(self, view):\n    return view['legal'][1]",
        "Agent.place = place",
    ]
    assert needed(*cells) == [cell for cell in cells if cell != "try_it = 1"]


def test_what_cells_change_of_a_name_is_changed() -> None:
    cells = [
        "weights = [1]",
        "weights.append(2)",
        "for row in range(4):\n    weights[0] = row",
        "weights = weights + [3]",
        "weights += [4]",
        "total = 0\ntotal += 1",
        "print(weights)\nprint(weights.copy())",
        "class Agent:\n    def place(self, view):\n        return weights, total",
        "view = {}\nAgent().place(view)\nAgent.place",
    ]
    assert needed(*cells) == cells[:6] + cells[7:8]


def test_of_cells_that_define_a_name_again_the_last_one_counts() -> None:
    cells = ["def f():\n    return 1", "def f():\n    return 2", AGENT + "    f = f()"]
    assert needed(*cells) == cells[1:]


def test_a_cell_of_an_agent_that_does_not_parse_is_run_all_the_same() -> None:
    broken = "class Agent:\n    def place(self, view:"
    assert needed("x = 1", broken) == [broken]
