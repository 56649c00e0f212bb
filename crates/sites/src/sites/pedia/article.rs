//! Articles: a first paragraph, sections, lists, links elsewhere, and when it was last checked.

use quintain_atlas::Entity;
use quintain_atlas::people::Calling;

use super::{HOST, PediaPage, charts, infobox, lead_key};
use crate::address::SitePage;
use crate::facts::{Aspect, Fact, Office};
use crate::host::SiteHost;
use crate::html::Html;
use crate::page::{Narrator, PageBody, PageWriter};
use crate::response::SiteResponse;
use crate::sites::entity_address;
use crate::web::Web;

/// An article.
pub(super) fn article(web: &Web, entity: Entity) -> SiteResponse {
    let checked = web.atlas.article_checked(entity);
    let mut page = PageWriter::about(web, HOST, entity, checked);
    let mut main = Html::new();
    hat_note(web, entity, &mut main);
    let noun = noun(web, entity);
    let mut narrator = Narrator::new(&mut page, entity, noun);
    narrator.sentence(lead_key(web, entity), &[]);
    plan(web, entity, &mut narrator, &mut main);
    sections(&mut page, entity, &mut main);
    elsewhere(web, entity, &mut main);
    let told = page.say(Fact::new(entity, Aspect::Checked)).unwrap_or_default();
    let (before, after) = (page.words("pedia.checked.before"), page.words("pedia.checked.after"));
    main.leaf("p", &[("class", "note small")], &format!("{before} {told}. {after}"));
    let aside = infobox::infobox(&mut page, entity);
    page.finish(&PageBody { title: web.atlas.title(entity), main, aside, ..PageBody::default() })
}

/// A line above the article where others bear the same name.
fn hat_note(web: &Web, entity: Entity, main: &mut Html) {
    let Entity::Person(person) = entity else { return };
    let namesakes = web.namesakes(person);
    if namesakes.len() > 1 {
        main.element("p", &[("class", "small")], |html| {
            html.text("There are other people of this name: see ");
            html.link(&PediaPage::SameName(namesakes[0]).path(web), &web.atlas.title(entity)).text(".");
        });
    }
}

fn noun(web: &Web, entity: Entity) -> &'static str {
    match entity {
        Entity::Country(_) => "the country",
        Entity::Region(_) => "the region",
        Entity::Place(_) => "the town",
        Entity::Company(_) => "the company",
        Entity::Institution(institution) => match web.atlas.institutions.kind[institution].label() {
            "university" => "the university",
            _ => "the institution",
        },
        Entity::Bloc(_) => "the bloc",
        _ => "",
    }
}

/// What an article tells in sentences, in which order; where a paragraph ends there is an empty name.
fn plan(web: &Web, entity: Entity, narrator: &mut Narrator, main: &mut Html) {
    let sentences: &[&str] = match entity {
        Entity::Country(_) => {
            &["country.capital", "country.people", "", "country.money", "country.head", "country.regions"]
        }
        Entity::Region(_) => &["region.largest", "region.trade", "", "region.places"],
        Entity::Place(_) => &["place.people", "place.old", "", "place.region", "place.companies"],
        Entity::Company(_) => {
            &["company.founded", "company.form", "company.parent", "", "company.officers", "company.region"]
        }
        Entity::Institution(_) => &["institution.founded", "institution.rector"],
        Entity::Bloc(_) => &["bloc.founded", "bloc.members"],
        Entity::Person(person) => match web.atlas.people.calling[person] {
            Calling::Scholar if web.atlas.people.died[person].is_none() => {
                &["person.born", "person.other", "person.died", "", "person.employer"]
            }
            _ => &["person.born", "person.other", "person.died"],
        },
        _ => &[],
    };
    for sentence in sentences {
        if sentence.is_empty() {
            narrator.paragraph(main);
        } else {
            narrator.sentence(&format!("pedia.{sentence}"), &[]);
        }
    }
    narrator.paragraph(main);
}

fn sections(page: &mut PageWriter, entity: Entity, main: &mut Html) {
    let web = page.web;
    match entity {
        Entity::Country(country) => {
            let n_terms = web.atlas.governments.heads.of(country).len();
            terms(page, entity, Office::HeadOfGovernment, "Heads of government", n_terms, main);
            main.leaf("h2", &[], "Population");
            charts::population(page, country, main);
            main.leaf("h2", &[], "Regions");
            links(page, web.atlas.geography.regions_of.of(country).iter().map(|&region| region.into()), main);
            more(web, PediaPage::InstitutionsOf(country), main);
        }
        Entity::Region(region) => {
            main.leaf("h2", &[], "Towns");
            links(page, web.atlas.geography.places_of.of(region).iter().take(12).map(|&place| place.into()), main);
            more(web, PediaPage::PlacesOf(region), main);
            main.leaf("h2", &[], "Inhabitants of the largest towns");
            charts::towns(page, region, main);
            more(web, PediaPage::CompaniesOf(region), main);
        }
        Entity::Company(company) => {
            let n_former = web.atlas.companies.former_names.of(company).len() as u32;
            let mut narrator = Narrator::new(page, entity, "the company");
            for nth in 0..n_former {
                let given = [
                    ("former", Fact::new(company, Aspect::FormerName(nth))),
                    ("until", Fact::new(company, Aspect::FormerNameUntil(nth))),
                ];
                narrator.sentence("pedia.company.former", &given);
            }
            let mut history = Html::new();
            narrator.paragraph(&mut history);
            if !history.is_empty() {
                main.leaf("h2", &[], "History").piece(&history);
            }
            let n_terms = web.atlas.companies.chief_executives.of(company).len();
            terms(page, entity, Office::ChiefExecutive, "Chief executives", n_terms, main);
            more(web, PediaPage::CompaniesOf(web.atlas.region_of_company(company)), main);
        }
        Entity::Institution(institution) => {
            let n_terms = web.atlas.institutions.rectors.of(institution).len();
            terms(page, entity, Office::Rector, "Directors", n_terms, main);
        }
        Entity::Place(place) => {
            let seated = web.atlas.companies.seat.find(|&seat| seat == place).take(15).map(Entity::from);
            let institutions = web.atlas.institutions.seat.find(|&seat| seat == place).map(Entity::from);
            let found: Vec<Entity> = institutions.chain(seated).collect();
            if !found.is_empty() {
                main.leaf("h2", &[], "Institutions and companies");
                links(page, found.into_iter(), main);
            }
            more(web, PediaPage::PlacesOf(web.atlas.geography.places.region[place]), main);
        }
        Entity::Person(person) => tenures(page, person, main),
        Entity::Bloc(bloc) => members(page, bloc, main),
        _ => {}
    }
}

