//! Whether two expressions mean the same, by their values at many places.

use std::collections::BTreeSet;

use super::functions::constant;
use super::term::AlgebraTerm;
use super::value::{AlgebraValue, Definitions, TermScope};

/// At so many places values are compared, besides those at whole numbers.
const N_PLACES: u32 = 60;
/// Places lie so far from 0 at most.
const FARTHEST: f64 = 9.0;
/// How far off a value may be, as a share of it where it is large.
const TOLERANCE: f64 = 1e-6;
/// An equation is known by its values where they are larger than this.
const CLEARLY_NOT_ZERO: f64 = 0.1;
/// So many places at least must have a value.
const LEAST_VALUES: usize = 10;

/// Which names count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameRule {
    /// The expressions are drawn in a plane: `x`, `y`, `q` and `t` say how.
    OfCurve,
    /// They are values or functions, whose arguments may be called anything.
    OfFunction,
}

/// Whether an expression means what another does.
pub(crate) fn are_alike(
    wanted: &AlgebraTerm,
    found: &AlgebraTerm,
    definitions: &Definitions,
    rule: NameRule,
) -> Result<bool, String> {
    match rule {
        NameRule::OfCurve => curves_are_alike(wanted, found, definitions),
        NameRule::OfFunction => functions_are_alike(wanted, found, definitions),
    }
}

/// How something is drawn.
enum PlaneCurve {
    /// Where this is 0.
    Zeros(AlgebraTerm),
    /// The distance from the middle, by the angle `q`.
    Polar(AlgebraTerm),
    /// A place for every `t`.
    Path(AlgebraTerm),
}

impl PlaneCurve {
    fn of(term: &AlgebraTerm) -> Option<Self> {
        let minus = |name: &str, body: &AlgebraTerm| {
            Self::Zeros(AlgebraTerm::pair(AlgebraTerm::Name(name.to_owned()), "-", body.clone()))
        };
        match term {
            AlgebraTerm::Lambda(names, body) => match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
                ["x"] => Some(minus("y", body)),
                ["y"] => Some(minus("x", body)),
                ["q"] => Some(Self::Polar((**body).clone())),
                ["t"] => Some(Self::Path((**body).clone())),
                _ => None,
            },
            AlgebraTerm::Pair(left, "=", right) => {
                Some(Self::Zeros(AlgebraTerm::pair((**left).clone(), "-", (**right).clone())))
            }
            bare => {
                let names = bare.free_names();
                let has = |name: &str| names.contains(name);
                match (has("q"), has("t"), has("y")) {
                    (true, false, false) => Some(Self::Polar(bare.clone())),
                    (false, true, false) => Some(Self::Path(bare.clone())),
                    (false, false, false) => Some(minus("y", bare)),
                    _ => None,
                }
            }
        }
    }
}

fn curves_are_alike(wanted: &AlgebraTerm, found: &AlgebraTerm, definitions: &Definitions) -> Result<bool, String> {
    let wanted = PlaneCurve::of(wanted).ok_or("what is wanted cannot be drawn")?;
    Ok(match (&wanted, PlaneCurve::of(found)) {
        (PlaneCurve::Zeros(wanted), Some(PlaneCurve::Zeros(found))) => {
            let Some((wanted, found)) = drawn_values(wanted, &found, definitions)? else { return Ok(false) };
            let clear = wanted.iter().zip(&found).find(|(wanted, _)| wanted.abs() > CLEARLY_NOT_ZERO);
            // An equation stays what it is where both sides are taken a number of times.
            let times = clear.map_or(f64::NAN, |(wanted, found)| found / wanted);
            times.abs() > TOLERANCE
                && times.is_finite()
                && wanted.iter().zip(&found).all(|(wanted, found)| are_near(*wanted, found / times))
        }
        (PlaneCurve::Polar(wanted), Some(PlaneCurve::Polar(found)))
        | (PlaneCurve::Path(wanted), Some(PlaneCurve::Path(found))) => {
            let Some((wanted, found)) = drawn_values(wanted, &found, definitions)? else { return Ok(false) };
            wanted.iter().zip(&found).all(|(wanted, found)| are_near(*wanted, *found))
        }
        _ => false,
    })
}

type ValuePair = (Vec<f64>, Vec<f64>);

/// The numbers that two expressions come to at the same places, one after the other; nothing where one of them comes to
/// fewer or more.
fn drawn_values(
    wanted: &AlgebraTerm,
    found: &AlgebraTerm,
    definitions: &Definitions,
) -> Result<Option<ValuePair>, String> {
    let names: BTreeSet<String> = wanted.free_names().union(&found.free_names()).cloned().collect();
    let is_open = |name: &&str| !definitions.contains_key(*name) && constant(name).is_none();
    let names: Vec<&str> = names.iter().map(String::as_str).filter(is_open).collect();
    let mut values = ValuePair::default();
    for place in places(names.len()) {
        let given: Vec<(&str, f64)> = names.iter().copied().zip(place).collect();
        let numbers =
            |term: &AlgebraTerm| TermScope::new(definitions, &given).value(term).map(|value| numbers_in(&value));
        let (of_wanted, of_found) = (numbers(wanted).ok_or("what is wanted cannot be computed")?, numbers(found));
        let Some(of_found) = of_found.filter(|found| found.len() == of_wanted.len()) else { return Ok(None) };
        values.0.extend(of_wanted);
        values.1.extend(of_found);
    }
    if values.0.iter().filter(|number| number.is_finite()).count() < LEAST_VALUES {
        return Err("what is wanted has hardly any values".to_owned());
    }
    Ok(Some(values))
}

