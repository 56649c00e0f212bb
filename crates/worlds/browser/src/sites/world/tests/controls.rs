//! Every kind of control, and what must not make the browser hang.

use std::time::Instant;

use quintain_core::trajectory::Effect;
use quintain_core::world::WorldError;

use super::*;

#[test]
fn every_kind_of_control_works_and_what_is_sent_is_kept() {
    let mut world = open();
    click_on(&mut world, "a|https://shop.test/|Shop");
    click_on(&mut world, "select|size|Size SmallMiddleLarge");
    click_on(&mut world, "option|size=l|Large");
    click_on(&mut world, "input|gift=yes|As a gift");
    click_on(&mut world, "input|post=fast|Fast");
    click_on(&mut world, "textarea|note|Note");
    act(&mut world, &write("Two lines,\nof 100 % & more"));
    click_on(&mut world, "summary||Terms");
    assert!(observed(&mut world, ObservationPart::Tree).contains("There are none."));
    click_on(&mut world, "button|hint|Hint");
    assert!(observed(&mut world, ObservationPart::Tree).contains("Large ones run small."));
    act(&mut world, &key("Escape"));
    assert_eq!(click_on(&mut world, "button|buy|Order now").effect, Effect::Changed);
    assert_eq!(tabs(&mut world), "[shop.test/?thanks]");
    let order = serde_json::json!({ "size": "l", "note": "Two lines,\r\nof 100 % & more" });
    assert_eq!(world.snapshot(SOON).expect("a snapshot").documents["sites"]["orders"], serde_json::json!([order]));
    let fields = serde_json::json!({
        "size": "l", "gift": "yes", "post": "fast", "note": "Two lines,\r\nof 100 % & more", "day": "",
        "colour": "#000000", "buy": "",
    });
    let sent = serde_json::json!({
        "step": 11, "tab": 1, "address": "https://shop.test/order", "fields": fields, "status": 303,
    });
    assert_eq!(document(&mut world, "writes"), serde_json::json!([sent]));
}

#[test]
fn forms_that_look_up_and_tables_that_sort() {
    let mut world = open();
    click_on(&mut world, "input|q|Words");
    act(&mut world, &write("steel & rail\n"));
    assert_eq!(tabs(&mut world), "[find.test/?q=steel+%26+rail]");
    click_on(&mut world, "a|https://numbers.test/?sort=value|Numbers of steel & rail");
    click_on(&mut world, "a|https://numbers.test/?sort=name|Name");
    assert_eq!(tabs(&mut world), "[numbers.test/?sort=name]");
    click_on(&mut world, "a|https://numbers.test/table.csv|Table");
    assert_eq!(tabs(&mut world), "[numbers.test/table.csv]", "what would be downloaded is shown");
    act(&mut world, &Action::Back);
    let started = Instant::now();
    click_on(&mut world, "a|https://numbers.test/nothing|Nothing");
    assert!(started.elapsed() < Duration::from_secs(4), "an answer without a page is served as one");
    assert!(observed(&mut world, ObservationPart::Tree).contains("sent nothing that can be shown"));
}

#[test]
fn who_comes_back_to_an_answer_sends_nothing_again() {
    let mut world = open();
    act(&mut world, &go("shop.test"));
    click_on(&mut world, "button|code|Check the code");
    assert!(observed(&mut world, ObservationPart::Tree).contains("The code is wrong."));
    act(&mut world, &key("ctrl+r"));
    act(&mut world, &go("find.test"));
    act(&mut world, &Action::Back);
    assert!(observed(&mut world, ObservationPart::Tree).contains("The code is wrong."));
    assert_eq!(document(&mut world, "writes").as_array().expect("writes").len(), 1);
}

#[test]
fn calendars_and_palettes_do_not_open() {
    let mut world = open();
    act(&mut world, &go("shop.test"));
    let [x, y, width, height] = places(&mut world)["input|day|Day"];
    for (from_right, action) in [(12.0, None), (60.0, Some("alt+ArrowDown")), (60.0, Some("F4")), (60.0, Some("space"))]
    {
        act(&mut world, &click(x + width - from_right, y + height / 2.0));
        if let Some(chord) = action {
            act(&mut world, &key(chord));
        }
    }
    click_on(&mut world, "input|colour|Colour");
    act(&mut world, &key("Enter"));
    click_on(&mut world, "a|https://find.test/|Search");
    assert_eq!(tabs(&mut world), "[find.test/]");
}