fn links(page: &mut PageWriter, entities: impl Iterator<Item = Entity>, main: &mut Html) {
    main.element("ul", &[("class", "wide")], |html| {
        for entity in entities.take(50) {
            html.wrap("li", &[], &page.name(entity));
        }
    });
}

fn more(web: &Web, list: PediaPage, main: &mut Html) {
    main.element("p", &[], |html| {
        html.text("See also: ").link(&list.path(web), &list.title(web));
    });
}

fn terms(page: &mut PageWriter, about: Entity, office: Office, title: &str, n_terms: usize, main: &mut Html) {
    main.leaf("h2", &[], title);
    main.element("table", &[("class", "grid")], |html| {
        html.markup("<tr><th>Name</th><th>From</th><th>To</th></tr>");
        for nth in 0..n_terms.min(50) as u32 {
            let Some(holder) = page.tell(Fact::new(about, Aspect::PastHolder(office, nth))) else { continue };
            let from = page.say(Fact::new(about, Aspect::HolderFrom(office, nth))).unwrap_or_default();
            let to =
                page.say(Fact::new(about, Aspect::HolderTo(office, nth))).unwrap_or_else(|| "incumbent".to_owned());
            html.element("tr", &[], |html| {
                html.wrap("td", &[], &holder).leaf("td", &[], &from).leaf("td", &[], &to);
            });
        }
    });
}

fn tenures(page: &mut PageWriter, person: quintain_atlas::PersonId, main: &mut Html) {
    let about = Entity::from(person);
    let n_posts = page.web.atlas.tenures.of(person).len().min(50) as u32;
    let n_jobs = page.web.atlas.employments.of(person).len().min(50) as u32;
    let mut rows = Html::new();
    for nth in 0..n_posts {
        let Some(post) = page.say(Fact::new(about, Aspect::TenurePost(nth))) else { continue };
        let at = page.tell(Fact::new(about, Aspect::TenureAt(nth))).unwrap_or_default();
        let from = page.say(Fact::new(about, Aspect::TenureFrom(nth))).unwrap_or_default();
        let to = page.say(Fact::new(about, Aspect::TenureTo(nth))).unwrap_or_else(|| "present".to_owned());
        rows.element("tr", &[], |html| {
            html.leaf("td", &[], &post).wrap("td", &[], &at).leaf("td", &[], &from).leaf("td", &[], &to);
        });
    }
    for nth in 0..n_jobs {
        let Some(at) = page.tell(Fact::new(about, Aspect::PastEmployer(nth))) else { continue };
        let from = page.say(Fact::new(about, Aspect::EmployedFrom(nth))).unwrap_or_default();
        let to = page.say(Fact::new(about, Aspect::EmployedTo(nth))).unwrap_or_default();
        rows.element("tr", &[], |html| {
            html.leaf("td", &[], "researcher").wrap("td", &[], &at).leaf("td", &[], &from).leaf("td", &[], &to);
        });
    }
    if !rows.is_empty() {
        main.leaf("h2", &[], "Career").open("table", &[("class", "grid")]);
        main.markup("<tr><th>Post</th><th>At</th><th>From</th><th>To</th></tr>").piece(&rows).close("table");
    }
}

fn members(page: &mut PageWriter, bloc: quintain_atlas::BlocId, main: &mut Html) {
    main.leaf("h2", &[], "Members");
    main.element("table", &[("class", "grid")], |html| {
        html.markup("<tr><th>Country</th><th>Joined</th><th>Left</th></tr>");
        for nth in 0..page.web.atlas.blocs.memberships.of(bloc).len().min(50) as u32 {
            let Some(member) = page.tell(Fact::new(bloc, Aspect::Member(nth))) else { continue };
            let joined = page.say(Fact::new(bloc, Aspect::MemberJoined(nth))).unwrap_or_default();
            let left = page.say(Fact::new(bloc, Aspect::MemberLeft(nth))).unwrap_or_default();
            html.element("tr", &[], |html| {
                html.wrap("td", &[], &member).leaf("td", &[], &joined).leaf("td", &[], &left);
            });
        }
    });
    main.leaf("p", &[("class", "small")], &page.words("pedia.members.left"));
}

fn elsewhere(web: &Web, entity: Entity, main: &mut Html) {
    let others = SiteHost::ALL.into_iter().filter(|&host| host != HOST);
    let found: Vec<(SiteHost, String)> =
        others.filter_map(|host| entity_address(web, host, entity).map(|address| (host, address))).collect();
    if found.is_empty() {
        return;
    }
    main.leaf("h2", &[], "External links");
    main.element("ul", &[], |html| {
        for (host, address) in found {
            html.element("li", &[], |html| {
                html.link(&address, &format!("Entry in {}", web.look(host).brand));
            });
        }
    });
}
