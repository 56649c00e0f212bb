//! What the encyclopaedia says, and when each article was last checked.

use crate::atlas::Atlas;
use crate::date::Date;
use crate::dice::Strand;
use crate::entity::Entity;
use crate::ids::InstitutionId;

impl Atlas {
    /// The day on which an article was last checked. Whatever changes with time is told as of that day. One article in
    /// twelve has not been looked at for years.
    pub fn article_checked(&self, entity: Entity) -> Date {
        let id = match entity {
            Entity::Country(id) => id.0,
            Entity::Region(id) => id.0,
            Entity::Place(id) => id.0,
            Entity::Person(id) => id.0,
            Entity::Company(id) => id.0,
            Entity::Institution(id) => id.0,
            Entity::Topic(id) => id.0,
            Entity::Venue(id) => id.0,
            // Nobody else tells who belongs to a bloc, so those articles are kept up.
            _ => return Date::TODAY.plus_days(-30),
        };
        let mut dice = self.key.dice_of_pair(Strand::Encyclopaedia, entity.kind() as u64, u64::from(id));
        let (first, last) = if dice.chance(80) { (2012, 2021) } else { (2025, 2025) };
        Date(dice.days(Date::year_start(first).0, Date::new(last, 11, 30).0))
    }

    /// Whether an article was last checked before 2025.
    pub fn is_outdated(&self, entity: Entity) -> bool {
        self.article_checked(entity) < Date::year_start(2025)
    }

    /// The year of foundation that the encyclopaedia tells.
    pub fn founded_by_encyclopaedia(&self, institution: InstitutionId) -> i16 {
        self.institutions.founded_by_encyclopaedia[institution].unwrap_or(self.institutions.founded[institution])
    }
}
