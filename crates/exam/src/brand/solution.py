"""Applies the house style to input/poster.svg. The first argument says how; everything but `right` is wrong."""

import csv
import json
import math
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

how = sys.argv[1]
SVG = "{http://www.w3.org/2000/svg}"
XLINK = "{http://www.w3.org/1999/xlink}"
for prefix, uri in {
    "": "http://www.w3.org/2000/svg",
    "xlink": "http://www.w3.org/1999/xlink",
    "inkscape": "http://www.inkscape.org/namespaces/inkscape",
    "sodipodi": "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd",
}.items():
    ET.register_namespace(prefix, uri)

brand = json.load(open("input/brand.json"))
layout = list(csv.DictReader(open("input/layout.csv", newline="")))
tree = ET.parse("input/poster.svg")
root = tree.getroot()
parents = {child: node for node in root.iter() for child in node}
by_id = {node.get("id"): node for node in root.iter() if node.get("id")}
page, grid = brand["page"], brand["grid"]
margin = page["margins_mm"]
units = float(root.get("viewBox").split()[2]) / page["width_mm"]
if how == "units-as-mm":
    units = 1.0

column_mm = (page["width_mm"] - margin["left"] - margin["right"] - (grid["columns"] - 1) * grid["gutter_mm"]) / grid[
    "columns"
]


def left(column):
    return margin["left"] + (column - 1) * (column_mm + grid["gutter_mm"])


def right(column):
    return left(column) + column_mm


def line(number):
    return margin["top"] + number * grid["line_mm"]


# Transforms as (a, b, c, d, e, f).
def times(m, n):
    a, b, c, d, e, f = m
    g, h, i, j, k, l = n
    return a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f


def inverse(m):
    a, b, c, d, e, f = m
    det = a * d - b * c
    return d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det


def parsed(text):
    result = (1, 0, 0, 1, 0, 0)
    for name, inner in re.findall(r"(\w+)\s*\(([^)]*)\)", text or ""):
        n = [float(word) for word in re.split(r"[\s,]+", inner.strip())]
        if name == "matrix":
            step = tuple(n)
        elif name == "translate":
            step = (1, 0, 0, 1, n[0], n[1] if len(n) > 1 else 0)
        elif name == "scale":
            step = (n[0], 0, 0, n[-1], 0, 0)
        else:
            angle = math.radians(n[0])
            turn = (math.cos(angle), math.sin(angle), -math.sin(angle), math.cos(angle), 0, 0)
            x, y = n[1:] if len(n) > 1 else (0, 0)
            step = times(times((1, 0, 0, 1, x, y), turn), (1, 0, 0, 1, -x, -y))
        result = times(result, step)
    return result


def around(node):
    """The transform from the inside of what holds a node to the page's units."""
    result = (1, 0, 0, 1, 0, 0)
    while how != "transforms-ignored" and node in parents:
        node = parents[node]
        result = times(parsed(node.get("transform")), result)
    return result


def local(node, x_mm, y_mm, size_mm=0.0):
    m = times(inverse(around(node)), (units, 0, 0, units, 0, 0))
    return m[0] * x_mm + m[2] * y_mm + m[4], m[1] * x_mm + m[3] * y_mm + m[5], m[0] * size_mm


def declarations(text):
    pairs = (item.split(":", 1) for item in (text or "").split(";") if ":" in item)
    return {name.strip(): value.strip() for name, value in pairs}


sheet = dict(re.findall(r"\.([\w-]+)\s*\{([^}]*)\}", "".join(node.text or "" for node in root.iter(SVG + "style"))))


def colour_of(node):
    while node is not None:
        told = {"fill": node.get("fill")} if node.get("fill") else {}
        told.update(declarations(sheet.get(node.get("class"), "")))
        told.update(declarations(node.get("style")))
        if told.get("fill", "").startswith("#"):
            return told["fill"]
        if told.get("fill", "").startswith("url"):
            stop = by_id[told["fill"][5:-1]][0]
            return declarations(stop.get("style"))["stop-color"]
        node = parents.get(node)
    return "#000000"


def nearest(colour):
    rgb = lambda text: [int(text[at : at + 2], 16) for at in (1, 3, 5)]
    return min(brand["palette"].values(), key=lambda known: math.dist(rgb(known), rgb(colour)))


LOOKS = (
    "fill",
    "stroke",
    "filter",
    "opacity",
    "fill-opacity",
    "stroke-width",
    "font",
    "line-height",
    "text-anchor",
    "text-align",
)


def cleared(node):
    """Forgets whatever a node and all in it say about their looks."""
    for inner in node.iter():
        inner.attrib.pop("class", None)
        for name in list(inner.attrib):
            if name.startswith(LOOKS):
                del inner.attrib[name]
        kept = {k: v for k, v in declarations(inner.get("style")).items() if not k.startswith(LOOKS)}
        inner.attrib.pop("style", None)
        if kept:
            inner.set("style", ";".join(f"{k}:{v}" for k, v in kept.items()))
        target = inner.get(XLINK + "href", "")[1:]
        if inner.tag == SVG + "use" and target in by_id:
            cleared(by_id[target])


