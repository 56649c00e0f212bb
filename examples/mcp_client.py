"""An agent over MCP, with the official Python SDK (`pip install mcp`, 1.24 or newer).

It plays a maze that it is shown as characters: breadth-first search over what it sees, one tool call a move.

    python3 examples/mcp_client.py                              # starts `quintain bridge mcp` itself
    quintain bridge serve puzzles/maze-2d --show ascii,feedback,remaining
    python3 examples/mcp_client.py http://127.0.0.1:PORT/mcp/TOKEN   # one of the addresses that this prints
"""

import asyncio
import os
import sys
from collections import deque

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

QUINTAIN = os.environ.get("QUINTAIN", "quintain")
TASK = os.environ.get("TASK", "puzzles/maze-2d@easy#3")
MOVES = [(1, 0), (0, -1), (-1, 0), (0, 1)]  # right, up, left, down: the directions 0 to 3


def maze(turn: str) -> list[str]:
    """The drawing in a turn: the lines after `ascii:` that are made of its characters."""
    lines = turn.split("ascii:\n", 1)[1].splitlines()
    return [line for line in lines if set(line) <= set("#.AG*")]


def way(rows: list[str]) -> list[int]:
    """The directions of a shortest way from `A` to `G`."""
    find = lambda mark: next((x, y) for y, row in enumerate(rows) for x, c in enumerate(row) if c == mark)
    start, goal = find("A"), find("G")
    ways, waiting = {start: []}, deque([start])
    while waiting:
        x, y = waiting.popleft()
        for direction, (dx, dy) in enumerate(MOVES):
            cell = (x + dx, y + dy)
            if cell not in ways and rows[cell[1]][cell[0]] != "#":
                ways[cell] = ways[x, y] + [direction]
                waiting.append(cell)
    return ways[goal]


async def play(session: ClientSession) -> None:
    hello = await session.initialize()
    print(hello.instructions)
    print("tools:", ", ".join(tool.name for tool in (await session.list_tools()).tools))
    seen = (await session.call_tool("look", {})).content[0].text
    if "ascii:\n" not in seen:
        print("the maze is not shown as characters: start the bridge with --show ascii,feedback,remaining")
        return
    for direction in way(maze(seen)):
        seen = (await session.call_tool("move", {"direction": direction})).content[0].text
        print(seen.splitlines()[0], seen.splitlines()[1])
    print((await session.call_tool("done", {})).content[0].text)


async def main() -> None:
    if len(sys.argv) > 1:
        async with streamable_http_client(sys.argv[1]) as streams, ClientSession(*streams[:2]) as session:
            return await play(session)
    server = StdioServerParameters(
        command=QUINTAIN,
        args=["bridge", "mcp", TASK, "--show", "ascii,feedback,remaining"],
        env=dict(os.environ),
    )
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        await play(session)


asyncio.run(main())
