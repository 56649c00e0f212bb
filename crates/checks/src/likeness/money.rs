//! Amounts of money.

use serde_json::{Map, Value, json};

use super::displayed::DisplayedNumber;
use super::expectation::{flag, no_answers, refuse_other_keys, say, text, texts};
use super::{Likeness, LikenessResult};
use crate::number::finite;
use crate::value::{Variant, brief};
use crate::written::{MINUS_SIGNS, SCALE_WORDS, bare_text, in_digits, scaled_number, with_groups};

/// The same amount in the same currency. Nothing is converted: rates change by the day.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SameMoney;

/// Letters that make an amount greater. After other numbers they are units.
const SCALE_LETTERS: &[(&str, f64)] = &[("k", 1e3), ("m", 1e6), ("b", 1e9)];

/// Currencies to mistake another one for.
const OTHER_CURRENCIES: [&str; 3] = ["USD", "EUR", "JPY"];

/// Money as an expectation tells it.
struct ExpectedMoney {
    amount: DisplayedNumber,
    currency: String,
    /// The currency in full, and its symbol.
    names: Vec<String>,
    symbol: Option<String>,
    /// Whether the currency may be left out.
    bare: bool,
}

impl ExpectedMoney {
    const KEYS: [&'static str; 7] = ["amount", "currency", "names", "symbol", "digits", "tolerance", "bare"];

    fn read(expected: &Value) -> Result<Self, String> {
        let example = "{ amount = 12300000, currency = \"KYM\" }";
        let fields = expected
            .as_object()
            .ok_or_else(|| format!("money such as {example} is expected, not {}", brief(expected)))?;
        refuse_other_keys(fields, Self::KEYS)?;
        let money = Self {
            amount: DisplayedNumber::read(fields, "amount")?,
            currency: text(fields, "currency")?.ok_or_else(|| format!("`currency` is missing: {example}"))?,
            names: texts(fields, "names")?,
            symbol: text(fields, "symbol")?,
            bare: flag(fields, "bare")?,
        };
        if let Some(odd) = money.all_names().find(|name| !is_name(name)) {
            return Err(format!("`{odd}` cannot name a currency: it has digits or could be a part of a number"));
        }
        Ok(money)
    }

    fn all_names(&self) -> impl Iterator<Item = &str> {
        [&self.currency].into_iter().chain(&self.names).chain(&self.symbol).map(String::as_str)
    }

    /// Whether a text names the currency: by its code, its symbol or its name, one or many of it.
    fn is_named(&self, text: &str) -> bool {
        let text = folded(text);
        self.all_names().any(|name| {
            let name = folded(name);
            text == name || text.strip_suffix('s') == Some(&name)
        })
    }

    /// The amount that a value tells in this currency, or why it tells none.
    fn amount_of(&self, actual: &Value) -> Result<f64, String> {
        match actual {
            Value::Number(number) if self.bare => number.as_f64().ok_or_else(|| "which is no amount".to_owned()),
            Value::Number(_) => Err("which names no currency".to_owned()),
            Value::String(text) => self.amount_of_text(bare_text(text)),
            Value::Object(fields) => self.amount_of_object(fields),
            _ => Err("which is no amount of money".to_owned()),
        }
    }

    fn amount_of_object(&self, fields: &Map<String, Value>) -> Result<f64, String> {
        refuse_other_keys(fields, ["amount", "currency"]).map_err(|why| format!("where {why}"))?;
        let amount = match fields.get("amount") {
            Some(Value::Number(number)) => number.as_f64(),
            Some(Value::String(text)) => {
                self.scaled(bare_text(text)).filter(|(_, rest)| rest.is_empty()).map(|(n, _)| n)
            }
            _ => None,
        };
        let amount = amount.ok_or("whose `amount` is no number")?;
        match fields.get("currency") {
            Some(Value::String(currency)) => self.of_currency(amount, currency),
            Some(_) => Err("whose currency is no text".to_owned()),
            None => self.of_currency(amount, ""),
        }
    }

    fn amount_of_text(&self, text: &str) -> Result<f64, String> {
        if let Some((amount, currency)) = self.scaled(text) {
            return self.of_currency(amount, currency);
        }
        let (minus, unsigned) = match text.strip_prefix(MINUS_SIGNS) {
            Some(rest) => (true, rest.trim_start()),
            None => (false, text),
        };
        let is_start = |c: char| c.is_ascii_digit() || !minus && MINUS_SIGNS.contains(&c);
        let start = unsigned.find(is_start).ok_or("which is no amount of money")?;
        let (currency, written) = unsigned.split_at(start);
        match self.scaled(written) {
            Some((amount, "")) => self.of_currency(if minus { -amount } else { amount }, currency),
            _ => Err("which is no amount of money".to_owned()),
        }
    }

    /// An amount that a text begins with, and what follows. What names the currency makes nothing greater.
    fn scaled<'a>(&self, text: &'a str) -> Option<(f64, &'a str)> {
        let (amount, rest) = scaled_number(text, &[])?;
        if self.is_named(rest) {
            return Some((amount, rest));
        }
        let in_words = scaled_number(text, SCALE_WORDS).filter(|(_, after)| after.len() < rest.len());
        in_words.or_else(|| scaled_number(text, SCALE_LETTERS)).map(|(amount, rest)| (amount, rest.trim()))
    }

