//! What is said of institutions.

use quintain_atlas::provenance::Source;
use quintain_atlas::{Atlas, Date, InstitutionId, Value};

use super::companies::{TermPart, past};
use super::{Aspect, Office, entity, year};

pub(super) fn told(
    atlas: &Atlas,
    institution: InstitutionId,
    aspect: Aspect,
    source: Source,
    as_of: Date,
) -> Option<Value> {
    let table = &atlas.institutions;
    match aspect {
        Aspect::Kind => Some(Value::Term(table.kind[institution].label())),
        Aspect::Country => Some(entity(table.country[institution])),
        Aspect::Region => Some(entity(atlas.geography.places.region[table.seat[institution]])),
        Aspect::Seat => Some(entity(table.seat[institution])),
        Aspect::Founded if source == Source::Encyclopaedia => {
            Some(year(i32::from(atlas.founded_by_encyclopaedia(institution))))
        }
        Aspect::Founded => Some(year(i32::from(table.founded[institution]))),
        Aspect::Holder(Office::Rector) => Some(entity(table.rectors.at(institution, as_of)?.person)),
        Aspect::PastHolder(Office::Rector, nth) => past(&table.rectors, institution, nth, as_of, TermPart::Holder),
        Aspect::HolderFrom(Office::Rector, nth) => past(&table.rectors, institution, nth, as_of, TermPart::From),
        Aspect::HolderTo(Office::Rector, nth) => past(&table.rectors, institution, nth, as_of, TermPart::To),
        _ => None,
    }
}
