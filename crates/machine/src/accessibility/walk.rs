//! Going through the trees of all programs, many questions at a time.

use std::collections::BTreeMap;

use atspi::proxy::accessible::AccessibleProxy;
use atspi::proxy::component::ComponentProxy;
use atspi::proxy::text::TextProxy;
use atspi::{CoordType, ObjectRefOwned, Role, State, StateSet};
use futures_util::stream::{self, StreamExt as _};
use zbus::Connection;
use zbus::proxy::CacheProperties;

use super::element::{AccessibleElement, is_written, role_words};

/// So many elements are asked at once.
const AT_ONCE: usize = 32;
/// No more elements are read of all programs together.
const MOST_ELEMENTS: usize = 10_000;
/// No more are read in one element.
const MOST_CHILDREN: usize = 1000;
/// Whoever makes its children as they are asked for is not asked for more.
const MOST_MANAGED: i32 = 10_000;
/// No more is read of what is written in an element.
const MOST_CHARACTERS: i32 = 10_000;
const REGISTRY: (&str, &str) = ("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root");

/// An element as it was read, with where it hangs.
struct ReadElement {
    parent: Option<usize>,
    element: AccessibleElement,
    children: Vec<(String, String)>,
}

/// A place on the bus, and the element above it.
type PlaceBelow = (Option<usize>, u32, (String, String));

/// The trees of all programs.
pub(super) async fn programs(connection: &Connection) -> zbus::Result<Vec<AccessibleElement>> {
    let registry = accessible(connection, REGISTRY.0, REGISTRY.1).await?;
    let programs: Vec<_> = registry.get_children().await?.iter().filter_map(place).collect();
    let mut level: Vec<PlaceBelow> = Vec::new();
    for program in programs {
        if let Ok(process) = process_of(connection, &program.0).await {
            level.push((None, process, program));
        }
    }
    let mut read: Vec<ReadElement> = Vec::new();
    while !level.is_empty() && read.len() < MOST_ELEMENTS {
        level.truncate(MOST_ELEMENTS - read.len());
        let asked = level.into_iter().map(|below| one(connection, below));
        let found: Vec<Option<ReadElement>> = stream::iter(asked).buffered(AT_ONCE).collect().await;
        let first = read.len();
        read.extend(found.into_iter().flatten());
        let below = read.iter().enumerate().skip(first);
        let below = below.flat_map(|(at, read)| {
            let process = read.element.process;
            read.children.iter().map(move |place| (Some(at), process, place.clone()))
        });
        level = below.collect();
    }
    Ok(assembled(read))
}

/// One element; nothing where it is gone.
async fn one(connection: &Connection, (parent, process, (name, path)): PlaceBelow) -> Option<ReadElement> {
    let accessible = accessible(connection, &name, &path).await.ok()?;
    let (role, called, states) = tokio::join!(accessible.get_role(), accessible.name(), accessible.get_state());
    let (role, states) = (role.unwrap_or(Role::Invalid), states.unwrap_or(StateSet::empty()));
    let (bounds, children, value) = tokio::join!(
        async { if states.contains(State::Showing) { bounds(connection, &name, &path).await } else { None } },
        async { if is_closed_menu(role, states) { Vec::new() } else { children(&accessible, states).await } },
        async { if is_written(role) { written(connection, &name, &path).await } else { None } },
    );
    let element = AccessibleElement {
        role: role_words(role),
        name: called.ok()?,
        value,
        states,
        bounds,
        process,
        children: Vec::new(),
    };
    Some(ReadElement { parent, element, children })
}

/// Whether it is a menu that nobody has opened. Most of what large programs have is in these.
fn is_closed_menu(role: Role, states: StateSet) -> bool {
    role == Role::PopupMenu && !states.contains(State::Showing)
}

/// Where an element is on the screen; nothing where it has no place.
async fn bounds(connection: &Connection, name: &str, path: &str) -> Option<[i32; 4]> {
    let component = ComponentProxy::builder(connection).destination(name).ok()?.path(path).ok()?;
    let component = component.cache_properties(CacheProperties::No).build().await.ok()?;
    let (left, top, width, height) = component.get_extents(CoordType::Screen).await.ok()?;
    Some([left, top, width, height])
}

/// What is in an element. A sheet of a workbook would make billions of cells to tell them: it is not asked.
async fn children(accessible: &AccessibleProxy<'_>, states: StateSet) -> Vec<(String, String)> {
    if states.contains(State::ManagesDescendants) {
        let n_children = accessible.child_count().await.unwrap_or_default();
        if !(0..MOST_MANAGED).contains(&n_children) {
            return Vec::new();
        }
    }
    let children = accessible.get_children().await.unwrap_or_default();
    children.iter().take(MOST_CHILDREN).filter_map(place).collect()
}

async fn accessible<'a>(connection: &Connection, name: &'a str, path: &'a str) -> zbus::Result<AccessibleProxy<'a>> {
    let builder = AccessibleProxy::builder(connection).destination(name)?.path(path)?;
    builder.cache_properties(CacheProperties::No).build().await
}

/// What is written in an element; nothing where nothing can be.
async fn written(connection: &Connection, name: &str, path: &str) -> Option<String> {
    let text = TextProxy::builder(connection).destination(name).ok()?.path(path).ok()?;
    let text = text.cache_properties(CacheProperties::No).build().await.ok()?;
    let n_characters = text.character_count().await.ok()?;
    text.get_text(0, n_characters.min(MOST_CHARACTERS)).await.ok()
}

async fn process_of(connection: &Connection, name: &str) -> zbus::Result<u32> {
    let bus = zbus::fdo::DBusProxy::new(connection).await?;
    Ok(bus.get_connection_unix_process_id(name.try_into()?).await?)
}

/// Where an element is on the bus; nothing for one that is none.
fn place(reference: &ObjectRefOwned) -> Option<(String, String)> {
    let name = reference.name_as_str()?.to_owned();
    let path = reference.path_as_str().to_owned();
    (!path.ends_with("/null")).then_some((name, path))
}

/// Hangs each below the one that it belongs to. Those below come after those above, so the last are hung first.
fn assembled(read: Vec<ReadElement>) -> Vec<AccessibleElement> {
    let mut waiting: BTreeMap<usize, Vec<AccessibleElement>> = BTreeMap::new();
    let mut programs = Vec::new();
    for (at, ReadElement { parent, mut element, .. }) in read.into_iter().enumerate().rev() {
        element.children = waiting.remove(&at).unwrap_or_default();
        element.children.reverse();
        match parent {
            Some(parent) => waiting.entry(parent).or_default().push(element),
            None => programs.push(element),
        }
    }
    programs.reverse();
    programs
}
