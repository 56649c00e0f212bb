"""Reconciles the books with both banks and closes the month. The first argument says how; everything but `right` is
wrong. The second is the last day of the month."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal

how, end = sys.argv[1], date.fromisoformat(sys.argv[2])
if how == "no-cut-off":
    end = date(2025, 12, 31)
CENT = Decimal("0.01")
TRADE = ("assets:receivable", "liabilities:payable")
BANKS = {"EUR": "assets:bank:eur", "USD": "assets:bank:usd"}


def hledger(*arguments):
    done = subprocess.run(["hledger", *arguments], capture_output=True, text=True, check=True)
    return list(csv.DictReader(io.StringIO(done.stdout)))


def table(name, separator=","):
    with open(f"input/{name}", newline="") as file:
        return list(csv.DictReader(file, delimiter=separator))


rates = sorted((date.fromisoformat(row["date"]), Decimal(row["usd_per_eur"])) for row in table("rates.csv"))
rules = {row["code"]: row["account"] for row in table("posting-rules.csv")}


def in_eur(amount, currency, day):
    if currency == "EUR":
        return amount
    rate = [rate for of, rate in rates if of <= day][-1]
    value = amount * rate if how == "rate-upside-down" else amount / rate
    return value.quantize(CENT, ROUND_HALF_UP)


def references(text):
    return [f"{kind.upper()}-{number}" for kind, number in re.findall(r"\b([SBOF])[- ]?(\d{5})\b", text, re.IGNORECASE)]


# What the books say of the banks.
bookings, receivables = [], defaultdict(Decimal)
postings = defaultdict(list)
for row in hledger("-f", "input/books.journal", "print", "-O", "csv"):
    postings[row["txnidx"]].append(row)
for rows in postings.values():
    day, code = date.fromisoformat(rows[0]["date"]), rows[0]["code"]
    if day <= end:
        for row in rows:
            if row["account"] in TRADE:
                receivables[re.search(r"invoice:(\S+)", row["posting-comment"])[1]] += Decimal(row["amount"])
    for row in rows:
        if row["account"] in BANKS.values() and code != "OPEN":
            counter = [other["account"] for other in rows if other is not row][0]
            bookings.append(
                dict(
                    document=code,
                    day=day,
                    currency=row["commodity"],
                    amount=Decimal(row["amount"]),
                    counter=counter,
                    reference=references(rows[0]["description"])[0],
                    party=rows[0]["description"].split(" | ")[0],
                )
            )
for row in table("outstanding-before.csv"):
    counter = TRADE[0] if row["reference"].startswith("S") else TRADE[1]
    bookings.append(
        dict(
            document=row["document"],
            day=date.fromisoformat(row["date"]),
            currency="EUR",
            amount=Decimal(row["amount"]),
            counter=counter,
            reference=row["reference"],
            party=row["party"],
        )
    )

# What the banks say.
lines, statement = [], {}


def bank_line(currency, name, day, code, text, amount, balance):
    if day <= end:
        statement[currency] = balance
    if name:
        lines.append(dict(id=name, day=day, currency=currency, code=code, text=text, amount=amount))


def german(text):
    return Decimal(text.replace(".", "").replace(",", ".")) if text else None


def american(text):
    return Decimal(text.replace(",", "")) if text else None


for row in table("bank-eur.csv", ";"):
    bank_line(
        "EUR",
        row["Line"],
        datetime.strptime(row["Booking date"], "%d.%m.%Y").date(),
        row["Code"],
        row["Counterparty"] + " / " + row["Purpose"],
        german(row["Amount"]),
        german(row["Balance"]),
    )
for row in table("bank-usd.csv"):
    bank_line(
        "USD",
        row["Line"],
        datetime.strptime(row["Posted (MM/DD/YYYY)"], "%m/%d/%Y").date(),
        row["Code"],
        row["Description"],
        american(row["Amount"]),
        american(row["Balance"]),
    )

# Which lines settle which documents: by reference, else by party and amount.
found = []  # item, currency, kind, amount, counter account, day of the rate, invoice
by_reference = defaultdict(list)
for booking in bookings:
    by_reference[booking["reference"]].append(booking)
settled = defaultdict(list)
batches = set()
for line in lines:
    named = [reference for reference in references(line["text"]) if reference in by_reference]
    if line["code"] == "RET":
        if line["day"] <= end:
            found.append((line["id"], line["currency"], "returned", line["amount"], TRADE[0], line["day"], named[0]))
        continue
    if how == "by-amount":
        named = []
    if not named:

        def fits(booking):
            is_taken = booking["reference"] in settled
            is_party = how == "by-amount" or booking["party"] in line["text"]
            return not is_taken and is_party and booking["amount"] == line["amount"]

        named = [booking["reference"] for booking in bookings if fits(booking)][:1]
    if len(named) > 1:
        total = sum(booking["amount"] for reference in named for booking in by_reference[reference])
        assert total == line["amount"], line
        batches.update(named)
    elif named:
        settled[named[0]].append(line)
    elif line["day"] <= end:
        counter = rules.get(line["code"], "expenses:bank-charges")
        found.append((line["id"], line["currency"], "unbooked", line["amount"], counter, line["day"], None))


def is_swapped(a, b):
    a, b = str(abs(a)).replace(".", ""), str(abs(b)).replace(".", "")
    return any(a[:at] + a[at + 1] + a[at] + a[at + 2 :] == b for at in range(len(a) - 1))


for reference, documents in by_reference.items():
    if reference in batches:
        continue
    documents.sort(key=lambda booking: booking["document"])
    paid = settled.get(reference, [])
    first, currency, counter = documents[0], documents[0]["currency"], documents[0]["counter"]
    total = sum(line["amount"] for line in paid)
    if len(documents) == 2 and total == first["amount"]:
        twice = documents.pop()
        if twice["day"] <= end:
            found.append((twice["document"], currency, "duplicate", -twice["amount"], counter, twice["day"], reference))
    booked = sum(booking["amount"] for booking in documents)
    in_time = sum(line["amount"] for line in paid if line["day"] <= end)
    if paid and total != booked:
        kind = "transposed" if is_swapped(booked, total) else "short"
        found.append((first["document"], currency, kind, total - booked, counter, first["day"], reference))
    elif first["day"] <= end and in_time != booked:
        found.append((first["document"], currency, "outstanding", booked - in_time, counter, first["day"], reference))
    elif first["day"] > end and in_time:
        found.append((first["document"], currency, "cut-off", in_time, counter, paid[0]["day"], reference))

# The entries that follow, and the books with them.
entries = []
for item, currency, kind, amount, counter, day, invoice in found:
    if kind == "outstanding":
        continue
    value = in_eur(amount, currency, day)
    entries.append((item, currency, BANKS[currency], amount, value))
    entries.append((item, "EUR", counter, -value, -value))
    if counter in TRADE:
        receivables[invoice] -= amount
if how == "one-plug-entry":
    entries = []
    for currency in BANKS:
        amount = sum(row[3] for row in found if row[1] == currency and row[2] != "outstanding")
        value = in_eur(amount, currency, end)
        entries.append(("PLUG-" + currency, currency, BANKS[currency], amount, value))
        entries.append(("PLUG-" + currency, "EUR", "expenses:bank-charges", -value, -value))


def with_entries():
    with open("adjustments.journal", "w") as file:
        for item, currency, account, amount, value in entries:
            if account.startswith("assets:bank"):
                file.write(f"\n{end} ({item}) adjustment\n")
            cost = f" @@ {abs(value)} EUR" if currency == "USD" else ""
            file.write(f"    {account}  {amount} {currency}{cost}\n")
    return ["-f", "input/books.journal", "-f", "adjustments.journal"]


def amount_of(text):
    return Decimal(text.split()[0].replace(",", "") if text else "0")


def until_end(files, *options):
    following = date.fromordinal(end.toordinal() + 1)
    rows = hledger(*files, "balance", "--no-total", "--flat", "-E", "-O", "csv", "-e", str(following), *options)
    return {row["account"]: amount_of(row["balance"]) for row in rows}


books = ["-f", "input/books.journal"]
units_before, units_after = until_end(books), until_end(with_entries())
cost = until_end(with_entries(), "-B")
gain = in_eur(units_after[BANKS["USD"]], "USD", end) - cost[BANKS["USD"]]
# The revaluation moves no dollars: it is added to what hledger has at cost.
final = dict(cost)
final[BANKS["USD"]] += gain
final["expenses:exchange"] = final.get("expenses:exchange", Decimal(0)) - gain
entries.append(("REVAL", "EUR", BANKS["USD"], gain, gain))
entries.append(("REVAL", "EUR", "expenses:exchange", -gain, -gain))

os.makedirs("output", exist_ok=True)


def write(name, columns, rows):
    with open(f"output/{name}", "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(columns)
        out.writerows(rows)


accounts = [line.split()[1] for line in open("input/books.journal") if line.startswith("account ")]
write("reconciliation.csv", ["item", "currency", "kind", "amount"], sorted(row[:4] for row in found))
write(
    "adjustments.csv", ["item", "account", "amount"], [(item, account, value) for item, _, account, _, value in entries]
)
write(
    "trial-balance.csv",
    ["account", "balance"],
    [(account, final.get(account, Decimal(0)).quantize(CENT)) for account in accounts],
)
write("open-items.csv", ["invoice", "open"], sorted((invoice, left) for invoice, left in receivables.items() if left))
summary = {}
for currency, account in BANKS.items():
    word = currency.lower()
    summary[f"{word}_statement"] = statement[currency]
    summary[f"{word}_outstanding"] = sum(row[3] for row in found if row[1] == currency and row[2] == "outstanding")
    summary[f"{word}_book_before"] = units_before[account]
    summary[f"{word}_book_after"] = units_after[account]
summary["profit"] = -sum(value for account, value in final.items() if account.startswith(("revenue", "expenses")))
with open("output/summary.json", "w") as file:
    json.dump({name: float(value) for name, value in summary.items()}, file, indent=1)
