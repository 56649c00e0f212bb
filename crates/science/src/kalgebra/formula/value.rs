//! What an expression comes to.

use std::collections::BTreeMap;

use super::functions;
use super::term::AlgebraTerm;

/// So many steps are computed at most, and calls nested: definitions can go in circles.
const MOST_STEPS: u32 = 200_000;
const MOST_CALLS: u32 = 100;
/// The longest sum.
const MOST_SUMMANDS: f64 = 10_000.0;
/// Half the distance over which a slope is taken.
const SLOPE_STEP: f64 = 1e-3;

/// What names mean, by name.
pub(crate) type Definitions = BTreeMap<String, AlgebraTerm>;

/// What an expression comes to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum AlgebraValue {
    Number(f64),
    /// `vector`, `list`, `matrix` or `matrixrow`, and what is in it.
    Collection(String, Vec<AlgebraValue>),
    /// Its names, its body, and what other names in it meant when it was made.
    Function(Vec<String>, AlgebraTerm, BTreeMap<String, AlgebraValue>),
}

impl AlgebraValue {
    /// The number, where it is one.
    pub(super) fn number(&self) -> Option<f64> {
        if let Self::Number(number) = self { Some(*number) } else { None }
    }
}

/// What names mean where an expression is computed.
pub(crate) struct TermScope<'a> {
    definitions: &'a Definitions,
    locals: BTreeMap<String, AlgebraValue>,
    n_steps: u32,
    n_calls: u32,
}

impl<'a> TermScope<'a> {
    /// With definitions, and values for some names.
    pub(crate) fn new(definitions: &'a Definitions, values: &[(&str, f64)]) -> Self {
        let locals = values.iter().map(|(name, value)| ((*name).to_owned(), AlgebraValue::Number(*value))).collect();
        Self { definitions, locals, n_steps: 0, n_calls: 0 }
    }

    /// What an expression comes to as a number.
    pub(crate) fn number(&mut self, term: &AlgebraTerm) -> Option<f64> {
        self.value(term)?.number()
    }

    /// What an expression comes to; nothing where it makes no sense.
    pub(crate) fn value(&mut self, term: &AlgebraTerm) -> Option<AlgebraValue> {
        self.n_steps += 1;
        if self.n_steps > MOST_STEPS {
            return None;
        }
        let number = |number: f64| Some(AlgebraValue::Number(number));
        match term {
            AlgebraTerm::Number(written) => number(*written),
            AlgebraTerm::Name(name) => self.named(name),
            AlgebraTerm::Negative(inner) => functions::negative(self.value(inner)?),
            AlgebraTerm::Pair(left, operator, right) => {
                functions::pair(&self.value(left)?, operator, &self.value(right)?)
            }
            AlgebraTerm::Call(called, given) => {
                let given: Option<Vec<AlgebraValue>> = given.iter().map(|given| self.value(given)).collect();
                self.call(called, given?)
            }
            AlgebraTerm::Lambda(names, body) => {
                Some(AlgebraValue::Function(names.clone(), (**body).clone(), self.locals.clone()))
            }
            AlgebraTerm::Collection(kind, items) => {
                let items: Option<Vec<AlgebraValue>> = items.iter().map(|item| self.value(item)).collect();
                Some(AlgebraValue::Collection(kind.clone(), items?))
            }
            AlgebraTerm::Piecewise(cases) => {
                for (when, then) in cases {
                    let holds = when.as_ref().map_or(Some(1.0), |when| self.number(when))? != 0.0;
                    if holds {
                        return self.value(then);
                    }
                }
                number(f64::NAN)
            }
            AlgebraTerm::Bounded(what, body, name, bounds) => self.bounded(what, body, name, bounds.as_deref()),
            AlgebraTerm::Slope(body, name) => self.slope(body, name).map(AlgebraValue::Number),
        }
    }

    fn named(&mut self, name: &str) -> Option<AlgebraValue> {
        if let Some(value) = self.locals.get(name) {
            return Some(value.clone());
        }
        let Some(term) = self.definitions.get(name) else { return functions::constant(name) };
        let outer = std::mem::take(&mut self.locals);
        let value = self.deeper(|scope| scope.value(term));
        self.locals = outer;
        value
    }

    fn call(&mut self, called: &AlgebraTerm, given: Vec<AlgebraValue>) -> Option<AlgebraValue> {
        let name = if let AlgebraTerm::Name(name) = called { name.as_str() } else { "" };
        let is_defined = self.locals.contains_key(name) || self.definitions.contains_key(name);
        if !name.is_empty() && !is_defined {
            return functions::named(name, &given);
        }
        let called = self.value(called)?;
        self.apply(&called, given)
    }

    /// What a function gives for some values.
    pub(super) fn apply(&mut self, called: &AlgebraValue, given: Vec<AlgebraValue>) -> Option<AlgebraValue> {
        let AlgebraValue::Function(names, body, kept) = called else { return None };
        if names.len() != given.len() {
            return None;
        }
        let mut inner = kept.clone();
        inner.extend(names.iter().cloned().zip(given));
        let outer = std::mem::replace(&mut self.locals, inner);
        let value = self.deeper(|scope| scope.value(body));
        self.locals = outer;
        value
    }

    fn deeper<T>(&mut self, compute: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.n_calls == MOST_CALLS {
            return None;
        }
        self.n_calls += 1;
        let value = compute(self);
        self.n_calls -= 1;
        value
    }

    fn bounded(
        &mut self,
        what: &str,
        body: &AlgebraTerm,
        name: &str,
        bounds: Option<&(AlgebraTerm, AlgebraTerm)>,
    ) -> Option<AlgebraValue> {
        let Some((from, to)) = bounds else {
            let slope = AlgebraTerm::Slope(Box::new(body.clone()), name.to_owned());
            let function = AlgebraValue::Function(vec![name.to_owned()], slope, self.locals.clone());
            return (what == "diff").then_some(function);
        };
        let (from, to) = (self.number(from)?, self.number(to)?);
        let is_sum = what == "sum";
        if !(is_sum || what == "product") || !(from..=from + MOST_SUMMANDS).contains(&to) {
            return None;
        }
        let mut total = if is_sum { 0.0 } else { 1.0 };
        let mut at = from;
        while at <= to {
            let next = self.at(body, name, at)?;
            total = if is_sum { total + next } else { total * next };
            at += 1.0;
        }
        Some(AlgebraValue::Number(total))
    }

    /// The slope by differences over two distances, of which the error of the larger is taken off.
    fn slope(&mut self, body: &AlgebraTerm, name: &str) -> Option<f64> {
        let at = self.locals.get(name)?.number()?;
        let mut over =
            |step: f64| Some((self.at(body, name, at + step)? - self.at(body, name, at - step)?) / (2.0 * step));
        Some((4.0 * over(SLOPE_STEP)? - over(2.0 * SLOPE_STEP)?) / 3.0)
    }

    /// What an expression comes to where a name has this value.
    fn at(&mut self, body: &AlgebraTerm, name: &str, value: f64) -> Option<f64> {
        let before = self.locals.insert(name.to_owned(), AlgebraValue::Number(value));
        let computed = self.number(body);
        match before {
            Some(before) => drop(self.locals.insert(name.to_owned(), before)),
            None => drop(self.locals.remove(name)),
        }
        computed
    }
}