    fn of_currency(&self, amount: f64, currency: &str) -> Result<f64, String> {
        match currency.trim() {
            "" if self.bare => Ok(amount),
            "" => Err("which names no currency".to_owned()),
            named if self.is_named(named) => Ok(amount),
            other => Err(format!("where `{other}` is not {}", self.currency)),
        }
    }

    fn told(&self) -> String {
        format!("{} {}", self.amount.shown(), self.currency)
    }

    fn near(&self) -> Vec<Variant> {
        let shown = self.amount.shown();
        let mut near = no_answers(&self.told().into());
        near.push(say("more than an amount", format!("about {}", self.told())));
        for (how, amount) in self.amount.wrong_numbers() {
            near.push(say(how, format!("{} {}", in_digits(amount), self.currency)));
            near.push((format!("{how}, as an object"), json!({ "amount": amount, "currency": self.currency })));
        }
        for other in OTHER_CURRENCIES.into_iter().filter(|other| !self.is_named(other)) {
            near.push(say(format!("in {other}"), format!("{shown} {other}")));
            near.push((format!("an object in {other}"), json!({ "amount": self.amount.value, "currency": other })));
        }
        if !self.bare {
            near.push(say("without a currency", shown));
            near.push(("an object without a currency".to_owned(), json!({ "amount": self.amount.value })));
            near.extend(finite(self.amount.value).map(|amount| ("a number alone".to_owned(), amount.into())));
        }
        if self.amount.is_off(self.amount.value * 1e6) {
            near.push(say("in millions", format!("{} million {}", in_digits(self.amount.value), self.currency)));
        }
        near
    }

    fn like(&self) -> Vec<Variant> {
        let (shown, currency) = (self.amount.shown(), &self.currency);
        let mut like = vec![
            say("the currency first", format!("{currency} {}", with_groups(&shown, ","))),
            say("thousands parted by an apostrophe", format!("{} {currency}", with_groups(&shown, "'"))),
            say("thousands parted by a space", format!("{} {currency}", with_groups(&shown, " "))),
            say("thousands parted by a thin space", format!("{} {currency}", with_groups(&shown, "\u{2009}"))),
            say("more space and a full stop", format!(" {currency}  {shown}. ")),
            ("as an object".to_owned(), json!({ "amount": self.amount.value, "currency": currency })),
        ];
        for (how, factor) in [("thousand", 1e3), ("million", 1e6), ("bn", 1e9)] {
            let scaled = in_digits(self.amount.value / factor);
            like.push(say(format!("in words: {how}"), format!("{scaled} {how} {currency}")));
            like.push(say(format!("{how}, the currency first"), format!("{currency} {scaled} {how}")));
        }
        for (how, amount) in self.amount.right_numbers() {
            like.push(say(how, format!("{} {currency}", in_digits(amount))));
        }
        for name in self.all_names().skip(1) {
            like.push(say("by another name", format!("{shown} {name}")));
            like.push(say("by another name, first", format!("{name}{shown}")));
        }
        if self.bare {
            like.push(say("without a currency", shown));
            like.extend(finite(self.amount.value).map(|amount| ("a number alone".to_owned(), amount.into())));
        }
        like
    }
}

impl Likeness for SameMoney {
    fn fits(&self, expected: &Value) -> Result<(), String> {
        ExpectedMoney::read(expected).map(drop)
    }

    fn compare(&self, expected: &Value, actual: &Value) -> LikenessResult {
        let money = match ExpectedMoney::read(expected) {
            Ok(money) => money,
            Err(why) => return LikenessResult::of(false, why),
        };
        let amount = match money.amount_of(actual) {
            Ok(amount) => amount,
            Err(why) => return LikenessResult::of(false, format!("it is {}, {why}", brief(actual))),
        };
        let holds = money.amount.holds(amount);
        let wanted = if holds { String::new() } else { format!(", not {}", money.told()) };
        let result = LikenessResult::of(holds, format!("it is {}{wanted}", brief(actual)));
        result.with("off", (amount - money.amount.value).abs())
    }

    fn near(&self, expected: &Value, _actual: &Value) -> Vec<Variant> {
        ExpectedMoney::read(expected).map_or_else(|_| Vec::new(), |money| money.near())
    }

