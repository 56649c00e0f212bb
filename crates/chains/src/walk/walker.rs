//! Somebody who goes over the sites and remembers the way.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use quintain_atlas::{Entity, Value};
use quintain_page_text::{PageForm, PageLink, PageReading};
use quintain_sites::{SiteHost, SiteRequest, SiteState, Standing, Stated, Web, respond, search_address};

use crate::premise::Premise;
use crate::waypoint::{FormEntry, ShownForm, Waypoint};

/// Somebody who goes over the sites. Every step is refused that the page which is open does not offer.
pub struct Walker<'a> {
    web: &'a Web,
    page: Rc<WalkedPage>,
    /// Every page that was looked at: the same ones are come by again and again, and each is made and read once.
    pages: RefCell<BTreeMap<String, Rc<WalkedPage>>>,
    way: Vec<Waypoint>,
    premises: Vec<Premise>,
}

/// A page as it is for whoever reads: nothing that is done here changes the sites.
struct WalkedPage {
    address: String,
    status: u16,
    stated: Vec<Stated>,
    html: String,
    reading: OnceCell<PageReading>,
}

impl WalkedPage {
    fn at(web: &Web, address: &str) -> Self {
        let answer = respond(web, &mut SiteState::default(), &SiteRequest::get(address));
        let (status, stated, html) = (answer.status, answer.stated, answer.html);
        Self { address: address.to_owned(), status, stated, html, reading: OnceCell::new() }
    }

    /// What can be read on it. Most pages are only asked for what they state.
    fn reading(&self) -> &PageReading {
        self.reading.get_or_init(|| PageReading::of(&self.address, &self.html))
    }

    fn links(&self) -> &[PageLink] {
        &self.reading().links
    }

    fn has_link(&self, to: &str) -> bool {
        self.links().iter().any(|link| link.to == to)
    }

    fn states(&self, about: Entity, value: &Value, trust: Trust) -> bool {
        self.stated.iter().any(|stated| is_said(stated, about, value, trust))
    }
}

/// Whose word is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// That of the source which rules.
    Ruling,
    /// Anybody's, where it is asked what somebody said.
    Anybody,
}

/// An entry of a form by what people see: the field's name, and what they choose, type or tick.
pub enum Entry<'a> {
    /// The option with this label.
    Choose(&'a str, &'a str),
    /// This text.
    Write(&'a str, &'a str),
    /// The box.
    Tick(&'a str),
}

impl<'a> Walker<'a> {
    /// Begins at search.
    pub fn new(web: &'a Web) -> Self {
        let page = Rc::new(WalkedPage::at(web, &SiteHost::Find.home()));
        Self { web, page, pages: RefCell::default(), way: Vec::new(), premises: Vec::new() }
    }

    /// The way so far, which begins anew.
    pub fn take_way(&mut self) -> Vec<Waypoint> {
        std::mem::take(&mut self.way)
    }

    /// What was read so far, which begins anew.
    pub fn take_premises(&mut self) -> Vec<Premise> {
        std::mem::take(&mut self.premises)
    }

    /// The links of the page that is open.
    pub fn links(&self) -> &[PageLink] {
        self.page.links()
    }

    /// Looks at a page without going there.
    fn look_at(&self, address: &str) -> Rc<WalkedPage> {
        if let Some(known) = self.pages.borrow().get(address) {
            return Rc::clone(known);
        }
        let page = Rc::new(WalkedPage::at(self.web, address));
        self.pages.borrow_mut().insert(address.to_owned(), Rc::clone(&page));
        page
    }

    fn load(&mut self, address: &str) -> Result<(), String> {
        let page = self.look_at(address);
        if page.status != 200 {
            return Err(format!("{address} answers {}", page.status));
        }
        self.page = page;
        Ok(())
    }

    /// Types the address of a site.
    pub fn visit(&mut self, host: SiteHost) -> Result<(), String> {
        self.load(&host.home())?;
        self.way.push(Waypoint::Visit { address: host.home() });
        Ok(())
    }

    /// Looks up words and opens a page that must stand among what is found first.
    pub fn search(&mut self, words: &str, opens: &str) -> Result<(), String> {
        self.load(&search_address(words))?;
        if !self.page.has_link(opens) {
            return Err(format!("`{words}` does not find {opens} among the first"));
        }
        self.load(opens)?;
        self.way.push(Waypoint::Search { words: words.to_owned(), opens: opens.to_owned() });
        Ok(())
    }

    /// Looks an entity up by its name and opens its page on a host.
    pub fn look_up(&mut self, host: SiteHost, entity: Entity) -> Result<(), String> {
        let opens = self.page_of(host, entity)?;
        if self.page.address == opens {
            return Ok(());
        }
        if self.page.has_link(&opens) {
            return self.follow_to(&opens);
        }
        let title = self.web.atlas.title(entity);
        let found = self.search(&title, &opens);
        // Where many are called alike, the kind of thing or the name of the site tells them apart.
        found.or_else(|_crowd| self.search(&format!("{title} {}", host.label()), &opens))
    }

