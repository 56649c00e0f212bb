"""Builds output/model.xlsx: the inputs as they came, and a model of live formulas beside them."""

import csv
import sys
import zipfile
from xml.sax.saxutils import escape

WAY = sys.argv[1] if len(sys.argv) > 1 else "right"


def read(name):
    with open(f"input/{name}.csv", newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def letter(column):
    return chr(ord("A") + column)


def number(cell):
    try:
        return float(cell)
    except ValueError:
        return cell


tables = {"Assumptions": read("assumptions"), "Constants": read("constants"), "TrialBalance": read("trial_balance")}
years = [int(year) for year in tables["Assumptions"][0][2:]]
assumption_rows = {row[0]: at + 1 for at, row in enumerate(tables["Assumptions"])}
constant_rows = {row[0]: at + 1 for at, row in enumerate(tables["Constants"])}
last = len(tables["TrialBalance"])

KEYS = """revenue cogs gross_profit opex ebitda depreciation ebit net_interest profit_before_tax tax net_income
cash receivables inventory fixed_assets total_assets payables tax_payable revolver term_loan share_capital retained_earnings
total_equity_and_liabilities cash_from_operations capex cash_from_investing dividends revolver_change loan_repayment
cash_from_financing net_change_in_cash tax_losses
land plant days old_depreciation new_depreciation losses_used cash_before_revolver""".split()
model_rows = {key: at + 2 for at, key in enumerate(KEYS)}


def assumption(key, at):
    return f"Assumptions!{letter(2 + at)}{assumption_rows[key]}"


def constant(key):
    return f"Constants!$B${constant_rows[key]}"


def cell(key, at):
    """The cell of a line: year 0 is the first of the plan, year -1 the books."""
    return f"{letter(2 + at)}{model_rows[key]}"


def booked(line, sign):
    debits, credits = (f'SUMIF(TrialBalance!$C$2:$C${last},"{line}",TrialBalance!${c}$2:${c}${last})' for c in "DE")
    return f"{debits}-{credits}" if sign == "debit" else f"{credits}-{debits}"


def opening():
    """The column of the year that the books are of."""
    column = {line: booked(line, "debit") for line in ("cash", "receivables", "inventory", "land", "plant")}
    column |= {
        line: booked(line, "credit")
        for line in ("payables", "tax_payable", "revolver", "term_loan", "share_capital", "revenue")
    }
    result = "+".join(
        f"({booked(line, 'credit')})" for line in ("revenue", "cogs", "opex", "depreciation", "interest", "tax")
    )
    column["net_income"] = result
    kept = booked("retained_earnings", "credit")
    column["retained_earnings"] = kept if WAY == "unclosed" else f"{kept}+{cell('net_income', -1)}"
    column["fixed_assets"] = f"{cell('land', -1)}+{cell('plant', -1)}"
    column["total_assets"] = "+".join(cell(key, -1) for key in ("cash", "receivables", "inventory", "fixed_assets"))
    column["total_equity_and_liabilities"] = "+".join(
        cell(key, -1)
        for key in ("payables", "tax_payable", "revolver", "term_loan", "share_capital", "retained_earnings")
    )
    column["tax_losses"] = constant("tax_losses")
    return column


def new_depreciation(at):
    terms = []
    for bought in range(at + 1):
        life, full = (
            assumption("capex_life", bought),
            f"{assumption('capex', bought)}/{assumption('capex_life', bought)}",
        )
        if WAY == "full-year":
            terms.append(f"{full}*IF({at - bought}<{life},1,0)")
        elif bought == at:
            terms.append(f"{full}*0.5")
        else:
            terms.append(f"{full}*MAX(0,MIN(1,{life}-{at - bought}+0.5))")
    return "+".join(terms)


def planned(at):
    """The column of one year of the plan."""

    def now(key):
        return cell(key, at)

    def before(key):
        return cell(key, at - 1)

    def given(key):
        return assumption(key, at)

    change = {key: f"({now(key)}-{before(key)})" for key in ("receivables", "inventory", "payables", "tax_payable")}
    draw = f"MAX({given('minimum_cash')}-{now('cash_before_revolver')},-{before('revolver')})"
    if WAY == "never-repaid":
        draw = f"MAX({given('minimum_cash')}-{now('cash_before_revolver')},0)"
    return {
        "days": f"DATE({years[at]},12,31)-DATE({years[at] - 1},12,31)",
        "revenue": f"{before('revenue')}*(1+{given('growth')})",
        "cogs": f"{now('revenue')}*(1-{given('gross_margin')})",
        "gross_profit": f"{now('revenue')}-{now('cogs')}",
        "opex": f"{now('revenue')}*{given('opex_share')}+{given('opex_fixed')}",
        "ebitda": f"{now('gross_profit')}-{now('opex')}",
        "old_depreciation": f"MAX(0,MIN(1,{constant('existing_life')}-{at}))*{cell('plant', -1).replace('B', '$B')}/{constant('existing_life')}",
        "new_depreciation": new_depreciation(at),
        "depreciation": f"{now('old_depreciation')}+{now('new_depreciation')}",
        "ebit": f"{now('ebitda')}-{now('depreciation')}",
        "net_interest": f"{before('term_loan')}*{given('rate_loan')}+{before('revolver')}*{given('rate_revolver')}"
        f"-{before('cash')}*{given('rate_cash')}",
        "profit_before_tax": f"{now('ebit')}-{now('net_interest')}",
        "losses_used": f"MIN({before('tax_losses')},{constant('loss_use_limit')}*MAX(0,{now('profit_before_tax')}))",
        "tax_losses": f"{before('tax_losses')}-{now('losses_used')}+MAX(0,-{now('profit_before_tax')})",
        "tax": f"{given('tax_rate')}*(MAX(0,{now('profit_before_tax')})-{now('losses_used')})",
        "net_income": f"{now('profit_before_tax')}-{now('tax')}",
        "receivables": f"{now('revenue')}*{given('dso')}/{now('days')}",
        "inventory": f"{now('cogs')}*{given('dio')}/{now('days')}",
        "payables": f"{now('cogs')}*{given('dpo')}/{now('days')}",
        "tax_payable": now("tax"),
        "land": before("land"),
        "plant": f"{before('plant')}+{given('capex')}-{now('depreciation')}",
        "fixed_assets": f"{now('land')}+{now('plant')}",
        "share_capital": before("share_capital"),
        "capex": f"-{given('capex')}",
        "cash_from_operations": f"{now('net_income')}+{now('depreciation')}-{change['receivables']}-{change['inventory']}"
        f"+{change['payables']}+{change['tax_payable']}",
        "cash_from_investing": now("capex"),
        "dividends": f"-{given('payout')}*MAX(0,{before('net_income')})",
        "loan_repayment": f"-MIN({given('loan_repayment')},{before('term_loan')})",
        "cash_before_revolver": f"{before('cash')}+{now('cash_from_operations')}+{now('cash_from_investing')}"
        f"+{now('dividends')}+{now('loan_repayment')}",
        "revolver_change": draw,
        "cash_from_financing": f"{now('dividends')}+{now('loan_repayment')}+{now('revolver_change')}",
        "net_change_in_cash": f"{now('cash_from_operations')}+{now('cash_from_investing')}+{now('cash_from_financing')}",
        "cash": f"{before('cash')}+{now('net_change_in_cash')}",
        "revolver": f"{before('revolver')}+{now('revolver_change')}",
        "term_loan": f"{before('term_loan')}+{now('loan_repayment')}",
        "retained_earnings": f"{before('retained_earnings')}+{now('net_income')}+{now('dividends')}",
        "total_assets": "+".join(now(key) for key in ("cash", "receivables", "inventory", "fixed_assets")),
        "total_equity_and_liabilities": "+".join(
            now(key)
            for key in ("payables", "tax_payable", "revolver", "term_loan", "share_capital", "retained_earnings")
        ),
    }


def written(reference, content, formula=False):
    if formula:
        return f'<c r="{reference}"><f>{escape(content)}</f></c>'
    if isinstance(content, (int, float)):
        return f'<c r="{reference}"><v>{content!r}</v></c>'
    return f'<c r="{reference}" t="inlineStr"><is><t>{escape(content)}</t></is></c>' if content != "" else ""


def sheet(rows):
    lines = "\n".join(f'<row r="{at + 1}">{"".join(cells)}</row>' for at, cells in enumerate(rows))
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>\n'
        f"{lines}\n</sheetData></worksheet>"
    )