    fn like(&self, expected: &Value, _actual: &Value) -> Vec<Variant> {
        ExpectedMoney::read(expected).map_or_else(|_| Vec::new(), |money| money.like())
    }

    fn right(&self, expected: &Value) -> Value {
        ExpectedMoney::read(expected).map_or(Value::Null, |money| money.told().into())
    }
}

/// A name without differences that do not count.
fn folded(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Whether a name stands apart from the number before or behind it.
fn is_name(name: &str) -> bool {
    let odd = |c: char| c.is_numeric() || MINUS_SIGNS.contains(&c) || ['+', ',', '.', '\''].contains(&c);
    let scales = SCALE_WORDS.iter().chain(SCALE_LETTERS);
    let first_word = name.split_whitespace().next().unwrap_or_default();
    let is_scale = scales.into_iter().any(|(word, _)| word.eq_ignore_ascii_case(first_word));
    !name.contains(odd) && !is_scale
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::proof::{hold_both_ways, odd_json, survive};
    use super::*;

    fn mark(amount: f64, digits: i32) -> Value {
        json!({"amount": amount, "currency": "KYM", "names": ["Kybrian mark"], "symbol": "₭", "digits": digits})
    }

    #[test]
    fn money_has_a_currency() {
        let expected = mark(12_300_000.0, 0);
        let why = |actual: Value| SameMoney.compare(&expected, &actual).because;
        let all = [
            json!("12.3 million KYM"),
            json!("KYM 12,300,000"),
            json!("12'300'000 Kybrian marks"),
            json!("₭12.3m"),
            json!("12.3M kym"),
            json!({"amount": "12.3 million", "currency": "Kybrian mark"}),
            json!("12,300,000"),
            json!(12_300_000),
            json!("12.3 million USD"),
            json!("12.3 thousand KYM"),
            json!("12,300 KYM"),
            json!("12,300,001 KYM"),
            json!("-KYM 12,300,000"),
            json!("KYM -12,300,000"),
            json!("KYM 12.3 million KYM"),
            json!({"amount": 12_300_000}),
            json!([]),
        ];
        insta::assert_snapshot!(all.map(why).join("\n"), @r#"
        it is "12.3 million KYM"
        it is "KYM 12,300,000"
        it is "12'300'000 Kybrian marks"
        it is "₭12.3m"
        it is "12.3M kym"
        it is {"amount":"12.3 million","currency":"Kybrian mark"}
        it is "12,300,000", which names no currency
        it is 12300000, which names no currency
        it is "12.3 million USD", where `USD` is not KYM
        it is "12.3 thousand KYM", not 12300000 KYM
        it is "12,300 KYM", not 12300000 KYM
        it is "12,300,001 KYM", not 12300000 KYM
        it is "-KYM 12,300,000", not 12300000 KYM
        it is "KYM -12,300,000", not 12300000 KYM
        it is "KYM 12.3 million KYM", which is no amount of money
        it is {"amount":12300000}, which names no currency
        it is [], which is no amount of money
        "#);
        let debt = mark(-5.5, 1);
        for right in ["-5.5 KYM", "KYM -5.5", "−₭5.5", "-KYM 5.5"] {
            assert!(SameMoney.compare(&debt, &json!(right)).score.is_full(), "{right}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let wrong = [
            json!(7),
            json!({"amount": 7}),
            json!({"amount": 7, "currency": "KY7"}),
            json!({"amount": 7, "currency": "KYM", "symbol": "M"}),
            json!({"amount": 7, "currency": "KYM", "name": "mark"}),
        ];
        insta::assert_snapshot!(wrong.map(|expected| SameMoney.fits(&expected).unwrap_err()).join("\n"), @r#"
        money such as { amount = 12300000, currency = "KYM" } is expected, not 7
        `currency` is missing: { amount = 12300000, currency = "KYM" }
        `KY7` cannot name a currency: it has digits or could be a part of a number
        `M` cannot name a currency: it has digits or could be a part of a number
        `name` means nothing here; did you mean `names`?
        "#);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 400, ..ProptestConfig::default() })]

        #[test]
        fn near_fails_and_like_passes(
            amount in prop_oneof![Just(0.0), -1e3..1e3, -1e11..1e11, (-100_000..100_000).prop_map(f64::from)],
            digits in -6..3,
            bare: bool,
        ) {
            let mut expected = mark(amount, digits);
            expected["bare"] = json!(bare);
            let (n_near, n_like) = hold_both_ways(&SameMoney, &expected);
            prop_assert!(n_near >= 13 && n_like >= 16, "{n_near} {n_like}");
        }

        #[test]
        fn nothing_panics(expected in odd_json(), actual in odd_json()) {
            survive(&SameMoney, &expected, &actual);
        }
    }
}
