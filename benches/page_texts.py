"""How varied the pages of a made web read: `quintain web --seed 1 --port 8931`, then `python3 benches/page_texts.py 8931`.

A thousand pages of each site are gone to by links at random. Told are the sentences on them, how many differ, and which
share of a page's six-word runs also stands on more than one page in twenty: what a reader meets again and again.
"""

from __future__ import annotations

import html
import http.client
import random
import re
import sys
from collections import Counter

SITES = ["pedia", "registry", "numbers", "gazette", "herald", "scholar"]
N_PAGES = 1000
LEFT_OUT = re.compile(r"<(style|svg|title|select|header|footer|nav|form|table)\b.*?</\1>", re.DOTALL)


def fetch(port: int, site: str, path: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path, headers={"Host": f"{site}.web.localhost:{port}"})
    answer = connection.getresponse()
    page = answer.read().decode()
    connection.close()
    return answer.status, page


def sentences(page: str) -> set[str]:
    lines = re.sub(r"</(p|h1|h2|h3|li|div|td|tr)>", "\n", LEFT_OUT.sub(" ", page))
    text = html.unescape(re.sub(r"<[^>]+>", "", lines))
    found = (" ".join(piece.split()) for line in text.split("\n") for piece in re.split(r"(?<=[.!?])\s+", line.strip()))
    return {sentence for sentence in found if sentence.endswith((".", "!", "?")) and sentence.count(" ") >= 4}


def runs(said: set[str]) -> set[tuple[str, ...]]:
    words = [sentence.split() for sentence in said]
    return {tuple(word[at : at + 6]) for word in words for at in range(len(word) - 5)}


def walk(port: int, site: str, rng: random.Random) -> list[set[str]]:
    seen: set[str] = set()
    ahead, pages = ["/"], []
    while ahead and len(pages) < N_PAGES:
        path = ahead.pop(rng.randrange(len(ahead)))
        if path in seen:
            continue
        seen.add(path)
        status, page = fetch(port, site, path)
        if status != 200:
            continue
        pages.append(sentences(page))
        if len(ahead) < 20_000:
            ahead += [html.unescape(link) for link in re.findall(r'href="(/[^"#]*)"', page)]
    return pages


def main() -> None:
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 8931
    rng = random.Random(7)
    print("site      pages  sentences  distinct  shared six-word runs")
    for site in SITES:
        pages = walk(port, site, rng)
        said = Counter(sentence for page in pages for sentence in page)
        runs_of = [runs(page) for page in pages]
        n_with = Counter(run for page in runs_of for run in page)
        common = {run for run, n in n_with.items() if n > len(pages) / 20}
        shares = [len(page & common) / len(page) for page in runs_of if page]
        share = 100 * sum(shares) / max(1, len(shares))
        print(f"{site:<9} {len(pages):>5}  {sum(map(len, pages)):>9}  {len(said):>8}  {share:>18.0f} %")


if __name__ == "__main__":
    main()
