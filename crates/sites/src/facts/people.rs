//! What is said of people.

use quintain_atlas::people::{Calling, Post};
use quintain_atlas::{Atlas, Date, Entity, PersonId, Value};

use super::{Aspect, entity};

pub(super) fn told(atlas: &Atlas, person: PersonId, aspect: Aspect, as_of: Date) -> Option<Value> {
    let table = &atlas.people;
    let tenure = |nth: u32| atlas.tenures.of(person).get(nth as usize).filter(|tenure| tenure.from <= as_of);
    let employment = |nth: u32| atlas.employments.of(person).get(nth as usize).filter(|job| job.from <= as_of);
    match aspect {
        Aspect::OtherName => atlas.person_alias(person).map(Value::Text),
        Aspect::Kind => Some(Value::Term(calling_label(table.calling[person]))),
        Aspect::Country => Some(entity(table.country[person])),
        Aspect::Born => Some(Value::Date(table.born[person])),
        Aspect::BornDecade => Some(Value::Text(format!("{}s", table.born[person].year() / 10 * 10))),
        Aspect::Died => table.died[person].filter(|&died| died <= as_of).map(Value::Date),
        Aspect::Birthplace => Some(entity(table.birthplace[person])),
        Aspect::Employer => Some(entity(atlas.employer(person, as_of)?)),
        Aspect::PastEmployer(nth) => Some(entity(employment(nth)?.institution)),
        Aspect::EmployedFrom(nth) => Some(Value::Date(employment(nth)?.from)),
        Aspect::EmployedTo(nth) => {
            let next = atlas.employments.of(person).get(nth as usize + 1).map(|next| next.from.plus_days(-1));
            next.or(table.died[person]).filter(|&to| to < as_of).map(Value::Date)
        }
        Aspect::TenureAt(nth) => Some(Value::Entity(post_of(tenure(nth)?.post))),
        Aspect::TenurePost(nth) => Some(Value::Text(post_label(tenure(nth)?.post))),
        Aspect::TenureFrom(nth) => Some(Value::Date(tenure(nth)?.from)),
        Aspect::TenureTo(nth) => tenure(nth)?.to.filter(|&to| to < as_of).map(Value::Date),
        _ => None,
    }
}

fn post_of(post: Post) -> Entity {
    match post {
        Post::Chair(company) | Post::ChiefExecutive(company) => company.into(),
        Post::HeadOfGovernment(country) | Post::Minister(country, _) => country.into(),
        Post::Rector(institution) => institution.into(),
    }
}

/// What a post is called.
fn post_label(post: Post) -> String {
    match post {
        Post::Chair(_) => "chair".to_owned(),
        Post::ChiefExecutive(_) => "chief executive".to_owned(),
        Post::HeadOfGovernment(_) => "head of government".to_owned(),
        Post::Minister(_, ministry) => format!("minister for {}", ministry.label()),
        Post::Rector(_) => "director".to_owned(),
    }
}

/// What a calling is called.
fn calling_label(calling: Calling) -> &'static str {
    match calling {
        Calling::Executive => "business executive",
        Calling::Scholar => "scholar",
        Calling::Politician => "politician",
        Calling::Other => "public figure",
    }
}