fn functions_are_alike(wanted: &AlgebraTerm, found: &AlgebraTerm, definitions: &Definitions) -> Result<bool, String> {
    let value = |term: &AlgebraTerm| TermScope::new(definitions, &[]).value(term);
    let wanted = value(wanted).ok_or("what is wanted cannot be computed")?;
    let Some(found) = value(found) else { return Ok(false) };
    let (AlgebraValue::Function(names, ..), AlgebraValue::Function(others, ..)) = (&wanted, &found) else {
        return Ok(same_values(&wanted, &found));
    };
    if names.len() != others.len() {
        return Ok(false);
    }
    let mut n_values = 0;
    for place in places(names.len()) {
        let given: Vec<AlgebraValue> = place.into_iter().map(AlgebraValue::Number).collect();
        let of = |called: &AlgebraValue| TermScope::new(definitions, &[]).apply(called, given.clone());
        let Some(wanted) = of(&wanted) else { continue };
        n_values += usize::from(numbers_in(&wanted).iter().all(|number| number.is_finite()));
        if !of(&found).is_some_and(|found| same_values(&wanted, &found)) {
            return Ok(false);
        }
    }
    if n_values < LEAST_VALUES { Err("what is wanted has hardly any values".to_owned()) } else { Ok(true) }
}

fn same_values(wanted: &AlgebraValue, found: &AlgebraValue) -> bool {
    match (wanted, found) {
        (AlgebraValue::Number(wanted), AlgebraValue::Number(found)) => are_near(*wanted, *found),
        (AlgebraValue::Collection(kind, wanted), AlgebraValue::Collection(other, found)) => {
            let are_same = |(wanted, found)| same_values(wanted, found);
            kind == other && wanted.len() == found.len() && wanted.iter().zip(found).all(are_same)
        }
        _ => false,
    }
}

fn numbers_in(value: &AlgebraValue) -> Vec<f64> {
    match value {
        AlgebraValue::Number(number) => vec![*number],
        AlgebraValue::Collection(_, items) => items.iter().flat_map(numbers_in).collect(),
        AlgebraValue::Function(..) => Vec::new(),
    }
}

/// Whether two numbers are the same but for how they were computed. No number is like no number.
fn are_near(wanted: f64, found: f64) -> bool {
    if !wanted.is_finite() || !found.is_finite() {
        return wanted.is_finite() == found.is_finite();
    }
    (wanted - found).abs() <= TOLERANCE * wanted.abs().max(1.0)
}

/// Places with so many coordinates, always the same: scattered ones, and some of whole numbers.
fn places(n_coordinates: usize) -> Vec<Vec<f64>> {
    let scattered = (1..=N_PLACES).map(|place| {
        let coordinate = |idx: usize| {
            let share = (f64::from(place) * (idx as f64 + 2.0).sqrt() * 0.618_034).fract();
            (2.0 * share - 1.0) * FARTHEST
        };
        (0..n_coordinates).map(coordinate).collect()
    });
    let whole = (0..=20u32).map(|place| {
        let coordinate = |idx: usize| f64::from(place * (2 * idx as u32 + 1) % 21) - 10.0;
        (0..n_coordinates).map(coordinate).collect()
    });
    scattered.chain(whole).collect()
}

#[cfg(test)]
mod tests {
    use super::super::reading::term_of;
    use super::*;

    fn alike(rule: NameRule, wanted: &str, found: &str, defined: &[(&str, &str)]) -> Result<bool, String> {
        let read = |text: &str| term_of(text).map_err(|why| format!("{text}: {why}"));
        let definitions = defined.iter().map(|(name, text)| Ok(((*name).to_owned(), read(text)?)));
        let definitions: Definitions = definitions.collect::<Result<_, String>>()?;
        are_alike(&read(wanted)?, &read(found)?, &definitions, rule)
    }

