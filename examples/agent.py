#!/usr/bin/env python3
"""Plays maze-2d from its map in characters, by breadth-first search. docs/agent-protocol.md explains the lines.

quintain run puzzles/maze-2d --agent "cmd:python3 examples/agent.py" --show ascii,feedback,remaining
"""

import json
import sys
from collections import deque

MOVES = [(1, 0), (0, -1), (-1, 0), (0, 1)]  # right, up, left, down


def way(ascii_map):
    """The moves of a shortest way from A to the goal."""
    cells = {(x, y): c for y, row in enumerate(ascii_map.splitlines()) for x, c in enumerate(row)}
    start = next(cell for cell, c in cells.items() if c in "A*")
    queue, seen = deque([(start, [])]), {start}
    while queue:
        (x, y), moves = queue.popleft()
        if cells[x, y] in "G*":
            return moves
        for move, (dx, dy) in enumerate(MOVES):
            beside = (x + dx, y + dy)
            if cells.get(beside, "#") != "#" and beside not in seen:
                seen.add(beside)
                queue.append((beside, moves + [move]))
    sys.exit("there is no way to the goal")


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "turn":  # the only message that wants an answer
        if "ascii" not in message["observation"]:
            sys.exit("this agent reads the map in characters: show it the part `ascii`")
        moves = way(message["observation"]["ascii"])
        reply = f"('move', {moves[0]})" if moves else "('stop', 'stop')"
        print(json.dumps({"reply": reply, "thought": f"{len(moves)} moves to go"}), flush=True)
