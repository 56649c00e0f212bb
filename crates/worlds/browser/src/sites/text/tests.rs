use std::collections::BTreeSet;
use std::time::Duration;

use quintain_core::ObservationPart;
use quintain_core::action::{Action, Call};
use quintain_core::world::World;
use serde_json::{Value, json};

use super::TextWorld;
use crate::sites::{PageMedium, ServerMethod, ServerRequest, ServerResponse, SiteGate, SiteServer};

/// A shop of three pages.
#[derive(Default)]
struct Shop {
    ordered: Vec<String>,
}

impl SiteServer for Shop {
    fn hosts(&self) -> Vec<String> {
        vec!["shop.test".to_owned()]
    }

    fn home(&self) -> String {
        "https://shop.test/".to_owned()
    }

    fn respond(&mut self, request: &ServerRequest) -> ServerResponse {
        match (request.method, request.path.as_str()) {
            (ServerMethod::Get, "/") => ServerResponse::page(
                200,
                "<title>Shop</title><h1>Shop</h1><p>See <a href='/list'>all wares</a> or <a href='https://out.test/'>others</a>.</p>\
                 <form action='/list'><select name='kind'><option value=''>any</option><option value='t'>tea</option></select>\
                 <input type='checkbox' name='new' value='yes'><button>Show</button></form>",
            ),
            (ServerMethod::Get, "/list") => {
                let asked: Vec<String> = request.query.iter().map(|(name, value)| format!("{name}={value}")).collect();
                let wares = "<li>green tea</li>".repeat(1_000);
                ServerResponse::page(
                    200,
                    format!(
                        "<h1>Wares</h1><p>Asked: {}</p><ul>{wares}</ul><p>The end.</p>\
                 <form method='post' action='/order'><input name='what'><button>Order</button></form>",
                        asked.join(", ")
                    ),
                )
            }
            (ServerMethod::Get, "/search") => ServerResponse::page(200, "<p>Nothing found.</p>"),
            (ServerMethod::Post, "/order") => {
                self.ordered.extend(request.form_value("what").map(str::to_owned));
                ServerResponse::see_other("/")
            }
            _ => ServerResponse::page(404, "<p>No such page.</p>"),
        }
    }

    fn state(&self) -> Value {
        json!(self.ordered)
    }

    fn n_changes(&self) -> u64 {
        self.ordered.len() as u64
    }

    fn search_address(&self, words: &str) -> Option<String> {
        Some(format!("https://shop.test/search?q={words}"))
    }
}

const SOON: Duration = Duration::from_secs(5);

fn shop() -> TextWorld {
    TextWorld::open(SiteGate::new(Box::new(Shop::default()), PageMedium::Text)).expect("the shop opens")
}

/// What is told, and the beginning and end of what can be read then.
fn say(world: &mut TextWorld, name: &str, args: &[Value]) -> String {
    let call = Call { name: name.to_owned(), args: args.to_vec() };
    let call = world.surface().fit(&call).expect("a call as it is published");
    let told = world.apply(&Action::Call(call), SOON).expect("no fault");
    let shown = world.observe(&BTreeSet::from([ObservationPart::Text]), SOON).expect("no fault");
    let text = &shown.texts[&ObservationPart::Text];
    let lines: Vec<&str> = text.lines().collect();
    let body = if lines.len() < 12 {
        lines.join(" / ")
    } else {
        [&lines[..6], &["..."], &lines[lines.len() - 2..]].concat().join(" / ")
    };
    format!("{:?}: {} >> {body}", told.effect, told.text)
}

#[test]
fn pages_are_read_and_gone_through_by_calls() {
    let mut world = shop();
    let said = [
        say(&mut world, "open", &[json!("1")]),
        say(&mut world, "more", &[]),
        say(&mut world, "find", &[json!("THE end")]),
        say(&mut world, "more", &[]),
        say(&mut world, "submit", &[json!(1), json!({"what": "green tea"})]),
        say(&mut world, "submit", &[json!(1), json!({"kind": "tea", "new": ["yes"]})]),
        say(&mut world, "search", &[json!("coffee")]),
        say(&mut world, "open", &[json!("https://shop.test/none")]),
    ];
    insta::assert_snapshot!(said.join("\n"));
    let evidence = world.collect(SOON).expect("no fault").evidence;
    assert_eq!(evidence.documents["sites"], json!(["green tea"]));
    assert_eq!(evidence.documents["writes"][0]["fields"], json!({"what": "green tea"}));
    assert_eq!(evidence.documents["visits"].as_array().map(Vec::len), Some(7));
}

#[test]
fn what_cannot_be_done_is_refused_and_changes_nothing() {
    let mut world = shop();
    let said = [
        say(&mut world, "open", &[json!("9")]),
        say(&mut world, "open", &[json!("all wares")]),
        say(&mut world, "open", &[json!("file:///etc/passwd")]),
        say(&mut world, "find", &[json!("coffee")]),
        say(&mut world, "submit", &[json!(2), json!({})]),
        say(&mut world, "submit", &[json!(1), json!({"colour": "red"})]),
        say(&mut world, "submit", &[json!(1), json!({"kind": "coffee"})]),
        say(&mut world, "more", &[]),
        say(&mut world, "open", &[json!("2")]),
    ];
    insta::assert_snapshot!(said.map(|line| line.split(" >> ").next().unwrap_or_default().to_owned()).join("\n"));
    let refused = world.collect(SOON).expect("no fault").evidence.refused;
    assert_eq!(refused, ["going to file:///etc/passwd", "GET https://out.test/"]);
}
