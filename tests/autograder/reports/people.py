"""Names and programs of the students in the small class whose pages are tested."""

ABSENT = "absent_without_a_word_for_the_whole_semester@students.example"  # wider than a telephone
MARKUP = "<img src=x onerror=alert(1)>"
SCRIPT = "<script>alert(1)</script>"

CASCADE = """
def merge(line):
    tiles = []
    for tile in close_gaps(line):
        tiles.append(tile)
        while len(tiles) > 1 and tiles[-1] and tiles[-1] == tiles[-2]:
            tiles.pop()
            tiles[-1] *= 2
    return tiles + [0] * (len(line) - len(tiles))
"""
HOSTILE = f"""
def merge(line):
    raise ValueError("{SCRIPT}")
"""
# `NEARLY` makes `merge` wrong for one line, which only a hidden test tries.
HIDDEN = "[8, 16, 16, 8]"
START = "def merge(line):\n"
NEARLY = f"    if line == {HIDDEN}:\n        return line\n"
