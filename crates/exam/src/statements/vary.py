"""vary.py WORKBOOK CASES: copies of a workbook without its cached values, one as it is and one for each case of changed inputs.

CASES is a JSON file: case -> list of [sheet, key in column A, name in row 1, value]. The sheets of inputs have to hold what
given/SHEET.csv says. Says on standard error what is wrong.
"""

import csv
import json
import math
import re
import sys
import zipfile
from xml.etree import ElementTree

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
IGNORABLE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Ignorable"
MOST_PARTS, MOST_BYTES = 500, 48 << 20
INPUTS = ["TrialBalance", "Assumptions", "Constants"]
MACROS = re.compile(rb"macroEnabled|vbaProject|macrosheet", re.IGNORECASE)
# The Strict form of Office Open XML has other names for the same things.
STRICT = {
    b"http://purl.oclc.org/ooxml/spreadsheetml/main": b"http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    b"http://purl.oclc.org/ooxml/officeDocument/": b"http://schemas.openxmlformats.org/officeDocument/2006/",
    b"http://purl.oclc.org/ooxml/drawingml/": b"http://schemas.openxmlformats.org/drawingml/2006/",
}


def refuse(why):
    sys.exit(why)


def parts_of(path):
    with zipfile.ZipFile(path) as archive:
        infos = [info for info in archive.infolist() if not info.is_dir()]
        if len(infos) > MOST_PARTS or sum(info.file_size for info in infos) > MOST_BYTES:
            refuse("it is too large for a workbook")
        parts = {info.filename: archive.read(info) for info in infos}
    if MACROS.search("\n".join(parts).encode() + parts.get("[Content_Types].xml", b"")):
        refuse("it holds macros or is of the kind that may")
    return {name: transitional(name, content) for name, content in parts.items()}


def transitional(name, content):
    for strict, usual in STRICT.items() if name.endswith((".xml", ".rels")) else ():
        content = content.replace(strict, usual)
    return content


def position(reference):
    letters, row = re.fullmatch(r"([A-Z]{1,3})([0-9]{1,7})", reference).groups()
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - 64
    return int(row), column


def letters_of(column):
    text = ""
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text


def plain(text):
    """Texts are compared without white space at their ends, and 2025.0 is 2025."""
    text = text.strip()
    return text[:-2] if re.fullmatch(r"[0-9]+\.0", text) else text


def holds(row, given, is_head):
    """Whether a row has the fields of one that was given, and nothing behind them."""
    fields = list(given) + [""] * (len(row) - len(given))
    cells = row + [None] * (len(fields) - len(row))
    pairs = enumerate(zip(cells, fields))
    return all(is_field(cell, field, at >= len(given), is_head or at == 0) for at, (cell, field) in pairs)


def is_field(cell, field, is_beyond, may_be_text):
    """Years and numbers of accounts may be text; an empty field may be 0."""
    number = number_of(field)
    if field == "":
        return cell is None or (cell == 0 and not is_beyond)
    if number is None:
        return isinstance(cell, str) and cell == field.strip()
    if may_be_text and isinstance(cell, str):
        cell = number_of(cell)
    return isinstance(cell, float) and math.isclose(cell, number, rel_tol=1e-9, abs_tol=1e-12)


def number_of(text):
    try:
        return float(text)
    except ValueError:
        return None