    /// The address of an entity's page on a host.
    fn page_of(&self, host: SiteHost, entity: Entity) -> Result<String, String> {
        self.web.address(host, entity).ok_or_else(|| format!("{entity:?} has no page on {}", host.label()))
    }

    /// Whether the page of an entity on a host is open.
    pub fn is_at(&self, host: SiteHost, entity: Entity) -> bool {
        self.web.address(host, entity).is_some_and(|address| address == self.page.address)
    }

    /// Whether the page at an address, or one of its further pages, links to that of an entity.
    pub fn leads_to(&self, address: &str, host: SiteHost, entity: Entity) -> bool {
        let Some(wanted) = self.web.address(host, entity) else { return false };
        let first = self.look_at(address);
        let is_further = |link: &&PageLink| path_of(&link.to) == path_of(address);
        first.has_link(&wanted)
            || first.links().iter().filter(is_further).any(|link| self.look_at(&link.to).has_link(&wanted))
    }

    /// Follows the link of the page that is open to the page of an entity.
    pub fn look_nearby(&mut self, host: SiteHost, entity: Entity) -> Result<(), String> {
        let to = self.page_of(host, entity)?;
        self.follow_to(&to)
    }

    /// Follows the link to the page of an entity, on the page that is open or one of its further pages.
    pub fn look_through(&mut self, host: SiteHost, entity: Entity) -> Result<(), String> {
        let to = self.page_of(host, entity)?;
        for _ in 0..MOST_FURTHER {
            if self.page.has_link(&to) {
                return self.follow_to(&to);
            }
            self.follow("the next page", |link| link.text.contains("Next"))?;
        }
        Err(format!("{to} is not among the first pages of {}", self.page.address))
    }

    /// Follows the link to an address.
    pub fn follow_to(&mut self, to: &str) -> Result<(), String> {
        if !self.page.has_link(to) {
            return Err(format!("{} has no link to {to}", self.page.address));
        }
        self.load(to)?;
        self.way.push(Waypoint::Follow { to: to.to_owned() });
        Ok(())
    }

    /// Follows the first link that is wanted.
    pub fn follow(&mut self, what: &str, is_wanted: impl Fn(&PageLink) -> bool) -> Result<(), String> {
        let link = self.links().iter().find(|link| is_wanted(link));
        let to = link.ok_or_else(|| format!("{} has no link to {what}", self.page.address))?.to.clone();
        self.follow_to(&to)
    }

