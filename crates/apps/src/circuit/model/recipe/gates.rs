//! From expressions to gates: what is used twice is built once.

use std::collections::BTreeMap;

use super::{CircuitRecipe, Ingredient};
use crate::circuit::model::catalogue::PartKind;
use crate::circuit::model::expression::{Expression, GateOperator};

/// The most inputs a gate has.
const MOST_INPUTS: usize = 4;

/// The logic inputs, the gates and the logic outputs of a recipe.
pub(super) fn ingredients(recipe: &CircuitRecipe) -> Result<Vec<Ingredient>, String> {
    let mut workshop = GateBuilder::default();
    for step in &recipe.gates {
        let expression = Expression::read(&step.is)?;
        workshop.build(&expression, Some(&step.net))?;
    }
    let inputs = recipe.inputs.iter().map(|terminal| {
        let net = workshop.resolved(&terminal.net);
        Ingredient::plain(PartKind::LogicInput, &terminal.label, [("out", net)])
    });
    let outputs = recipe.outputs.iter().map(|terminal| {
        let net = workshop.resolved(&terminal.net);
        Ingredient::plain(PartKind::LogicOutput, &terminal.label, [("in", net)])
    });
    Ok(inputs.chain(workshop.gates.clone()).chain(outputs).collect())
}

#[derive(Default)]
struct GateBuilder {
    gates: Vec<Ingredient>,
    /// The net of what has been built.
    built: BTreeMap<Expression, String>,
    /// Nets that are another one by another name.
    same: BTreeMap<String, String>,
}

impl GateBuilder {
    fn resolved(&self, net: &str) -> String {
        self.same.get(net).cloned().unwrap_or_else(|| net.to_owned())
    }

    /// Builds an expression and returns its net, which is the wanted one unless it was there before.
    fn build(&mut self, expression: &Expression, wanted: Option<&str>) -> Result<String, String> {
        let found = match expression {
            Expression::Name(name) => Some(self.resolved(name)),
            other => self.built.get(other).cloned(),
        };
        if let Some(found) = found {
            self.same.extend(wanted.map(|net| (net.to_owned(), found.clone())));
            return Ok(found);
        }
        let inputs = match expression {
            Expression::Not(inner) => vec![self.build(inner, None)?],
            Expression::Gate(operator, inputs) => self.gather(*operator, inputs)?,
            Expression::Name(_) | Expression::Constant(_) => Vec::new(),
        };
        let net = wanted.map_or_else(|| format!("~{}", self.gates.len()), str::to_owned);
        self.gates.push(match expression {
            Expression::Constant(level) => constant(*level, &net),
            Expression::Gate(operator, _) => gate(kind_of(*operator), inputs, &net),
            Expression::Name(_) | Expression::Not(_) => gate(PartKind::Not, inputs, &net),
        });
        self.built.insert(expression.clone(), net.clone());
        Ok(net)
    }

    /// The nets of a gate's inputs; more than a gate has are gathered in gates before it.
    fn gather(&mut self, operator: GateOperator, inputs: &[Expression]) -> Result<Vec<String>, String> {
        if inputs.len() <= MOST_INPUTS {
            return inputs.iter().map(|input| self.build(input, None)).collect();
        }
        if !matches!(operator, GateOperator::And | GateOperator::Or | GateOperator::Xor) {
            return Err(format!("{} inputs are too many for a {} gate", inputs.len(), operator.word()));
        }
        let (last, first) = inputs.split_last().expect("there are more than a gate has");
        let (before, beside) = first.split_at(first.len() - (MOST_INPUTS - 2));
        let before = match before {
            [one] => one.clone(),
            many => Expression::Gate(operator, many.to_vec()),
        };
        [&before].into_iter().chain(beside).chain([last]).map(|input| self.build(input, None)).collect()
    }
}

fn kind_of(operator: GateOperator) -> PartKind {
    match operator {
        GateOperator::And => PartKind::And,
        GateOperator::Or => PartKind::Or,
        GateOperator::Xor => PartKind::Xor,
        GateOperator::Nand => PartKind::Nand,
        GateOperator::Nor => PartKind::Nor,
        GateOperator::Xnor => PartKind::Xnor,
    }
}