#[test]
fn what_browsers_have_notions_about_does_not_make_them_hang() {
    let mut world = open();
    act(&mut world, &go("shop.test/odd"));
    let started = Instant::now();
    click_on(&mut world, "button|send|Send");
    assert_eq!(tabs(&mut world), "[shop.test/odd]", "a field that must be filled is empty");
    click_on(&mut world, "input|name|Name");
    act(&mut world, &write("x"));
    click_on(&mut world, "input|mail|Mail");
    act(&mut world, &write("no address\n"));
    click_on(&mut world, "input|count|Count");
    act(&mut world, &key("ArrowUp"));
    click_on(&mut world, "input|share|Share");
    click_on(&mut world, "input|town|Town");
    act(&mut world, &write("Or"));
    act(&mut world, &key("ArrowDown"));
    click_on(&mut world, "input|file|File");
    click_on(&mut world, "option|some=Two|Two");
    click_on(&mut world, "option|listed=Green|Green");
    let rest = middle(&mut world, "p||Rest here");
    act(&mut world, &Action::Move { to: rest.into() });
    act(&mut world, &Action::Wait { ms: 2000 });
    let heading = middle(&mut world, "h1||Oddities");
    for button in [Button::Right, Button::Middle] {
        for at in [(700.0, 500.0), heading] {
            act(&mut world, &Action::Click { at: Some(at.into()), button, held: Vec::new() });
        }
    }
    click_on(&mut world, "button||Open the box");
    assert!(observed(&mut world, ObservationPart::Tree).contains("In the box."));
    click_on(&mut world, "button||Close the box");
    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
    assert!(observed(&mut world, ObservationPart::Tree).contains("tab \"Oddities\""), "pages run no scripts");
    click_on(&mut world, "input|mail|Mail");
    act(&mut world, &key("ctrl+a"));
    act(&mut world, &write("a@b.test\n"));
    let address = tabs(&mut world);
    assert!(address.starts_with("[shop.test/odd?name=x&mail=a%40b.test&count=4&share="), "{address}");
    assert!(address.contains("&town=Or&file=&some=Two&listed=Green"), "{address}");
}

#[test]
fn a_frame_that_never_comes_is_a_fault_and_the_browser_is_not_used_again() {
    let mut world = open();
    act(&mut world, &go("shop.test/traps"));
    let (x, y) = middle(&mut world, "select|native|");
    let started = Instant::now();
    let pid = world.page.as_ref().expect("open").pid();
    let error = world.apply(&click(x, y), SOON).expect_err("the list opens in a window of its own");
    assert!(matches!(&error, WorldError::Fault { .. }), "{error}");
    assert!(error.to_string().contains("draws no frame"), "{error}");
    assert!(started.elapsed() < Duration::from_secs(25), "{:?}", started.elapsed());
    drop(world);
    assert_ne!(open().page.as_ref().expect("open").pid(), pid);
}

#[test]
fn the_document_is_told_without_what_draws_it() {
    let mut world = open();
    act(&mut world, &go("shop.test"));
    click_on(&mut world, "input|gift=yes|As a gift");
    click_on(&mut world, "textarea|note|Note");
    act(&mut world, &write("<b>"));
    let told = observed(&mut world, ObservationPart::Dom).replace("<p>", "\n<p>");
    insta::assert_snapshot!(told, @r##"
    <html lang="en"><head><title>Shop</title></head><body><h1>Shop</h1>
    <p>0 orders so far.</p><form method="post" action="/order">
    <p><label>Size <select name="size"><option value="s" selected>Small</option><option value="m">Middle</option><option value="l">Large</option></select></label></p>
    <p><label><input type="checkbox" name="gift" value="yes" checked> As a gift</label></p>
    <p><label><input type="radio" name="post" value="slow" checked> Slowly</label> <label><input type="radio" name="post" value="fast"> Fast</label></p>
    <p><textarea name="note" placeholder="Note">&lt;b&gt;</textarea></p>
    <p><label>Day <input type="date" name="day"></label> <label>Colour <input type="color" name="colour" value="#000000"></label></p>
    <p><button name="buy">Order now</button></p></form><details><summary>Terms</summary>
    <p>There are none.</p></details>
    <p><button popovertarget="hint">Hint</button></p><div popover id="hint">Large ones run small.</div>
    <p><a href="https://numbers.test/" target="_blank">Figures</a> <a href="https://find.test/">Search</a> <a href="https://nowhere.test/x">Elsewhere</a></p><form method="post" action="/check"><button name="code" value="7">Check the code</button></form></body></html>
    "##);
}
