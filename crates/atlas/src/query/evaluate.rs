//! Evaluating questions by looking at everything.

use super::reader::Reader;
use super::{
    Answer, Ask, Base, Candidate, EntityPool, Link, Margin, MarginKind, Measure, Misreading, Order, Query,
    QueryOutcome, Test,
};
use crate::atlas::Atlas;
use crate::companies::{Accounts, RestatementReason};
use crate::entity::{Entity, Kind};
use crate::gazette::NoticeMatter;
use crate::ids::{CountryId, IndicatorId};
use crate::statistics::known;
use crate::value::{MeasureUnit, Number};

impl Atlas {
    /// What a question comes to by the rules.
    pub fn evaluate(&self, query: &Query) -> QueryOutcome {
        Reader { atlas: self, misreading: None }.evaluated(query)
    }

    /// What a question comes to in a wrong reading.
    pub fn evaluate_misread(&self, query: &Query, misreading: Misreading) -> QueryOutcome {
        Reader { atlas: self, misreading: Some(misreading) }.evaluated(query)
    }

    /// The wrong readings that change the answer, with what they come to.
    pub fn misreadings_that_change(&self, query: &Query) -> Vec<(Misreading, QueryOutcome)> {
        let right = self.evaluate(query).answer;
        let outcomes = Misreading::ALL.into_iter().map(|wrong| (wrong, self.evaluate_misread(query, wrong)));
        outcomes.filter(|(_, outcome)| outcome.answer != right).collect()
    }
}

