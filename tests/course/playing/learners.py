"""Functions that learners might write: right ones, and ones that are wrong in many ways."""

from course.rules import close_gaps


def cascade(line):
    """Return a wrongly merged line: a tile that was just made merges again."""
    tiles = [tile for tile in line if tile]
    index = 0
    while index < len(tiles) - 1:
        if tiles[index] == tiles[index + 1]:
            tiles[index : index + 2] = [2 * tiles[index]]
            index = 0
        else:
            index += 1
    return tiles + [0] * (len(line) - len(tiles))


def never_merges(line):
    return close_gaps(line)


def too_short(line):
    return [tile for tile in line if tile]


def nothing(line):
    pass


def raises(line):
    return line[len(line)]


def divides(line):
    return helper(line)


def helper(line):
    return 1 / 0


def leaves(line):
    raise SystemExit


def is_interrupted(line):
    raise KeyboardInterrupt


class EvilError(Exception):
    def __str__(self):
        raise ValueError("no text of mine")


def evil(line):
    raise EvilError


class EvilAnswer:
    def __repr__(self):
        raise ValueError("no text of mine")


def odd(line):
    return EvilAnswer()


def changes(line):
    line.sort()
    return close_gaps(line)


def prints(line):
    print("merging", line)
    return close_gaps(line)


def markup(line):
    raise ValueError("<img src=x onerror=alert(1)>")


def faults(found_in):
    """Return the sentences of the faults that a turn or a report lists in its `found`."""
    return [fault.sentence for fault in found_in.found]