class Sheet:
    def __init__(self, part, tree, shared):
        self.part, self.tree, self.shared = part, tree, shared
        self.cells, self.rows = {}, {}
        row_number = 0
        for row in tree.iter(MAIN + "row"):
            row_number = int(row.get("r", row_number + 1))
            self.rows[row_number] = row
            column = 0
            for cell in row.findall(MAIN + "c"):
                column = position(cell.get("r"))[1] if cell.get("r") else column + 1
                self.cells[row_number, column] = cell

    def text(self, cell):
        if cell.get("t") == "inlineStr":
            return "".join(piece.text or "" for piece in cell.iter(MAIN + "t"))
        value = cell.findtext(MAIN + "v") or ""
        return self.shared[int(value)] if cell.get("t") == "s" else value

    def kept(self, row, column):
        """What an input cell holds: a number, a text, or nothing."""
        cell = self.cells.get((row, column))
        if cell is None:
            return None
        if cell.find(MAIN + "f") is not None:
            refuse("a formula stands in a sheet of inputs")
        text = self.text(cell).strip()
        return float(text) if text and cell.get("t", "n") == "n" else text or None

    def check(self, given):
        """Rows below the first may stand in any order."""
        width = max(column for _, column in self.cells)
        rows = sorted({row for row, _ in self.cells})
        found = [[self.kept(row, column) for column in range(1, width + 1)] for row in rows]
        found = [row for row in found if any(cell is not None for cell in row)]
        wanted = list(given)
        if rows[0] != 1 or not found or not holds(found[0], wanted.pop(0), True):
            return False
        for row in found[1:]:
            same = [at for at, other in enumerate(wanted) if holds(row, other, False)]
            if not same:
                return False
            del wanted[same[0]]
        return not wanted

    def find(self, key, name):
        rows = [row for (row, column), cell in self.cells.items() if column == 1 and plain(self.text(cell)) == key]
        columns = [column for (row, column), cell in self.cells.items() if row == 1 and plain(self.text(cell)) == name]
        if len(rows) != 1 or len(columns) != 1:
            refuse(f"there are {len(rows)} rows {key} and {len(columns)} columns {name}, not one of each")
        return rows[0], columns[0]

    def change(self, key, name, value):
        row, column = self.find(key, name)
        cell = self.cells.get((row, column))
        if cell is None:
            cell = self.cells[row, column] = ElementTree.Element(MAIN + "c", {"r": f"{letters_of(column)}{row}"})
            before = sum(1 for other in self.cells if other[0] == row and other[1] < column)
            self.rows[row].insert(before, cell)
        for child in list(cell):
            cell.remove(child)
        cell.attrib.pop("t", None)
        ElementTree.SubElement(cell, MAIN + "v").text = repr(value)

    def forget(self):
        """What formulas came to elsewhere does not count."""
        for cell in self.cells.values():
            if cell.find(MAIN + "f") is not None:
                cell.attrib.pop("t", None)
                for value in cell.findall(MAIN + "v"):
                    cell.remove(value)

    def written(self):
        self.tree.attrib.pop(IGNORABLE, None)
        return ElementTree.tostring(self.tree, encoding="UTF-8", xml_declaration=True)


def sheets_of(parts):
    shared = []
    if "xl/sharedStrings.xml" in parts:
        items = ElementTree.fromstring(parts["xl/sharedStrings.xml"]).findall(MAIN + "si")
        shared = ["".join(piece.text or "" for piece in item.iter(MAIN + "t")) for item in items]
    relations = ElementTree.fromstring(parts["xl/_rels/workbook.xml.rels"])
    targets = {relation.get("Id"): relation.get("Target") for relation in relations}
    sheets = {}
    for sheet in ElementTree.fromstring(parts["xl/workbook.xml"]).iter(MAIN + "sheet"):
        target = targets[sheet.get(RELATION)]
        part = target[1:] if target.startswith("/") else "xl/" + target
        sheets[sheet.get("name")] = Sheet(part, ElementTree.fromstring(parts[part]), shared)
    return sheets


def check_inputs(sheets):
    for name in INPUTS:
        with open(f"given/{name}.csv", newline="", encoding="utf-8") as file:
            given = list(csv.reader(file))
        if name not in sheets:
            refuse(f"there is no sheet {name}")
        if not sheets[name].cells or not sheets[name].check(given):
            refuse(f"the sheet {name} does not hold what was given")


def write(path, parts, sheets):
    parts = parts | {sheet.part: sheet.written() for sheet in sheets.values()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def main(workbook, cases):
    with open(cases, encoding="utf-8") as file:
        cases = json.load(file)
    parts = parts_of(workbook)
    check_inputs(sheets_of(parts))
    for case, changes in cases.items():
        sheets = sheets_of(parts)
        for name, key, column, value in changes:
            if name not in sheets:
                refuse(f"there is no sheet {name}")
            sheets[name].change(key, column, value)
        for sheet in sheets.values():
            sheet.forget()
        write(f"cases/{case}.xlsx", parts, sheets)


try:
    main(*sys.argv[1:])
except (
    zipfile.BadZipFile,
    ElementTree.ParseError,
    KeyError,
    ValueError,
    AttributeError,
    IndexError,
    OSError,
    RuntimeError,
    NotImplementedError,
    RecursionError,
    MemoryError,
    EOFError,
    zipfile.zlib.error,
) as error:
    refuse(f"it is no workbook that can be read: {type(error).__name__}")