fn gate(kind: PartKind, inputs: Vec<String>, net: &str) -> Ingredient {
    let mut gate = Ingredient::plain(kind, "", [("out", net.to_owned())]);
    if kind == PartKind::Not {
        gate.pins.extend(inputs.into_iter().map(|input| ("in".to_owned(), input)));
        return gate;
    }
    if inputs.len() > 2 {
        gate.settings.insert("inputs".to_owned(), inputs.len().to_string().into());
    }
    gate.pins.extend(inputs.into_iter().enumerate().map(|(idx, input)| (format!("in{}", idx + 1), input)));
    gate
}

/// A level that never changes: ground, or a rail of five volts.
fn constant(level: bool, net: &str) -> Ingredient {
    if level {
        return Ingredient::plain(PartKind::DcRail, "", [("out", net.to_owned())]);
    }
    Ingredient::plain(PartKind::Ground, "", [("a", net.to_owned())])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(text: &str) -> String {
        let recipe = match CircuitRecipe::read(text) {
            Ok(recipe) => recipe,
            Err(why) => return format!("? {why}"),
        };
        let all = match recipe.ingredients() {
            Ok(all) => all,
            Err(why) => return format!("? {why}"),
        };
        let line = |part: &Ingredient| {
            let pins: Vec<String> = part.pins.iter().map(|(pin, net)| format!("{pin}={net}")).collect();
            format!("{:?} {} {}", part.kind, part.label, pins.join(" "))
        };
        all.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn what_is_used_twice_is_built_once() {
        insta::assert_snapshot!(built(r#"
            inputs = [{ net = "a", label = "A" }, { net = "b", label = "B" }]
            outputs = [{ net = "x", label = "X" }, { net = "y", label = "Y" }, { net = "z", label = "Z" }]
            gates = [{ net = "x", is = "not a and b" }, { net = "y", is = "not a or (not a and b)" }, { net = "z", is = "a" }]
        "#), @"
        LogicInput A out=a
        LogicInput B out=b
        Not  in=a out=~0
        And  in1=~0 in2=b out=x
        Or  in1=~0 in2=x out=y
        LogicOutput X in=x
        LogicOutput Y in=y
        LogicOutput Z in=a
        ");
    }

    #[test]
    fn wide_gates_are_gathered_and_constants_are_parts() {
        insta::assert_snapshot!(built(r#"
            inputs = [{ net = "a", label = "A" }]
            outputs = [{ net = "x", label = "X" }, { net = "y", label = "Y" }]
            gates = [{ net = "x", is = "a or b or c or d or e or f" }, { net = "y", is = "0" }]
        "#), @"
        LogicInput A out=a
        Or  in1=a in2=b in3=c out=~0
        Or  in1=~0 in2=d in3=e in4=f out=x
        Ground  a=y
        LogicOutput X in=x
        LogicOutput Y in=y
        ");
        insta::assert_snapshot!(built(r#"gates = [{ net = "x", is = "a nor b nor c nor d nor e" }]"#), @"? 5 inputs are too many for a nor gate");
    }

    #[test]
    fn settings_are_read_with_their_units_and_refused_when_unknown() {
        let part = |settings: &str, pins: &str| {
            built(&format!("[[part]]\nkind = \"resistor\"\nlabel = \"R1\"\nsettings = {settings}\npins = {pins}"))
        };
        insta::assert_snapshot!([
            part("{ resistance = \"2.2 kΩ\" }", "{ a = \"x\", b = \"y\" }"),
            part("{ resistance = \"much\" }", "{ a = \"x\" }"),
            part("{ colour = \"red\" }", "{ a = \"x\" }"),
            part("{ }", "{ c = \"x\" }"),
        ].join("\n"), @r#"
        Resistor R1 a=x b=y
        ? `resistance` of Resistor cannot be "much"
        ? Resistor has no setting `colour`; there is `label`, `resistance`
        ? Resistor has no pin `c`; there is `a`, `b`
        "#);
    }
}