def plain_sheet(rows):
    return sheet(
        [[written(f"{letter(c)}{r + 1}", number(cell)) for c, cell in enumerate(row)] for r, row in enumerate(rows)]
    )


def model_sheet():
    columns = [opening()] + [planned(at) for at in range(len(years))]
    head = [written("A1", "key")] + [
        written(f"{letter(1 + at)}1", year) for at, year in enumerate([years[0] - 1] + years)
    ]
    rows = [head]
    for key in KEYS:
        formulas = [
            written(f"{letter(1 + at)}{model_rows[key]}", column[key], True)
            for at, column in enumerate(columns)
            if key in column
        ]
        rows.append([written(f"A{model_rows[key]}", key)] + formulas)
    return sheet(rows)


def workbook(path, sheets):
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    names = list(sheets)
    main = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{main}.sheet.main+xml"/>'
        + "".join(
            f'<Override PartName="/xl/worksheets/sheet{at}.xml" ContentType="{main}.worksheet+xml"/>'
            for at in range(1, len(names) + 1)
        )
        + "</Types>",
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" Type="{kind}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
        f'xmlns:r="{kind}"><sheets>'
        + "".join(f'<sheet name="{name}" sheetId="{at}" r:id="rId{at}"/>' for at, name in enumerate(names, 1))
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">'
        + "".join(
            f'<Relationship Id="rId{at}" Type="{kind}/worksheet" Target="worksheets/sheet{at}.xml"/>'
            for at in range(1, len(names) + 1)
        )
        + "</Relationships>",
    }
    parts |= {f"xl/worksheets/sheet{at}.xml": sheets[name] for at, name in enumerate(names, 1)}
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)


sheets = {name: plain_sheet(rows) for name, rows in tables.items()}
sheets["Model"] = model_sheet()
workbook("output/model.xlsx", sheets)
if WAY == "pasted":
    # Lets the office program work it out, and keeps the numbers.
    import subprocess

    subprocess.run(
        [
            "soffice",
            "-env:UserInstallation=file:///tmp/profile",
            "--headless",
            "--convert-to",
            "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false,false,false,false,4",
            "--outdir",
            "/tmp/pasted",
            "output/model.xlsx",
        ],
        check=True,
    )
    with open("/tmp/pasted/model-Model.csv", newline="", encoding="utf-8") as file:
        rows = [
            [written(f"{letter(c)}{r + 1}", number(cell)) for c, cell in enumerate(row)]
            for r, row in enumerate(csv.reader(file))
        ]
    sheets["Model"] = sheet(rows)
    workbook("output/model.xlsx", sheets)
