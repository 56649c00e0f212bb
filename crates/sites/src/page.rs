//! Writing a page: facts go in through one door, which keeps the list of what was stated.

mod narrator;
mod parts;

pub(crate) use narrator::{Narrator, capitalised, indefinite};
pub(crate) use parts::{ListPage, PageRange, or_any, pager, select};

use quintain_atlas::provenance::Source;
use quintain_atlas::{Date, Entity, Value};

use crate::draw::Draw;
use crate::facts::{Aspect, Fact, standing, told};
use crate::host::SiteHost;
use crate::html::Html;
use crate::look::document;
use crate::response::{SiteResponse, Stated};
use crate::sites::entity_path;
use crate::voice::Voice;
use crate::web::Web;

/// What stands between a site's header and its footer.
#[derive(Clone, Debug, Default)]
pub(crate) struct PageBody {
    /// The title of the window and of the page.
    pub(crate) title: String,
    /// What stands above the title: links back to lists.
    pub(crate) crumbs: Vec<(String, String)>,
    /// What stands below the title.
    pub(crate) main: Html,
    /// What stands beside it, where there is something.
    pub(crate) aside: Html,
}

/// Writes one page of a site.
pub(crate) struct PageWriter<'w> {
    pub(crate) web: &'w Web,
    pub(crate) host: SiteHost,
    /// Whom or what the page is about: never linked to itself.
    pub(crate) about: Option<Entity>,
    /// The day of which the page tells.
    pub(crate) as_of: Date,
    /// Draws of this page's wordings.
    pub(crate) draw: Draw,
    source: Source,
    stated: Vec<Stated>,
}

impl<'w> PageWriter<'w> {
    /// A page about nothing in particular, as of today.
    pub(crate) fn new(web: &'w Web, host: SiteHost) -> Self {
        let draw = web.draw.fork(host as u64);
        let source = host.source().unwrap_or(Source::Forum);
        Self { web, host, about: None, as_of: Date::TODAY, draw, source, stated: Vec::new() }
    }

    /// A page about something, as of a day.
    pub(crate) fn about(web: &'w Web, host: SiteHost, about: Entity, as_of: Date) -> Self {
        let page = Self::new(web, host);
        let draw = page.draw.fork_text(&format!("{about:?}"));
        Self { about: Some(about), as_of, draw, ..page }
    }

    /// The same page, told by another source than the site's own.
    pub(crate) fn told_by(self, source: Source) -> Self {
        Self { source, ..self }
    }

    /// How the site writes numbers and dates.
    pub(crate) fn voice(&self) -> Voice {
        self.web.look(self.host).voice
    }

    /// The value of a fact as this site knows it. Nothing is stated by asking.
    pub(crate) fn ask(&self, fact: Fact) -> Option<Value> {
        told(&self.web.atlas, fact, self.source, self.as_of)
    }

    /// States a fact and gives back the words and figures, without a link.
    pub(crate) fn say(&mut self, fact: Fact) -> Option<String> {
        self.said(fact).map(|(_, shown)| shown)
    }

    fn said(&mut self, fact: Fact) -> Option<(Value, String)> {
        let value = self.ask(fact)?;
        let printed = match fact.aspect {
            Aspect::News(aspect) => aspect.shown(self.voice(), &value),
            _ => None,
        };
        let shown = printed.unwrap_or_else(|| self.voice().value(&self.web.atlas, &value));
        self.state(fact, value.clone(), shown.clone());
        Some((value, shown))
    }

    /// States a fact; another entity is linked to its page on this site.
    pub(crate) fn tell(&mut self, fact: Fact) -> Option<Html> {
        let (value, shown) = self.said(fact)?;
        let linked = match (value, fact.aspect) {
            (Value::Entity(entity), _) => Some(entity),
            (_, Aspect::Name) => Some(fact.about),
            _ => None,
        };
        Some(self.linked(linked, &shown))
    }

    /// States the name of an entity, linked to its page.
    pub(crate) fn name(&mut self, entity: impl Into<Entity>) -> Html {
        self.tell(Fact::new(entity, Aspect::Name)).unwrap_or_default()
    }

    /// States a fact of which the words stand on the page in another form, such as in a picture or as an adjective.
    pub(crate) fn state_as(&mut self, fact: Fact, shown: &str) {
        if let Some(value) = self.ask(fact) {
            self.state(fact, value, shown.to_owned());
        }
    }

    /// Takes in what a piece of another page stated.
    pub(crate) fn take_in(&mut self, piece: Self) {
        self.stated.extend(piece.stated);
    }

    fn state(&mut self, fact: Fact, value: Value, shown: String) {
        let standing = standing(&self.web.atlas, fact, self.source, self.as_of, &value);
        self.stated.push(Stated { fact, value, shown, source: self.source, as_of: self.as_of, standing });
    }

    fn linked(&self, entity: Option<Entity>, shown: &str) -> Html {
        let path = entity
            .filter(|&entity| Some(entity) != self.about)
            .and_then(|entity| entity_path(self.web, self.host, entity));
        match path {
            Some(path) => Html::of_element("a", &[("href", &path)], shown),
            None => Html::of_text(shown),
        }
    }

    /// A fixed text of the site, in one of its wordings.
    pub(crate) fn words(&self, key: &str) -> String {
        self.web.phrases.plain(key, self.web.draw.fork(self.host as u64).fork_text(key))
    }

    /// The finished page.
    pub(crate) fn finish(self, body: &PageBody) -> SiteResponse {
        SiteResponse::page(document(self.web, self.host, body), self.stated)
    }
}