    #[test]
    fn curves_are_the_same_however_they_are_written() {
        let same = [
            ("sin(3*x)", "sin(x*3)"),
            ("sin(3*x)", "x->sin(3*x)"),
            ("x^2-4", "y=(x-2)*(x+2)"),
            ("x^2-4", "-4+x*x"),
            ("x^2-4", "2*y=2*x^2-8"),
            ("x^3+-4*x+2", "x^3-4*x+2"),
            ("3*x^2", "3 * power(x, 2)"),
            ("x^2+y^2=4", "y^2=4-x^2"),
            ("(x-1)^2+(y+2)^2=9", "x^2-2*x+y^2+4*y=4"),
            ("q->3+cos(q)", "q->cos(q)+6/2"),
            ("t->vector { 2*cos(t), sin(t) }", "t->vector{cos(t)+cos(t),sin(t)}"),
            ("abs(x)", "piecewise { x<0 ? -x, ? x }"),
            ("root(x+5, 2)", "(x+5)^0.5"),
            ("12*(x-2)+8", "(diff(x^3:x))(2)*(x-2)+8"),
            ("k*sin(x)", "sin(x)*k"),
            ("1+2+3+x", "sum(n:n=1..3)+x"),
        ];
        for (wanted, found) in same {
            assert_eq!(alike(NameRule::OfCurve, wanted, found, &[]), Ok(true), "{wanted} and {found}");
        }
        assert_eq!(alike(NameRule::OfCurve, "x^2+1", "f(x)", &[("f", "a->a^2+b"), ("b", "1")]), Ok(true));
    }

    #[test]
    fn curves_that_look_alike_are_not_the_same() {
        let others = [
            ("sin(3*x)", "sin(x)*3"),
            ("sin(3*x)", "sin(3*y)"),
            ("x^2-4", "x^2+4"),
            ("x^2-4", "x^2-4.0001"),
            ("x^2-4", "(x^2-4)*2"),
            ("x^2-4", "4-x^2"),
            ("3*x^2", "3x^2"),
            ("x^2+y^2=4", "x^2+y^2=2"),
            ("x^2+y^2=4", "x^2+y^2-4"),
            ("q->3+cos(q)", "x->3+cos(x)"),
            ("t->vector { 2*cos(t), sin(t) }", "t->vector { sin(t), 2*cos(t) }"),
            ("k*sin(x)", "2.5*sin(x)"),
            ("abs(x)", "x"),
            ("root(x+5, 2)", "root(abs(x+5), 2)"),
            ("x^2", "f(x)"),
            ("x^2", "x->y"),
        ];
        for (wanted, found) in others {
            assert_eq!(alike(NameRule::OfCurve, wanted, found, &[]), Ok(false), "{wanted} and {found}");
        }
    }

    #[test]
    fn functions_are_compared_whatever_their_arguments_are_called() {
        let alike = |wanted: &str, found: &str| alike(NameRule::OfFunction, wanted, found, &[("side", "s->s+1")]);
        assert_eq!(alike("x->x^3-4*x+2", "t->t^3+-4*t+2"), Ok(true));
        assert_eq!(alike("(u, v)->u^2*v", "(a,b)->b*a*a"), Ok(true));
        assert_eq!(alike("x->(x+1)^2", "x->side(x)^2"), Ok(true));
        assert_eq!(alike("(u, v)->u^2*v", "(v, u)->u^2*v"), Ok(false));
        assert_eq!(alike("x->x^2", "x^2"), Ok(false));
        assert_eq!(alike("x->x^2", "(x, y)->x^2"), Ok(false));
        assert_eq!(alike("42", "6*7"), Ok(true));
        let matrix = "matrix { matrixrow { 1, 2 }, matrixrow { 3, 4 } }";
        assert_eq!(alike(matrix, "matrix{matrixrow{1,4-2},matrixrow{3,4}}"), Ok(true));
        assert_eq!(alike(matrix, "matrix{matrixrow{1,3},matrixrow{2,4}}"), Ok(false));
        assert_eq!(alike("vector { 1, 2 }", "list { 1, 2 }"), Ok(false));
        assert_eq!(alike("x->x", "x->loop(x)"), Ok(false));
    }

    #[test]
    fn what_goes_in_circles_ends() {
        let circle = [("f", "x->f(x+1)"), ("g", "g+1")];
        assert_eq!(alike(NameRule::OfFunction, "x->x", "x->f(x)", &circle), Ok(false));
        assert_eq!(alike(NameRule::OfFunction, "1", "g", &circle), Ok(false));
    }

    #[test]
    fn what_is_no_expression_is_told() {
        let texts = ["", "sin(", "2+", "x^", "a b", "1..2", "f{1}", "$", "x=1=2", "1e", "é{", &"(".repeat(1900)];
        let told = texts.map(|text| match term_of(text) {
            Ok(term) => format!("{} -> {term}", text.chars().take(9).collect::<String>()),
            Err(why) => format!("{}: {why}", text.chars().take(9).collect::<String>()),
        });
        insta::assert_snapshot!(told.join("\n"), @r"
        : the end cannot stand there
        sin(: the end cannot stand there
        2+: the end cannot stand there
        x^: the end cannot stand there
        a b: `b` is one too many
        1..2: `..` is one too many
        f{1}: `f` takes no braces
        $: `$` means nothing
        x=1=2: `=` is one too many
        1e -> (1*e)
        é{: `é` takes no braces
        (((((((((: it is nested too deeply
        ");
    }
}
