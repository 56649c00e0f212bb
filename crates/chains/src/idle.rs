//! Conditions that decide nothing. Whoever passes over the condition of a list and takes everything that could be in it must
//! come to other answers after it, or finding the list is work that nobody has to do.

use quintain_atlas::Atlas;
use quintain_atlas::query::{EntityPool, Query, Test};
use quintain_core::task::{AnswerType, ChainField, ChainSpec};

use crate::find::Variables;
use crate::proof::is_as_good;
use crate::solve::{FieldValue, SolvedField, fields, solve_as};

/// The first list whose condition decides nothing: without it all later answers are the same.
pub(crate) fn idle_condition(
    atlas: &Atlas,
    spec: &ChainSpec,
    drawn: &Variables,
    solved: &[SolvedField],
) -> Option<String> {
    let lists = fields(spec).zip(solved).filter(|((_, field), _)| field.answer_type == AnswerType::Names);
    let mut idle = lists.filter_map(|((step, field), one)| {
        let all = without_its_condition(atlas, field, one)?;
        (all == one.value || !decides(atlas, spec, drawn, solved, (step, &field.name, &all))).then(|| one.name.clone())
    });
    idle.next()
}

/// What a list is to somebody who passes over its condition; nothing where it has none.
pub(crate) fn without_its_condition(atlas: &Atlas, field: &ChainField, list: &SolvedField) -> Option<FieldValue> {
    let all = atlas.evaluate(&without_condition(&list.query)?);
    FieldValue::of(field.answer_type, &all, None)
}

/// Whether some answer after a list is another one if the list is taken to be this. Lists and tables do not count: they are
/// longer then, whatever is asked of them.
fn decides(
    atlas: &Atlas,
    spec: &ChainSpec,
    drawn: &Variables,
    solved: &[SolvedField],
    (step, name, all): (usize, &str, &FieldValue),
) -> bool {
    let Ok(followed) = solve_as(atlas, spec, drawn, Some((name, all)), &Atlas::evaluate) else { return true };
    let is_single = |answer_type| !matches!(answer_type, AnswerType::Names | AnswerType::Table);
    let mut later = fields(spec).zip(followed.iter().zip(solved)).filter(|((at, _), _)| *at > step);
    later.any(|((_, field), (other, right))| {
        is_single(field.answer_type) && !is_as_good(field, &other.value, &right.value)
    })
}

/// The query without what makes it a choice: what is compared, which licence was held, how many are taken. Nothing where
/// nothing does.
fn without_condition(query: &Query) -> Option<Query> {
    let is_condition = |test: &Test| matches!(test, Test::Compare(..) | Test::HeldLicence(..));
    let EntityPool { base, tests, top } = &query.pool;
    (top.is_some() || tests.iter().any(is_condition)).then(|| {
        let tests = tests.iter().filter(|test| !is_condition(test)).cloned().collect();
        Query { pool: EntityPool { base: base.clone(), tests, top: None }, ask: query.ask.clone() }
    })
}

#[cfg(test)]
mod tests {
    use quintain_atlas::{Edition, Size};
    use quintain_core::Rng;
    use serde_json::json;

    use super::*;
    use crate::chain::{ChainWish, QuestionChain};
    use crate::proof::DrawRefusal;
    use crate::solve::solve;

    const CHAIN: &str = include_str!("../../../suites/chains/policy-emissions-and-growth/chain.toml");

    #[test]
    fn whoever_takes_all_members_comes_to_another_country() {
        let chain = QuestionChain::read(CHAIN).unwrap();
        let atlas = Atlas::new(Edition::FIRST, 1, Size::Small);
        let wish = ChainWish {
            parameters: [("candidates".to_owned(), json!([4, 6]))].into(),
            traps: (0, 9),
            most_deeds: usize::MAX,
        };
        let mut rng = Rng::for_purpose(1, "idle conditions");
        let (mut n_drawn, mut n_idle) = (0, 0);
        while n_drawn < 10 {
            match chain.try_draw(&atlas, &wish, &mut rng).unwrap() {
                Ok(instance) => {
                    n_drawn += 1;
                    let everybody: Variables =
                        instance.drawn.into_iter().chain([("bound".to_owned(), json!(-1000))]).collect();
                    let taken = solve(&atlas, &chain.spec, &everybody).unwrap();
                    let country = |fields: &[SolvedField]| {
                        fields.iter().find(|field| field.name == "country").map(|field| field.value.clone())
                    };
                    assert_ne!(country(&taken), country(&instance.fields));
                }
                Err(DrawRefusal::Idle(list)) => {
                    n_idle += 1;
                    assert_eq!(list, "grew");
                }
                Err(_) => {}
            }
        }
        assert!(n_idle > 10, "most conditions of this chain decide nothing: {n_idle} of them were refused");
    }
}
