"""Draws all puzzles on one sheet: easy, hard, and the goal of the easy one.

    QUINTAIN=target/release/quintain python3 examples/contact_sheet.py docs/images/puzzles.png [SEED]

Needs Pillow.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

QUINTAIN = os.environ.get("QUINTAIN", "quintain")
CELL = (232, 168)
GAP = 10
TITLE = 26
COLUMNS = 2
PAPER, INK, SHADE = (250, 250, 247), (40, 40, 46), (120, 120, 130)


def quintain(*words):
    done = subprocess.run([QUINTAIN, "--quiet", *words], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return done.stdout


def pictures(task, seed, folder):
    """The three pictures of a task, with what each is."""
    easy, hard, goal = (folder / f"{name}.png" for name in ("easy", "hard", "goal"))
    quintain("show", f"{task}@easy#{seed}", "--screen", str(easy), "--goal", str(goal))
    quintain("show", f"{task}@hard#{seed}", "--screen", str(hard))
    named = [("easy", easy), ("hard", hard), ("solved", goal)]
    return [(name, Image.open(path).convert("RGB")) for name, path in named]


def fitted(picture):
    """A picture as large as its cell allows."""
    picture.thumbnail(CELL, Image.LANCZOS)
    return picture


def draw(sheet, place, task, shown, font):
    block = (len(shown) * (CELL[0] + GAP) + 2 * GAP, CELL[1] + TITLE + 2 * GAP)
    left, top = GAP + place % COLUMNS * block[0], GAP + place // COLUMNS * block[1]
    pen = ImageDraw.Draw(sheet)
    pen.text((left, top), task.split("/")[1], INK, font)
    for n, (name, picture) in enumerate(shown):
        x, y = left + n * (CELL[0] + GAP), top + TITLE
        if n > 0:
            pen.text((x, top), name, SHADE, font)
        picture = fitted(picture)
        sheet.paste(picture, (x + (CELL[0] - picture.width) // 2, y + (CELL[1] - picture.height) // 2))


def main():
    out, seed = sys.argv[1], (sys.argv[2:] or ["7"])[0]
    tasks = [row["task"] for row in json.loads(quintain("--json", "list", "tasks"))]
    tasks = [task for task in tasks if task.startswith("puzzles/")]
    rows = -(-len(tasks) // COLUMNS)
    width = COLUMNS * (3 * (CELL[0] + GAP) + 2 * GAP) + GAP
    sheet = Image.new("RGB", (width, rows * (CELL[1] + TITLE + 2 * GAP) + GAP), PAPER)
    font = ImageFont.load_default(15)
    for place, task in enumerate(tasks):
        with tempfile.TemporaryDirectory() as folder:
            draw(sheet, place, task, pictures(task, seed, Path(folder)), font)
    sheet.save(out, optimize=True)
    print(f"{len(tasks)} puzzles: {out}")


if __name__ == "__main__":
    main()
