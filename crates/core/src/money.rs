//! How money is written.

/// US dollars to the cent: `$5.01`.
pub fn dollars_and_cents(usd: f64) -> String {
    format!("${usd:.2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_told_to_the_cent() {
        assert_eq!([0.0, 0.004, 5.006, 1250.0].map(dollars_and_cents), ["$0.00", "$0.00", "$5.01", "$1250.00"]);
    }
}
