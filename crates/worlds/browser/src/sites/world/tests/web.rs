//! A small web: a search, a shop with every kind of control, and a page of numbers.

use serde_json::{Value, json};

use crate::sites::{ServerMethod, ServerRequest, ServerResponse, SiteContent, SiteServer};

const STYLE: &str = "<style>body{font:16px/1.5 'Liberation Sans',sans-serif;margin:24px;color:#222}\
                     input,button,select,textarea{font:inherit}td,th{padding:2px 12px}</style>";
const ROWS: [(&str, u32); 4] = [("Orvia", 42), ("Belmar", 17), ("Tessin", 65), ("Quill", 30)];

/// Three hosts and what was ordered from one of them.
#[derive(Default)]
pub(super) struct SmallWeb {
    orders: Vec<Value>,
    n_changes: u64,
}

impl SiteServer for SmallWeb {
    fn hosts(&self) -> Vec<String> {
        ["find.test", "shop.test", "numbers.test"].map(str::to_owned).into()
    }

    fn home(&self) -> String {
        "https://find.test/".to_owned()
    }

    fn respond(&mut self, request: &ServerRequest) -> ServerResponse {
        match (request.method, request.host.as_str(), request.path.as_str()) {
            (ServerMethod::Get, "find.test", "/") => find(request.query_value("q")),
            (ServerMethod::Get, "numbers.test", "/") => numbers(request.query_value("sort").unwrap_or("name")),
            (ServerMethod::Get, "numbers.test", "/table.csv") => {
                ServerResponse::of(200, SiteContent::Text("name;value\nOrvia;42\n".to_owned()))
            }
            (ServerMethod::Get, "numbers.test", "/chart.svg") => {
                let chart = "<svg xmlns='http://www.w3.org/2000/svg' width='80' height='40'><rect width='80' \
                             height='40' fill='#48c'/></svg>";
                ServerResponse::of(200, SiteContent::Svg(chart.to_owned()))
            }
            (ServerMethod::Get, "numbers.test", "/nothing") => ServerResponse::page(204, ""),
            (ServerMethod::Get, "shop.test", "/") => self.shop(),
            (ServerMethod::Get, "shop.test", "/traps") => traps(),
            (ServerMethod::Get, "shop.test", "/odd") => oddities(),
            (ServerMethod::Post, "shop.test", "/order") => self.order(request),
            (ServerMethod::Post, "shop.test", "/check") => page(422, "Check", "<p>The code is wrong.</p>"),
            _ => page(404, "Not found", "<h1>There is no such page</h1>"),
        }
    }

    fn state(&self) -> Value {
        json!({ "orders": self.orders })
    }

    fn n_changes(&self) -> u64 {
        self.n_changes
    }

    fn search_address(&self, words: &str) -> Option<String> {
        Some(format!("https://find.test/?q={}", words.replace(' ', "+")))
    }
}

impl SmallWeb {
    fn order(&mut self, request: &ServerRequest) -> ServerResponse {
        self.n_changes += 1;
        self.orders.push(json!({ "size": request.form_value("size"), "note": request.form_value("note") }));
        ServerResponse::see_other("/?thanks")
    }

    fn shop(&self) -> ServerResponse {
        let n_orders = self.orders.len();
        let body = format!(
            "<h1>Shop</h1><p>{n_orders} orders so far.</p>\
             <form method=post action=/order>\
             <p><label>Size <select name=size><option value=s>Small<option value=m>Middle<option value=l>Large</select></label>\
             <p><label><input type=checkbox name=gift value=yes> As a gift</label>\
             <p><label><input type=radio name=post value=slow checked> Slowly</label> \
                <label><input type=radio name=post value=fast> Fast</label>\
             <p><textarea name=note placeholder=Note rows=2 cols=40></textarea>\
             <p><label>Day <input type=date name=day></label> <label>Colour <input type=color name=colour></label>\
             <p><button name=buy>Order now</button></form>\
             <details><summary>Terms</summary><p>There are none.</p></details>\
             <p><button popovertarget=hint>Hint</button><div popover id=hint>Large ones run small.</div>\
             <p><a href='https://numbers.test/' target=_blank>Figures</a> <a href='https://find.test/'>Search</a> \
                <a href='https://nowhere.test/x'>Elsewhere</a>\
             <form method=post action=/check><button name=code value=7>Check the code</button></form>"
        );
        page(200, "Shop", &body).stating(1, Some(json!([{ "fact": "orders", "value": n_orders }])))
    }
}

