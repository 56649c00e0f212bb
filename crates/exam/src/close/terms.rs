//! Who does business with the firm, what its accounts are called, and how amounts and texts are mistyped.

pub(super) const CUSTOMERS: [&str; 9] = [
    "Nordwind Textil GmbH",
    "Brauhaus Velten KG",
    "Atelier Moreau SARL",
    "Kessler Feinmechanik",
    "Osterby Handels AB",
    "Ponte Alto S.r.l.",
    "Hafenkontor Lenz",
    "Dr. Irma Falk Praxis",
    "Museum Grauburg",
];
pub(super) const SUPPLIERS: [&str; 8] = [
    "Glaswerk Ahlbeck AG",
    "Schliff + Linse OHG",
    "Kartonagen Wirth",
    "Spedition Tollkamp",
    "Elektro Bieber",
    "Stadtwerke Rauden",
    "Drahtzug Menden GmbH",
    "Papier Osterloh",
];
pub(super) const MARKETS: [&str; 3] = ["Brightlane Market", "Opticart Inc.", "Westfold Outfitters"];
pub(super) const PLATFORMS: [&str; 3] = ["Cloudharbor LLC", "Printforge Software", "Adlantis Media"];
pub(super) const RECEIVABLE: &str = "assets:receivable";
pub(super) const PAYABLE: &str = "liabilities:payable";
/// What the bank books by itself, by its code, and the account that it belongs to.
pub(super) const BANK_CODES: [(&str, &str, &str); 4] = [
    ("CHG", "expenses:bank-charges", "fees of the bank"),
    ("INT", "revenue:interest", "credit interest"),
    ("INS", "expenses:insurance", "insurance premiums, by direct debit"),
    ("LEA", "expenses:leasing", "leasing instalments, by direct debit"),
];

/// What a bank writes to what it books by itself.
pub(super) fn bank_text(code: &str, reference: &str) -> String {
    let about = match code {
        "INT" => "credit interest",
        "INS" => "premium business liability",
        "LEA" => "leasing instalment vehicle 2",
        _ => "service and transaction fee",
    };
    format!("{about} ref {reference}")
}

/// Every amount that comes of exchanging two neighbouring digits that differ; no zero leads.
pub(super) fn neighbours_swapped(amount: i64) -> Vec<i64> {
    let digits: Vec<char> = amount.abs().to_string().chars().collect();
    let swapped = |at: usize| {
        let mut other = digits.clone();
        other.swap(at, at + 1);
        other
    };
    let differ = (0..digits.len().saturating_sub(1)).filter(|at| digits[*at] != digits[at + 1]).map(swapped);
    let numbers =
        differ.filter(|other| other[0] != '0').filter_map(|other| other.iter().collect::<String>().parse().ok());
    numbers.map(|other: i64| amount.signum() * other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_swapped_where_they_differ() {
        assert_eq!(neighbours_swapped(1123), [1213, 1132]);
        assert_eq!(neighbours_swapped(-102), [-120]);
        assert!(neighbours_swapped(77).is_empty());
    }
}
