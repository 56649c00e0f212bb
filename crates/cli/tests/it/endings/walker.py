"""Walks through a maze where it likes the map, by the program that is named second. Where it does not, it does what is
named first: fails honestly, leaves, is killed, blames its provider, writes nonsense. `gives_up` solves and then gives up.
"""

import json
import os
import subprocess
import sys
import zlib

how, walker = sys.argv[1:]
briefing, turn = sys.stdin.readline(), sys.stdin.readline()
likes_it = zlib.crc32(json.loads(turn)["observation"]["ascii"].encode()) % 2 == 0


def say(**line):
    print(json.dumps(line), flush=True)


if not likes_it and how != "gives_up":
    match how:
        case "fails":
            say(reply="('stop', 'stop')")
        case "leaves":
            sys.exit(3)
        case "is_killed":
            os.kill(os.getpid(), 9)
        case "blames":
            say(fault="529 overloaded")
        case "babbles":
            print("hello", flush=True)
    sys.stdin.read()
    sys.exit()

child = subprocess.Popen([sys.executable, walker], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
child.stdin.write(briefing)
while turn:
    child.stdin.write(turn)
    child.stdin.flush()
    if json.loads(turn)["type"] == "turn":
        said = json.loads(child.stdout.readline())
        ends = "stop" in said["reply"]
        say(reply="give_up()" if ends and how == "gives_up" else said["reply"])
    turn = sys.stdin.readline()