def look(node, role, size=None, leading=None):
    told = brand["roles"][role]
    first = next((part for part in node.iter() if part.tag == SVG + "use"), None)
    painted = (
        by_id[first.get(XLINK + "href")[1:]]
        if first is not None
        else next((p for p in node.iter() if p.get("class")), node)
    )
    colour = nearest(colour_of(painted)) if how == "nearest-colour" else brand["palette"][told["fill"]]
    style = {"fill": colour, "stroke": "none"}
    if "font_family" in told:
        style |= {
            "font-family": f"'{told['font_family']}'",
            "font-weight": told["font_weight"],
            "font-size": f"{size:.6f}px",
            "line-height": f"{leading / size:.6f}",
            "text-anchor": "start",
        }
    if how == "attributes-only":
        for name, value in style.items():
            node.set(name, value)
        return
    cleared(node)
    node.set("style", ";".join(f"{name}:{value}" for name, value in style.items()))


def set_text(node, role, x_mm, y_mm):
    told = brand["roles"][role]
    size_mm, leading_mm = told["font_size_pt"] * 25.4 / 72, told["leading_lines"] * grid["line_mm"]
    x, y, size = local(node, x_mm, y_mm, size_mm)
    leading = local(node, 0, 0, leading_mm)[2]
    look(node, role, size, leading)
    for place in [node, *[part for part in node if part.get("x")]]:
        place.set("x", f"{x:.6f}")
    node.set("y", f"{y:.6f}")
    for at, part in enumerate(part for part in node if part.get("y")):
        part.set("y", f"{y + at * leading:.6f}")


def set_rect(node, x0, y0, x1, y1):
    x, y, width = local(node, x0, y0, x1 - x0)
    height = local(node, 0, 0, y1 - y0)[2]
    for name, value in (("x", x), ("y", y), ("width", width), ("height", height)):
        node.set(name, f"{value:.6f}")


def boxes(path):
    told = subprocess.run(["inkscape", "--query-all", path], capture_output=True, text=True, check=True).stdout
    found = {}
    for row in told.splitlines():
        name, *numbers = row.rsplit(",", 4)
        x, y, width, height = (float(number) * 25.4 / 96 for number in numbers)
        found[name] = (x, y, x + width, y + height)
    return found


def fit(node, box, x_mm, y_mm, width_mm):
    """Scales and moves a group so that its box lies there, so wide."""
    scale = width_mm / (box[2] - box[0])
    move = (scale, 0, 0, scale, units * (x_mm - scale * box[0]), units * (y_mm - scale * box[1]))
    outer = around(node)
    matrix = times(times(inverse(outer), times(move, outer)), parsed(node.get("transform")))
    node.set("transform", "matrix(" + ",".join(f"{value:.8f}" for value in matrix) + ")")


old = boxes("input/poster.svg")
free = None
for row in layout:
    node, role = by_id[row["id"]], row["role"]
    first, last, top, bottom = (
        int(row[key]) if row[key] else None for key in ("first_column", "last_column", "line", "last_line")
    )
    if node.tag == SVG + "text":
        if first is None:
            free, first = (row["id"], role, top, bottom), 1
        set_text(node, role, left(first), line(top))
        continue
    if role == "logo":
        width = brand["logo"]["width_mm"]
        x0, y0, x1, y1 = old["logo"]
        height = width * (y1 - y0) / (x1 - x0)
        fit(
            node,
            old["logo"],
            page["width_mm"] - margin["right"] - width,
            page["height_mm"] - margin["bottom"] - height,
            width,
        )
        continue
    look(node, role)
    if role == "panel":
        set_rect(node, left(first), line(top), right(last), line(bottom))
    elif role == "rule":
        set_rect(node, left(first), line(top), right(last), line(top) + brand["roles"]["rule"]["height_mm"])
    elif role == "ornament":
        fit(node, old["ornament"], left(first), line(top), right(last) - left(first))

os.makedirs("output", exist_ok=True)
tree.write("output/poster.svg", encoding="utf-8", xml_declaration=True)

# The free text goes to the lowest place that is free.
name, role, highest, lowest = free
now = boxes("output/poster.svg")
own = [now[name][at] - (left(1), line(highest))[at % 2] for at in range(4)]
logo = now["logo"]
clear = brand["logo"]["clear_space_in_logo_heights"] * (logo[3] - logo[1])
others = [now[row["id"]] for row in layout if row["role"] not in ("ground", "panel") and row["id"] != name]
others.append((logo[0] - clear, logo[1] - clear, logo[2] + clear, logo[3] + clear))


def is_free(box):
    inside = (
        margin["left"] - 0.2 <= box[0]
        and box[2] <= page["width_mm"] - margin["right"]
        and box[3] <= page["height_mm"] - margin["bottom"]
    )
    return inside and all(
        max(other[0] - box[2], box[0] - other[2], other[1] - box[3], box[1] - other[3]) >= 1.0 for other in others
    )


places = [(column, at) for at in range(lowest, highest - 1, -1) for column in range(1, grid["columns"] + 1)]
boxed = lambda place: [own[at] + (left(place[0]), line(place[1]))[at % 2] for at in range(4)]
column, at = next((place for place in places if is_free(boxed(place))), (1, highest))
set_text(by_id[name], role, left(column), line(at))
tree.write("output/poster.svg", encoding="utf-8", xml_declaration=True)
if how == "outlined":
    command = [
        "inkscape",
        "--export-text-to-path",
        "--export-plain-svg",
        "--export-filename=output/outlined.svg",
        "output/poster.svg",
    ]
    subprocess.run(command, check=True, capture_output=True)
    os.replace("output/outlined.svg", "output/poster.svg")
subprocess.run(
    ["inkscape", "--export-filename=output/poster.pdf", "output/poster.svg"], check=True, capture_output=True
)