fn find(words: Option<&str>) -> ServerResponse {
    let found = words.map(|words| {
        let words = words.replace('<', "");
        format!("<p id=found>Found for <b>{words}</b>: <a href='https://numbers.test/?sort=value'>Numbers of {words}</a></p>")
    });
    let body = format!(
        "<h1>Find</h1><form action=/><input name=q aria-label=Words autofocus><button>Search</button></form>{}\
         <p><a href='https://shop.test/'>Shop</a> <a href='https://numbers.test/'>Numbers</a>\
         <a href='#end'>To the end</a><a href='mailto:a@b.test'>Mail</a></p><p style='height:1500px'></p><p id=end>The end",
        found.unwrap_or_default()
    );
    page(200, "Find", &body)
}

fn numbers(sort: &str) -> ServerResponse {
    let mut rows = ROWS;
    if sort == "value" {
        rows.sort_by_key(|row| row.1);
    } else {
        rows.sort_by_key(|row| row.0);
    }
    let rows: Vec<String> = rows.iter().map(|(name, value)| format!("<tr><td>{name}<td>{value}")).collect();
    let body = format!(
        "<h1>Numbers</h1><img src=/chart.svg alt=Chart><table><tr><th><a href='?sort=name'>Name</a><th>\
         <a href='?sort=value'>Value</a>{}</table><p><a href=/table.csv download>Table</a> <a href=/nothing>Nothing</a>\
         <a href='https://find.test/'>Search</a><p style='height:2000px'></p><p><a href='https://shop.test/'>Shop at the end</a>",
        rows.join("")
    );
    page(200, "Numbers", &body).stating(4, None)
}

/// Controls that browsers have notions of their own about.
fn oddities() -> ServerResponse {
    let body = "<h1>Oddities</h1><form action=/odd>\
         <p><label>Name <input name=name required></label> <label>Mail <input type=email name=mail></label>\
         <p><label>Count <input type=number name=count value=3></label> <label>Share <input type=range name=share></label>\
         <p><label>Town <input name=town list=towns></label><datalist id=towns><option>Orvia<option>Orlen</datalist>\
         <p><label>File <input type=file name=file></label>\
         <p><label>Some <select name=some multiple><option>One<option>Two<option>Three</select></label> \
            <label>Listed <select name=listed size=3><option>Red<option>Green<option>Blue</select></label>\
         <p><button name=send>Send</button></form>\
         <p title='A hint that appears when the pointer rests'>Rest here</p>\
         <button command=show-modal commandfor=box>Open the box</button>\
         <dialog id=box><p>In the box.<button command=close commandfor=box>Close the box</button></dialog>\
         <a href='https://find.test/'>Search</a><iframe src='https://find.test/'></iframe>\
         <img src='https://nowhere.test/x.png' alt=Lost><script>document.title = 'Changed'</script>";
    page(200, "Oddities", body)
}

/// What sites must not hold: a list that the browser draws in a window of its own.
fn traps() -> ServerResponse {
    let style = "<style>#native{appearance:auto !important}</style>";
    page(200, "Traps", &format!("{style}<p><select id=native name=native><option>One<option>Two</select>"))
}

fn page(status: u16, title: &str, body: &str) -> ServerResponse {
    ServerResponse::page(
        status,
        format!("<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title>{STYLE}{body}</html>"),
    )
}
