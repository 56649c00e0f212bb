"""Threads and copies of the mail below input/mail. The first argument says how; everything but `right` is wrong."""

import csv
import email
import email.policy
import email.utils
import os
import re
import sys

how = sys.argv[1]
top = "input/mail"
messages = {}
for folder, _, names in os.walk(top):
    for name in names:
        path = os.path.join(folder, name)
        with open(path, "rb") as file:
            messages[os.path.relpath(path, top)] = email.message_from_binary_file(file, policy=email.policy.default)


def ids(message, *headers):
    return re.findall(r"<([^<>\s]+)>", " ".join(str(message.get(header, "")) for header in headers))


def addresses(message, *headers):
    fields = [str(value) for header in headers for value in message.get_all(header, [])]
    return sorted({address.lower() for _, address in email.utils.getaddresses(fields)})


def instant(message):
    return email.utils.parsedate_to_datetime(str(message["Date"])).timestamp()


def body(message):
    lines = [line.rstrip() for line in message.get_content().splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)


def subject(message):
    return " ".join(str(message["Subject"]).split())


def sameness(message):
    if how == "by-message-id":
        return ids(message, "Message-ID")[0]
    if how == "raw-headers":
        return str(message["Date"]), str(message["From"]), str(message["To"]), subject(message), body(message)
    return (
        instant(message),
        *addresses(message, "From"),
        *addresses(message, "To", "Cc"),
        subject(message),
        body(message),
    )


originals, copies = {}, {}
for path in sorted(messages):
    key = sameness(messages[path])
    if key in originals:
        copies[path] = originals[key]
    else:
        originals[key] = path

leaders = {}


def leader(name):
    while leaders.setdefault(name, name) != name:
        name = leaders[name]
    return name


for path, message in messages.items():
    named = ids(message, "Message-ID", "In-Reply-To", "References")
    if how == "by-subject":
        named = [re.sub(r"^((re|fwd?):\s*)+", "", subject(message).lower())]
    for name in [*named, *([copies[path]] if path in copies else [])]:
        leaders[leader(name)] = leader(path)

first = {}
for path in sorted(messages):
    if path not in copies:
        known = first.get(leader(path))
        if known is None or instant(messages[path]) < instant(messages[known]):
            first[leader(path)] = path

os.makedirs("output", exist_ok=True)
with open("output/threads.csv", "w", newline="") as file:
    table = csv.writer(file)
    table.writerow(["file", "thread"])
    for path in sorted(messages):
        table.writerow([path, ids(messages[first[leader(path)]], "Message-ID")[0]])
with open("output/duplicates.csv", "w", newline="") as file:
    table = csv.writer(file)
    table.writerow(["file", "original"])
    for path in sorted(copies):
        table.writerow([path, copies[path]])
