//! What a right workbook becomes: nearly right ones, and ones that are right in another way.

use quintain_core::FileSet;
use quintain_core::world::AlteredFiles;
use quintain_workspace::alterations::{usual, with};
use serde_json::Value;

use super::books::ModelBooks;
use super::recalculation::WORKBOOK;
use super::workbook::WorkbookParts;
use super::{books_of, forecast};

/// The parts of the workbook that the solution writes.
const BOOK: &str = "xl/workbook.xml";
const TYPES: &str = "[Content_Types].xml";
const ASSUMPTIONS: &str = "xl/worksheets/sheet1.xml";
const TRIAL_BALANCE: &str = "xl/worksheets/sheet3.xml";
const MODEL: &str = "xl/worksheets/sheet4.xml";
const LARGEST: u64 = 4 << 20;
/// What a workbook without macros is said to be, and one with.
const PLAIN_KIND: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml";
const MACRO_KIND: &str = "application/vnd.ms-excel.sheet.macroEnabled.main+xml";

/// The usual alterations, and those of a workbook.
pub(super) fn of(plan: &Value, left: &FileSet) -> AlteredFiles {
    let mut altered = usual(left);
    let bytes = left.get(WORKBOOK).and_then(|file| file.whole(LARGEST).ok()).unwrap_or_default();
    let (Some(parts), Ok((books, _))) = (WorkbookParts::read(&bytes), books_of(plan)) else { return altered };
    let file = |(how, parts): (&str, WorkbookParts)| with(left, WORKBOOK, how, parts.written());
    altered.wrong.extend(nearly_right(&parts, &books).map(file));
    altered.right.extend(also_right(&parts).map(file));
    altered
}

fn nearly_right(parts: &WorkbookParts, books: &ModelBooks) -> [(&'static str, WorkbookParts); 9] {
    let model = |change: &dyn Fn(&str) -> String| parts.with(MODEL, change);
    let growth = books.yearly["growth"][0].to_string();
    let tax = |row: &str| row.replace("MAX(0,", "MAX(-1000000,");
    [
        ("numbers pasted over the formulas", model(&|text| pasted(text, books))),
        ("right numbers cached, and formulas that come to nothing", model(&|text| emptied(text, books))),
        ("a loss is taxed", model(&|text| in_row(text, "tax", tax))),
        ("a growth rate typed into a formula", model(&|text| text.replace("Assumptions!C2)", &format!("{growth})")))),
        ("another sheet name", parts.with(BOOK, |text| text.replace("\"Model\"", "\"Statements\""))),
        (
            "an assumption changed",
            parts.with(ASSUMPTIONS, |text| in_row(text, "dso", |row| row.replacen("</v>", "5</v>", 1))),
        ),
        ("of the kind with macros", parts.with(TYPES, |text| text.replace(PLAIN_KIND, MACRO_KIND))),
        (
            "an input by a formula",
            parts.with(ASSUMPTIONS, |text| {
                in_row(text, "tax_rate", |row| row.replacen("<v>", "<f>", 1).replacen("</v>", "</f>", 1))
            }),
        ),
        ("an account renamed", parts.with(TRIAL_BALANCE, |text| text.replace("Bank, current account", "Bank"))),
    ]
}

fn also_right(parts: &WorkbookParts) -> [(&'static str, WorkbookParts); 5] {
    let remark = "<row r=\"90\"><c r=\"A90\" t=\"inlineStr\"><is><t>Checked.</t></is></c></row>\n</sheetData>";
    let text_years = |row: &str| {
        row.replace("<v>", "<is><t>").replace("</v>", "</t></is>").replace("1\"><is", "1\" t=\"inlineStr\"><is")
    };
    [
        ("wrong numbers cached", parts.with(MODEL, |text| text.replace("</f></c>", "</f><v>999999</v></c>"))),
        ("a remark below the model", parts.with(MODEL, |text| text.replace("</sheetData>", remark))),
        ("the Strict form", strict(parts)),
        ("nothing booked as 0", parts.with(TRIAL_BALANCE, zeros)),
        ("years as text", parts.with(MODEL, |text| in_row(text, "key", text_years))),
    ]
}

/// The same workbook under the names of ISO/IEC 29500 Strict.
fn strict(parts: &WorkbookParts) -> WorkbookParts {
    let renamed = |text: &str| {
        text.replace(
            "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
            "http://purl.oclc.org/ooxml/spreadsheetml/main",
        )
        .replace("http://schemas.openxmlformats.org/officeDocument/2006/", "http://purl.oclc.org/ooxml/officeDocument/")
    };
    let names: Vec<String> = parts.0.iter().map(|(name, _)| name.clone()).collect();
    names.iter().fold(parts.clone(), |parts, name| parts.with(name, renamed))
}

/// The trial balance with a 0 where its rows have no debit.
fn zeros(text: &str) -> String {
    let with_zero = |row: &str| {
        let number = row.split('"').nth(1).unwrap_or_default().to_owned();
        let has = |column: char| row.contains(&format!("r=\"{column}{number}\""));
        let credit = format!("<c r=\"E{number}\"");
        if has('D') {
            row.to_owned()
        } else {
            row.replace(&credit, &format!("<c r=\"D{number}\"><v>0</v></c>{credit}"))
        }
    };
    text.lines().map(with_zero).collect::<Vec<_>>().join("\n")
}

/// The sheet with the row of one key changed.
fn in_row(text: &str, key: &str, change: impl Fn(&str) -> String) -> String {
    let named = format!("<t>{key}</t>");
    let lines = text.lines().map(|row| if row.contains(&named) { change(row) } else { row.to_owned() });
    lines.collect::<Vec<_>>().join("\n")
}

/// The model with numbers, which are right as long as nothing is changed, in the place of formulas.
fn pasted(text: &str, books: &ModelBooks) -> String {
    each_cell(text, books, |value| format!("<v>{value}</v>"))
}

/// Formulas that say nothing beside cached numbers that are right.
fn emptied(text: &str, books: &ModelBooks) -> String {
    each_cell(text, books, |value| format!("<f>0</f><v>{value}</v>"))
}

fn each_cell(text: &str, books: &ModelBooks, content: impl Fn(f64) -> String) -> String {
    let years = forecast::of(books);
    let change = |row: &str, key: &str| {
        let number = row.split('"').nth(1).unwrap_or_default();
        let name = format!("<c r=\"A{number}\" t=\"inlineStr\"><is><t>{key}</t></is></c>");
        let cell = |(at, lines): (usize, &forecast::YearLines)| {
            let column = char::from(b'C' + at as u8);
            format!("<c r=\"{column}{number}\">{}</c>", content(lines[key]))
        };
        let cells: String = years.iter().enumerate().map(cell).collect();
        format!("<row r=\"{number}\">{name}{cells}</row>")
    };
    forecast::LINES.iter().fold(text.to_owned(), |text, key| in_row(&text, key, |row| change(row, key)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_changed_by_their_keys() {
        let sheet =
            "<x>\n<row r=\"2\"><c><is><t>tax</t></is></c><c r=\"B2\"><f>1</f></c></row>\n<row><t>taxes</t></row>";
        assert_eq!(in_row(sheet, "tax", |_| "!".to_owned()), "<x>\n!\n<row><t>taxes</t></row>");
    }

    #[test]
    fn a_workbook_that_cannot_be_read_is_altered_as_any_file() {
        let left: FileSet = [(WORKBOOK.to_owned(), quintain_core::FileHandle::embedded(b"no archive"))].into();
        assert_eq!(of(&Value::Null, &left).wrong.len(), usual(&left).wrong.len());
    }
}