    /// Fills in the form that has a button and these fields, and sends it.
    pub fn fill(&mut self, button: &str, entries: &[Entry<'_>]) -> Result<(), String> {
        let forms = &self.page.reading().forms;
        let named: Vec<usize> = (0..forms.len()).filter(|&at| forms[at].button == button).collect();
        let nth = named.iter().position(|&at| entries.iter().all(|entry| forms[at].has(entry.name())));
        let nth = nth.ok_or_else(|| format!("{} has no such form with the button `{button}`", self.page.address))?;
        let mut form = forms[named[nth]].clone();
        let set = entries.iter().map(|entry| entry.enter(&mut form)).collect::<Result<Vec<_>, _>>();
        let set = set.map_err(|why| format!("{}: {why}", self.page.address))?;
        self.load(&form.request().address)?;
        let (form, nth) = (named[nth] + 1, nth + 1);
        self.way.push(Waypoint::Fill { form, entries: set, button: button.to_owned(), nth });
        Ok(())
    }

    /// Reads what the page says of an entity; it must be what rules.
    pub fn see(&mut self, about: Entity, value: &Value) -> Result<(), String> {
        self.see_as(about, value, Trust::Ruling)
    }

    /// Reads what the page says of an entity.
    pub fn see_as(&mut self, about: Entity, value: &Value, trust: Trust) -> Result<(), String> {
        let said = self.page.stated.iter().find(|stated| is_said(stated, about, value, trust));
        let said = said.ok_or_else(|| format!("{} does not state {value:?} of {about:?}", self.page.address))?;
        let shown = said.shown.clone();
        let is_written = self.page.reading().text.replace('\u{a0}', " ").contains(&shown.replace('\u{a0}', " "));
        let form = if is_written { ShownForm::Written } else { ShownForm::Drawn };
        self.premises.push(Premise::Fact { about, value: value.clone(), trust });
        self.way.push(Waypoint::See { shown, form });
        Ok(())
    }

    /// Whether the page states what rules.
    pub fn states(&self, about: Entity, value: &Value) -> bool {
        self.page.states(about, value, Trust::Ruling)
    }

    /// Reads the name of an entity of which the page says something.
    pub fn see_name(&mut self, entity: Entity) -> Result<(), String> {
        let mention = Premise::Mention(entity);
        if !self.page.stated.iter().any(|stated| mention.is_in(stated)) {
            return Err(format!("{} says nothing of {entity:?}", self.page.address));
        }
        self.premises.push(mention);
        self.way.push(Waypoint::See { shown: self.web.atlas.title(entity), form: ShownForm::Written });
        Ok(())
    }

    /// Follows the link to a page that states something, or whose own further pages do. Paths of such pages begin alike.
    pub fn follow_stating(&mut self, path: &str, about: Entity, value: &Value, trust: Trust) -> Result<(), String> {
        if self.page.states(about, value, trust) {
            return Ok(());
        }
        let is_such = |link: &PageLink| path_of(&link.to).starts_with(path);
        let mut tried = Vec::new();
        let mut way = None;
        for link in self.links().iter().filter(|link| is_such(link)) {
            if tried.contains(&&link.to) || tried.len() >= MOST_TRIED {
                continue;
            }
            tried.push(&link.to);
            way = self.further_stating(&link.to, about, value, trust);
            if way.is_some() {
                break;
            }
        }
        if let Some(way) = way {
            return way.iter().try_for_each(|to| self.follow_to(to));
        }
        Err(format!("nothing under {path} that {} links to states {value:?} of {about:?}", self.page.address))
    }

    /// Follows the link to a page that tells a value of something, whatever it is: such as whom a notice appoints.
    pub fn follow_telling(&mut self, path: &str, value: &Value) -> Result<(), String> {
        let tells = |link: &PageLink| self.look_at(&link.to).stated.iter().any(|stated| is_same(&stated.value, value));
        let such = self.links().iter().filter(|link| path_of(&link.to).starts_with(path));
        let link = such.take(MOST_TRIED).find(|link| tells(link));
        let to = link
            .ok_or_else(|| format!("nothing under {path} that {} links to tells {value:?}", self.page.address))?
            .to
            .clone();
        self.follow_to(&to)?;
        let about =
            self.page.stated.iter().find(|stated| is_same(&stated.value, value)).map(|stated| stated.fact.about);
        about.map_or(Ok(()), |about| self.see_as(about, value, Trust::Anybody))
    }

    /// Follows the link to a page that states something itself or on one of its further pages.
    pub fn follow_document(&mut self, to: &str, about: Entity, value: &Value) -> Result<(), String> {
        let further = self.further_stating(to, about, value, Trust::Ruling);
        let way = further.ok_or_else(|| format!("{to} does not state {value:?} of {about:?}"))?;
        way.iter().try_for_each(|to| self.follow_to(to))
    }

    /// The way from the page at an address to the one of its further pages that states something: they may lead to each
    /// other one by one.
    fn further_stating(&self, address: &str, about: Entity, value: &Value, trust: Trust) -> Option<Vec<String>> {
        let mut ways = vec![vec![address.to_owned()]];
        let mut at = 0;
        while let Some(way) = ways.get(at).filter(|_| at < MOST_FURTHER).cloned() {
            let last = way.last()?;
            let page = self.look_at(last);
            if page.states(about, value, trust) {
                return Some(way);
            }
            for link in page.links().iter().filter(|link| path_of(&link.to) == path_of(address)) {
                if !ways.iter().any(|known| known.last() == Some(&link.to)) {
                    ways.push([way.as_slice(), std::slice::from_ref(&link.to)].concat());
                }
            }
            at += 1;
        }
        None
    }

    /// Notes fields.
    pub fn note(&mut self, fields: Vec<String>) {
        self.way.push(Waypoint::Note { fields });
    }
}

/// So many links are tried for the one that states something, and so many further pages of each.
const MOST_TRIED: usize = 120;
const MOST_FURTHER: usize = 8;

/// Whether a page says this of an entity, by a word that is taken.
pub(crate) fn is_said(stated: &Stated, about: Entity, value: &Value, trust: Trust) -> bool {
    let is_trusted = trust == Trust::Anybody || stated.standing == Standing::Ruling;
    stated.fact.about == about && is_trusted && is_same(&stated.value, value)
}

/// Sites and questions name units in their own ways.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.scaled == other.scaled && one.digits == other.digits,
        _ => one == other,
    }
}

/// The path of an address, without its parameters.
fn path_of(address: &str) -> &str {
    let path = address.split("://").nth(1).and_then(|rest| rest.find('/').map(|at| &rest[at..])).unwrap_or("/");
    path.split('?').next().unwrap_or(path)
}

impl Entry<'_> {
    fn name(&self) -> &str {
        match self {
            Entry::Choose(name, _) | Entry::Write(name, _) | Entry::Tick(name) => name,
        }
    }

    /// Makes the entry in a form.
    fn enter(&self, form: &mut PageForm) -> Result<FormEntry, String> {
        let name = self.name().to_owned();
        match self {
            Entry::Choose(_, wish) | Entry::Write(_, wish) => form.set(&name, wish)?,
            Entry::Tick(_) => {
                let value = form.boxes(&name).next().ok_or_else(|| format!("`{name}` cannot be ticked"))?.to_owned();
                form.tick(&name, &[&value])?;
            }
        }
        let set = form.fields.iter().find(|field| field.name == name).and_then(|field| field.value.clone());
        let value = set.unwrap_or_default();
        Ok(match self {
            Entry::Choose(..) => FormEntry::Choose { name, value },
            Entry::Write(..) => FormEntry::Write { name, text: value },
            Entry::Tick(_) => FormEntry::Tick { name, value },
        })
    }
}