impl Reader<'_> {
    fn evaluated(&self, query: &Query) -> QueryOutcome {
        let (pool, mut margins) = self.pool(&query.pool);
        let plain = || pool.iter().map(|&entity| Candidate { entity, number: None }).collect::<Vec<_>>();
        let (answer, candidates) = match &query.ask {
            Ask::List => (entities(pool.clone()), plain()),
            Ask::Count => (Answer::Number(Number::whole(pool.len() as i64, MeasureUnit::Count)), plain()),
            Ask::Best { by, order } => self.best(&pool, by, *order, &mut margins),
            Ask::Sum(measure) => self.sum(&pool, measure),
            Ask::Table(measures) => {
                let row =
                    |&entity| (entity, measures.iter().map(|by| self.measured(entity, by, Some(&pool))).collect());
                let rows: Vec<_> = pool.iter().map(row).collect();
                (if rows.is_empty() { Answer::Nothing } else { Answer::Table(rows) }, plain())
            }
            Ask::Follow(link) => (entities(pool.iter().flat_map(|&of| self.related(of, *link)).collect()), plain()),
            Ask::RestatementReason => {
                (self.reason(&pool).map_or(Answer::Nothing, |it| Answer::Term(it.label())), plain())
            }
        };
        QueryOutcome { answer, candidates, margins }
    }

    /// The entities of a pool, and how near others came to being in it.
    fn pool(&self, pool: &EntityPool) -> (Vec<Entity>, Vec<Margin>) {
        let base: Box<dyn Iterator<Item = Entity>> = match &pool.base {
            Base::All(kind) => self.all(*kind, &pool.tests),
            Base::These(entities) => Box::new(entities.iter().copied()),
            Base::Related(entity, link) => Box::new(self.related(*entity, *link).into_iter()),
        };
        let (bounds, others): (Vec<&Test>, Vec<&Test>) =
            pool.tests.iter().partition(|test| matches!(test, Test::Compare(..)));
        let looked_at: Vec<Entity> =
            base.filter(|&entity| others.iter().all(|test| self.passes(entity, test))).collect();
        let mut margins: Vec<Margin> =
            bounds.iter().filter_map(|test| self.nearest_to_bound(&looked_at, test)).collect();
        let mut kept: Vec<Entity> =
            looked_at.into_iter().filter(|&entity| bounds.iter().all(|test| self.passes(entity, test))).collect();
        if let Some(top) = &pool.top {
            let ranked = self.ranked(&kept, &top.by, top.order);
            margins.extend(neighbour(&ranked, top.n, MarginKind::Cut));
            kept = ranked.iter().take(top.n).map(|(entity, _)| *entity).collect();
        }
        (kept, margins)
    }

    /// All entities of a kind, or a part of them that holds all which can pass: papers of a topic, companies of a region,
    /// banks.
    fn all<'b>(&'b self, kind: Kind, tests: &[Test]) -> Box<dyn Iterator<Item = Entity> + 'b> {
        let companies = &self.atlas.companies;
        let narrowed = tests.iter().find_map(|test| -> Option<Box<dyn Iterator<Item = Entity>>> {
            match (kind, test) {
                (Kind::Paper, Test::Is(Link::Topic, Entity::Topic(topic))) => {
                    Some(Box::new(self.atlas.papers.of_topic.of(*topic).iter().copied().map(Entity::Paper)))
                }
                (Kind::Company, Test::Is(Link::Region, Entity::Region(region))) => {
                    Some(Box::new(companies.of_region.of(*region).iter().copied().map(Entity::Company)))
                }
                (Kind::Company, Test::HeldLicence(..)) => {
                    Some(Box::new(companies.banks.iter().copied().map(Entity::Company)))
                }
                _ => None,
            }
        });
        narrowed.unwrap_or_else(|| Box::new(self.atlas.entities(kind)))
    }

    fn nearest_to_bound(&self, looked_at: &[Entity], test: &Test) -> Option<Margin> {
        let Test::Compare(measure, _, bound) = test else { return None };
        let numbers = looked_at.iter().filter_map(|&entity| self.measured(entity, measure, None));
        let margins = numbers.map(|number| Margin::of_values(MarginKind::Threshold, number, *bound));
        margins.min_by(|one, other| one.units.total_cmp(&other.units))
    }

    /// The entities that have a number, the best first; of equal ones the one with the smaller id.
    fn ranked(&self, pool: &[Entity], by: &Measure, order: Order) -> Vec<(Entity, Number)> {
        let mut ranked: Vec<(Entity, Number)> =
            pool.iter().filter_map(|&entity| Some((entity, self.measured(entity, by, Some(pool))?))).collect();
        ranked.sort_by(|one, other| {
            let by_number = one.1.value().total_cmp(&other.1.value());
            let by_number = if order == Order::Most { by_number.reverse() } else { by_number };
            by_number.then(one.0.cmp(&other.0))
        });
        ranked
    }

    fn best(&self, pool: &[Entity], by: &Measure, order: Order, margins: &mut Vec<Margin>) -> (Answer, Vec<Candidate>) {
        let ranked = self.ranked(pool, by, order);
        margins.extend(neighbour(&ranked, 1, MarginKind::RunnerUp));
        margins.extend(rankings(by).into_iter().filter_map(|measure| self.tightest(pool, measure)));
        let candidates = ranked.iter().map(|&(entity, number)| Candidate { entity, number: Some(number) }).collect();
        (ranked.first().map_or(Answer::Nothing, |&(entity, number)| Answer::Best(entity, number)), candidates)
    }

    /// How near two neighbours of a ranking are.
    fn tightest(&self, pool: &[Entity], by: &Measure) -> Option<Margin> {
        let ranked = self.ranked(pool, by, Order::Most);
        let pairs = ranked.windows(2).map(|pair| Margin::between(MarginKind::Neighbours, pair[0].1, pair[1].1));
        pairs.min_by(|one, other| one.units.total_cmp(&other.units))
    }

    fn sum(&self, pool: &[Entity], measure: &Measure) -> (Answer, Vec<Candidate>) {
        let number = |&entity: &Entity| Candidate { entity, number: self.measured(entity, measure, Some(pool)) };
        let candidates: Vec<Candidate> = pool.iter().map(number).collect();
        let numbers = candidates.iter().filter_map(|candidate| candidate.number);
        let add = |sum: Number, more: Number| Number { scaled: sum.scaled + more.scaled, ..sum };
        (numbers.reduce(add).map_or(Answer::Nothing, Answer::Number), candidates)
    }

    fn reason(&self, pool: &[Entity]) -> Option<RestatementReason> {
        match pool {
            [Entity::Company(company)] => Some(self.atlas.restatement(*company)?.reason),
            _ => None,
        }
    }

    /// A number of an entity, as it is shown. Places in a ranking need the pool.
    pub(super) fn measured(&self, entity: Entity, measure: &Measure, pool: Option<&[Entity]>) -> Option<Number> {
        match measure {
            Measure::Growth(from, to) => {
                let (from, to) = (self.measured(entity, from, pool)?, self.measured(entity, to, pool)?);
                Number::nearest((to.value() / from.value() - 1.0) * 100.0, 1, MeasureUnit::Percent)
            }
            Measure::Difference(from, to) => {
                let (from, to) = (self.measured(entity, from, pool)?, self.measured(entity, to, pool)?);
                Number::nearest(to.value() - from.value(), to.digits.max(from.digits), to.unit)
            }
            Measure::Ratio(one, other) => {
                let (one, other) = (self.measured(entity, one, pool)?, self.measured(entity, other, pool)?);
                Number::nearest(one.value() / other.value(), 3, MeasureUnit::Ratio)
            }
            Measure::Rank(by) => {
                let own = self.measured(entity, by, None)?.value();
                let others = pool?.iter().filter_map(|&other| self.measured(other, by, None));
                let before = others.filter(|number| number.value() > own).count();
                Some(Number::whole(before as i64 + 1, MeasureUnit::Rank))
            }
            Measure::Converted { of, into, year } => {
                let amount = self.measured(entity, of, pool)?;
                self.converted(amount, *into, *year)
            }
            _ => self.plain(entity, measure),
        }
    }

    /// Amounts go through the clearing unit, at the rates as they are shown.
    fn converted(&self, amount: Number, into: CountryId, year: i32) -> Option<Number> {
        let MeasureUnit::Thousands(from) = amount.unit else { return None };
        let year = if self.reads(Misreading::OtherYearRate) { year - 1 } else { year };
        let rate = |country| self.indicator(known::EXCHANGE_RATE, country, year).value();
        Number::nearest(amount.value() / rate(from) * rate(into), 0, MeasureUnit::Thousands(into))
    }

    fn plain(&self, entity: Entity, measure: &Measure) -> Option<Number> {
        match (entity, measure) {
            (Entity::Company(id), _) => {
                let money =
                    |amount| Some(Number::whole(amount, MeasureUnit::Thousands(self.atlas.companies.country[id])));
                let accounts = |year: i32| -> Option<Accounts> { self.accounts(id, year) };
                match *measure {
                    Measure::Revenue(year) => money(accounts(year)?.revenue_k),
                    Measure::TotalAssets(year) => money(accounts(year)?.total_assets_k),
                    Measure::PressRevenue(year) => money(self.atlas.press_figure(id, year)?.revenue_k),
                    Measure::InterestMargin(year) => {
                        let scaled = i64::from(accounts(year)?.interest_margin_bp?);
                        Some(Number { scaled, digits: 2, unit: MeasureUnit::Percent })
                    }
                    Measure::RestatedYear => {
                        Some(Number::whole(i64::from(self.atlas.restatement(id)?.first_year), MeasureUnit::Year))
                    }
                    Measure::Founded => Some(day(self.atlas.companies.founded[id].0)),
                    _ => None,
                }
            }
            (Entity::Institution(id), Measure::Founded) => {
                let by_article = self.reads(Misreading::OutdatedEncyclopaedia);
                let year = if by_article {
                    self.atlas.founded_by_encyclopaedia(id)
                } else {
                    self.atlas.institutions.founded[id]
                };
                Some(Number::whole(i64::from(year), MeasureUnit::Year))
            }
            (Entity::Person(id), Measure::Born) => Some(day(self.atlas.people.born[id].0)),
            (Entity::Paper(id), Measure::Dated) => Some(day(self.atlas.papers.date[id].0)),
            (Entity::Paper(id), Measure::Citations) => {
                Some(Number::whole(self.atlas.papers.n_citations(id) as i64, MeasureUnit::Count))
            }
            (Entity::Notice(id), Measure::Dated) => Some(day(self.atlas.notices.date[id].0)),
            (Entity::News(id), Measure::Dated) => Some(day(self.atlas.news.date[id].0)),
            (Entity::Place(id), Measure::Population) => {
                Some(Number::whole(i64::from(self.atlas.geography.places.population[id]), MeasureUnit::Count))
            }
            (Entity::Country(id), Measure::Indicator(indicator, year)) => Some(self.indicator(*indicator, id, *year)),
            (Entity::EnergySource(source), Measure::CapacityIn(country, year)) => {
                Some(self.indicator(known::capacity(source), *country, *year))
            }
            _ => self.decided(entity, measure),
        }
    }

    /// A number that a notice decides.
    fn decided(&self, entity: Entity, measure: &Measure) -> Option<Number> {
        match (self.matter(entity)?, measure) {
            (NoticeMatter::RateDecision { rate_bp, .. }, Measure::Rate) => {
                Some(Number { scaled: i64::from(rate_bp), digits: 2, unit: MeasureUnit::Percent })
            }
            (NoticeMatter::RateDecision { change_bp, .. }, Measure::RateChange) => {
                Some(Number { scaled: i64::from(change_bp), digits: 2, unit: MeasureUnit::Points })
            }
            (NoticeMatter::ClimatePlan { target_pm, .. }, Measure::Target) => {
                Some(Number { scaled: i64::from(target_pm), digits: 1, unit: MeasureUnit::Percent })
            }
            (NoticeMatter::ClimatePlan { target_pm, .. }, Measure::TargetChange) => {
                let before = *self.related(entity, Link::VersionBefore).first()?;
                let NoticeMatter::ClimatePlan { target_pm: target_before, .. } = self.matter(before)? else {
                    return None;
                };
                Some(Number { scaled: i64::from(target_pm - target_before), digits: 1, unit: MeasureUnit::Points })
            }
            (NoticeMatter::Ordinance { fee_minor, .. }, Measure::Fee) => {
                let Entity::Notice(id) = entity else { return None };
                Some(Number::whole(fee_minor, MeasureUnit::Hundredths(self.atlas.notices.country[id])))
            }
            _ => None,
        }
    }

    fn indicator(&self, indicator: IndicatorId, country: CountryId, year: i32) -> Number {
        let indicator = match indicator {
            known::OUTPUT_REAL if self.reads(Misreading::NominalForReal) => known::OUTPUT_NOMINAL,
            known::GROWTH_REAL if self.reads(Misreading::NominalForReal) => known::GROWTH_NOMINAL,
            _ => indicator,
        };
        let seen = self.atlas.observed(indicator, country, year);
        let is_before_break = self.atlas.indicators[indicator].break_year.is_some_and(|at| year < at);
        let scaled = match self.misreading {
            Some(Misreading::Provisional) => seen.provisional,
            Some(Misreading::BeforeBreak) if is_before_break => seen.old_definition.unwrap_or(seen.ruling()),
            _ => seen.ruling(),
        };
        Number { scaled, digits: seen.digits, unit: MeasureUnit::Of(indicator) }
    }
}

fn entities(entities: Vec<Entity>) -> Answer {
    if entities.is_empty() { Answer::Nothing } else { Answer::Entities(entities) }
}

fn day(days: i32) -> Number {
    Number::whole(i64::from(days), MeasureUnit::Day)
}

/// The margin between the n-th and the one after it.
fn neighbour(ranked: &[(Entity, Number)], n: usize, kind: MarginKind) -> Option<Margin> {
    let (inside, outside) = (ranked.get(n.checked_sub(1)?)?, ranked.get(n)?);
    Some(Margin::between(kind, inside.1, outside.1))
}

/// The measures by which a measure ranks.
fn rankings(measure: &Measure) -> Vec<&Measure> {
    match measure {
        Measure::Rank(by) => vec![by],
        Measure::Growth(one, other) | Measure::Difference(one, other) | Measure::Ratio(one, other) => {
            [rankings(one), rankings(other)].concat()
        }
        Measure::Converted { of, .. } => rankings(of),
        _ => Vec::new(),
    }
}
