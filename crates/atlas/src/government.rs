//! Governments: who headed them, and who led which ministry.

use serde::{Deserialize, Serialize};

use crate::column::RowId;
use crate::date::Date;
use crate::dice::{Strand, WorldKey};
use crate::ids::CountryId;
use crate::people::{Calling, PersonTable, Post, Term, TermRule, TermTable, TermWriter};

/// What a minister is responsible for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ministry {
    /// Money of the state.
    Finance,
    /// Order at home.
    Interior,
    /// Other countries.
    ForeignAffairs,
    /// Nature and climate.
    Environment,
    /// Schools and science.
    Education,
    /// Health.
    Health,
    /// Roads, rails and ports.
    Transport,
    /// Work and welfare.
    Labour,
}

impl Ministry {
    /// All ministries.
    pub const ALL: [Self; 8] = [
        Self::Finance,
        Self::Interior,
        Self::ForeignAffairs,
        Self::Environment,
        Self::Education,
        Self::Health,
        Self::Transport,
        Self::Labour,
    ];

    /// What the ministry is called.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Finance => "finance",
            Self::Interior => "interior",
            Self::ForeignAffairs => "foreign affairs",
            Self::Environment => "environment",
            Self::Education => "education and science",
            Self::Health => "health",
            Self::Transport => "transport",
            Self::Labour => "labour and social affairs",
        }
    }
}

/// Terms of heads of government and ministers since about 1988.
#[derive(Clone, Debug, PartialEq)]
pub struct GovernmentTable {
    /// Who headed the government of each country.
    pub heads: TermTable<CountryId>,
    ministers: Vec<TermTable<CountryId>>,
}

impl GovernmentTable {
    pub(crate) fn new(key: WorldKey, n_countries: usize, people: &PersonTable) -> Self {
        let table = |post: u64, shortest_days, longest_days| {
            let rule = TermRule { calling: Calling::Politician, shortest_days, longest_days, vacancies: 0 };
            let writer = TermWriter { people, rule };
            let mut table = TermTable::new();
            let mut terms: Vec<Term> = Vec::new();
            for country in (0..n_countries).map(CountryId::from_index) {
                let mut dice = key.dice_of_pair(Strand::Government, u64::from(country.0), post);
                let since = Date(dice.days(Date::new(1986, 1, 1).0, Date::new(1989, 12, 31).0));
                writer.succession(country, since, &mut dice, &mut terms);
                table.push(terms.iter().copied());
            }
            table
        };
        let ministers = Ministry::ALL.into_iter().map(|ministry| table(1 + ministry as u64, 300, 2400)).collect();
        Self { heads: table(0, 420, 3300), ministers }
    }

    /// Who led a ministry of each country.
    pub fn ministers(&self, ministry: Ministry) -> &TermTable<CountryId> {
        &self.ministers[ministry as usize]
    }

    pub(crate) fn posts(&self) -> impl Iterator<Item = (Post, &Term)> + Clone {
        let heads = self.heads.all().map(|(country, term)| (Post::HeadOfGovernment(country), term));
        let ministers = Ministry::ALL.into_iter().flat_map(|ministry| {
            self.ministers(ministry).all().map(move |(country, term)| (Post::Minister(country, ministry), term))
        });
        heads.chain(ministers)
    }
}
