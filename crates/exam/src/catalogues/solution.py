"""Repairs the catalogues of input/po. The first argument says how; everything but `right` is wrong."""

import csv
import os
import re
import sys

how = sys.argv[1]
plural_forms = {
    row["language"]: row["plural_forms"] for row in csv.DictReader(open("input/languages.csv", encoding="utf-8"))
}
glossary = list(csv.DictReader(open("input/glossary.csv", encoding="utf-8")))
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


def unquote(text):
    return re.sub(r"\\(.)", lambda found: ESCAPES[found[1]], text.strip()[1:-1])


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t") + '"'


def read(path):
    entries = []
    for block in open(path, encoding="utf-8").read().split("\n\n"):
        entry = {"comments": [], "flags": [], "previous": [], "texts": {}}
        last = None
        for line in block.splitlines():
            if line.startswith("#~"):
                entry.setdefault("obsolete", []).append(line)
            elif line.startswith("#,"):
                entry["flags"] += [flag.strip() for flag in line[2:].split(",")]
            elif line.startswith("#|"):
                entry["previous"].append(line)
            elif line.startswith("#"):
                entry["comments"].append(line)
            elif line.startswith('"'):
                entry["texts"][last] += unquote(line)
            elif line:
                last, text = line.split(" ", 1)
                entry["texts"][last] = unquote(text)
        if entry["texts"] or "obsolete" in entry:
            entries.append(entry)
    return entries


def write(path, entries):
    blocks = []
    for entry in entries:
        lines = entry["comments"] + ([f"#, {', '.join(entry['flags'])}"] if entry["flags"] else []) + entry["previous"]
        lines += [f"{word} {quote(text)}" for word, text in entry["texts"].items()]
        blocks.append("\n".join(lines + entry.get("obsolete", [])) + "\n")
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(blocks))


def placeholders_repaired(source, text, flags):
    if "python-brace-format" in flags:
        wanted, given = r"\{\w+\}", r"\{[^}]*\}"
    elif "c-format" in flags:
        wanted, given = r"%%|%[sd]", r"%%|% ?[sd]|%"
    else:
        return text
    right = iter(re.findall(wanted, source))
    return re.sub(given, lambda found: next(right), text)


def repair(language, entry):
    texts = entry["texts"]
    source = texts["msgid"]
    forms = [word for word in texts if word.startswith("msgstr")]
    before = {word: texts[word] for word in forms}
    n_plurals = int(re.search(r"nplurals=(\d)", plural_forms[language])[1])
    for word in forms:
        if "[" in word and int(word[7:-1]) >= n_plurals:
            del texts[word]
    forms = [word for word in forms if word in texts]
    if "fuzzy" in entry["flags"]:
        was = unquote(entry["previous"][0].split("msgid ", 1)[1])
        entry["flags"].remove("fuzzy")
        entry["previous"] = []
        if was != source and how != "fuzzy-kept":
            texts.update({word: "" for word in forms})
            return
    if any("do not translate" in comment for comment in entry["comments"]):
        texts["msgstr"] = source
        return
    for word in forms:
        text = placeholders_repaired(source, texts[word], entry["flags"])
        if source.endswith("\n") and not text.endswith("\n"):
            text += "\n"
        for term in glossary:
            if term["language"] == language:
                if how == "glossary-everywhere" or re.search(rf"\b{term['source']}\b", source):
                    text = text.replace(term["forbidden"], term["wanted"])
        if how == "broken-emptied" and text != before[word]:
            text = ""
        texts[word] = text


def header_repaired(language, text):
    rule = "nplurals=2; plural=(n != 1);" if how == "english-plurals" else plural_forms[language]
    values = {"Language": language, "Content-Type": "text/plain; charset=UTF-8", "Plural-Forms": rule}
    lines = []
    for line in text.splitlines():
        name = line.split(":")[0]
        lines.append(f"{name}: {values[name]}" if name in values else line)
    return "\n".join(lines) + "\n"


os.makedirs("output", exist_ok=True)
for name in sorted(os.listdir("input/po")):
    language = name[:-3]
    kept, seen = [], {}
    for entry in read(f"input/po/{name}"):
        if "obsolete" in entry:
            kept.append(entry)
            continue
        key = (entry["texts"].get("msgctxt"), entry["texts"]["msgid"])
        if key in seen:
            if how == "last-one-wins":
                seen[key]["texts"] = entry["texts"]
            continue
        seen[key] = entry
        kept.append(entry)
    for entry in kept:
        if "obsolete" in entry:
            continue
        if entry["texts"]["msgid"] == "":
            entry["texts"]["msgstr"] = header_repaired(language, entry["texts"]["msgstr"])
        else:
            repair(language, entry)
    write(f"output/{name}", kept)
