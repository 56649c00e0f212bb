//! Going from page to page: links, addresses, history, tabs, and by the frame alone.

use quintain_core::action::Place;
use quintain_core::trajectory::Effect;

use super::*;

#[test]
fn links_lead_across_hosts_and_the_history_leads_back() {
    let mut world = open();
    assert_eq!(tabs(&mut world), "[find.test/]");
    assert_eq!(act(&mut world, &Action::Back).effect, Effect::Refused, "nothing comes before the home");
    click_on(&mut world, "a|https://shop.test/|Shop");
    assert_eq!(tabs(&mut world), "[shop.test/]");
    act(&mut world, &go("https://numbers.test/?sort=value"));
    assert_eq!(act(&mut world, &Action::Back).effect, Effect::Changed);
    assert_eq!(tabs(&mut world), "[shop.test/]");
    act(&mut world, &Action::Back);
    click_on(&mut world, "a|https://find.test/#end|To the end");
    assert_eq!(tabs(&mut world), "[find.test/#end]");
    act(&mut world, &Action::Back);
    assert_eq!(tabs(&mut world), "[find.test/]");
    act(&mut world, &Action::Forward);
    act(&mut world, &key("F5"));
    assert_eq!(act(&mut world, &Action::Forward).effect, Effect::Refused);
    insta::assert_snapshot!(visits(&mut world), @"
    0 tab 1 GET https://find.test/ 200 page 0
    2 tab 1 GET https://shop.test/ 200 page 1
    3 tab 1 GET https://numbers.test/?sort=value 200 page 4
    3 tab 1 GET https://numbers.test/chart.svg 200 part 0
    4 tab 1 GET https://shop.test/ 200 page 1
    5 tab 1 GET https://find.test/ 200 page 0
    9 tab 1 GET https://find.test/ 200 page 0
    ");
}

#[test]
fn nothing_outside_of_the_sites_is_reached() {
    let mut world = open();
    for address in [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "chrome://version",
        "about:blank",
        "view-source:https://find.test/",
    ] {
        assert_eq!(act(&mut world, &go(address)).effect, Effect::Refused, "{address}");
    }
    act(&mut world, &go("https://nowhere.test/a?b"));
    assert!(observed(&mut world, ObservationPart::Tree).contains("nowhere.test"));
    act(&mut world, &go("http://shop.test/"));
    assert_eq!(tabs(&mut world), "[shop.test/]");
    act(&mut world, &go("shop.test/missing"));
    assert!(observed(&mut world, ObservationPart::Tree).contains("There is no such page"));
    act(&mut world, &Action::Back);
    click_on(&mut world, "a|https://nowhere.test/x|Elsewhere");
    act(&mut world, &go("find.test"));
    assert_eq!(click_on(&mut world, "a|mailto:a@b.test|Mail").effect, Effect::Changed, "the link has the focus");
    act(&mut world, &key("F12"));
    let refused = world.collect(SOON).expect("collected").evidence.refused;
    insta::assert_snapshot!(refused.join("\n"), @"
    going to file:///etc/passwd
    going to javascript:alert(1)
    going to chrome://version
    going to about:blank
    going to view-source:https://find.test/
    GET https://nowhere.test/a?b
    GET https://nowhere.test/x
    a link to mailto:a@b.test
    the keys F12 for developer tools
    ");
}

#[test]
fn links_open_tabs_of_our_own() {
    let mut world = open();
    act(&mut world, &go("shop.test"));
    click_on(&mut world, "a|https://numbers.test/|Figures");
    assert_eq!(tabs(&mut world), "shop.test/ [numbers.test/]");
    assert_eq!(act(&mut world, &Action::Back).effect, Effect::Refused, "a new tab has no history");
    act(&mut world, &Action::Tab { index: 0 });
    let (x, y) = middle(&mut world, "a|https://find.test/|Search");
    act(&mut world, &Action::Click { at: Some((x, y).into()), button: Button::Middle, held: Vec::new() });
    assert_eq!(tabs(&mut world), "[shop.test/] find.test/ numbers.test/");
    act(&mut world, &Action::Click { at: Some((x, y).into()), button: Button::Left, held: vec!["ctrl".to_owned()] });
    assert_eq!(tabs(&mut world), "[shop.test/] find.test/ find.test/ numbers.test/");
    act(&mut world, &key("ctrl+Tab"));
    act(&mut world, &key("ctrl+w"));
    assert_eq!(tabs(&mut world), "shop.test/ [find.test/] numbers.test/");
    act(&mut world, &key("ctrl+3"));
    act(&mut world, &key("ctrl+w"));
    act(&mut world, &key("ctrl+w"));
    assert_eq!(tabs(&mut world), "[shop.test/]");
    assert_eq!(act(&mut world, &key("ctrl+w")).effect, Effect::Refused);
    assert_eq!(act(&mut world, &Action::Tab { index: 1 }).effect, Effect::Refused);
    act(&mut world, &Action::Back);
    assert_eq!(tabs(&mut world), "[find.test/]");
}

#[test]
fn mouse_and_keyboard_alone_go_anywhere_by_the_frame() {
    let mut world = open();
    click_on(&mut world, "frame:address");
    act(&mut world, &write("numbers.test"));
    act(&mut world, &key("Enter"));
    assert_eq!(tabs(&mut world), "[numbers.test/]");
    click_on(&mut world, "frame:back");
    assert_eq!(tabs(&mut world), "[find.test/]");
    click_on(&mut world, "frame:forward");
    assert_eq!(tabs(&mut world), "[numbers.test/]");
    click_on(&mut world, "frame:reload");
    click_on(&mut world, "frame:new tab");
    act(&mut world, &write("growth of orvia\n"));
    assert_eq!(tabs(&mut world), "numbers.test/ [find.test/?q=growth+of+orvia]");
    click_on(&mut world, "frame:tab 0");
    assert_eq!(tabs(&mut world), "[numbers.test/] find.test/?q=growth+of+orvia");
    click_on(&mut world, "frame:close tab 0");
    assert_eq!(tabs(&mut world), "[find.test/?q=growth+of+orvia]");
    click_on(&mut world, "frame:address");
    act(&mut world, &key("ctrl+c"));
    act(&mut world, &key("Escape"));
    click_on(&mut world, "input|q|Words");
    act(&mut world, &key("ctrl+v"));
    assert!(observed(&mut world, ObservationPart::Tree).contains("value=\"https://find.test/?q=growth+of+orvia\""));
    act(&mut world, &key("ctrl+l"));
    act(&mut world, &write("file:///etc/passwd"));
    assert_eq!(act(&mut world, &key("Enter")).effect, Effect::Changed, "the field is left");
    assert_eq!(world.collect(SOON).expect("collected").evidence.refused, ["going to file:///etc/passwd"]);
}

#[test]
fn the_frame_is_part_of_the_tree_and_its_numbers_can_be_clicked() {
    let mut world = open();
    act(&mut world, &go("shop.test"));
    click_on(&mut world, "a|https://numbers.test/|Figures");
    let told = observed(&mut world, ObservationPart::Tree);
    insta::assert_snapshot!(told, @r#"
    Browser
      [1] tab "Shop"
      [2] button "Close tab 1"
      [3] tab "Numbers" selected
      [4] button "Close tab 2"
      [5] button "New tab"
      [6] button "Back" disabled
      [7] button "Forward" disabled
      [8] button "Reload"
      [9] textbox "Address" value="https://numbers.test/"
    RootWebArea "Numbers" focused
      heading "Numbers"
      image "Chart"
      table
        row
          columnheader "Name"
            [10] link "Name"
          columnheader "Value"
            [11] link "Value"
        row
          cell "Belmar"
          cell "17"
        row
          cell "Orvia"
          cell "42"
        row
          cell "Quill"
          cell "30"
        row
          cell "Tessin"
          cell "65"
      [12] link "Table"
      text
      [13] link "Nothing"
      [14] link "Search"
      link "Shop at the end"
    "#);
    act(&mut world, &Action::Click { at: Some(Place::Mark(1)), button: Button::Left, held: Vec::new() });
    assert_eq!(tabs(&mut world), "[shop.test/] numbers.test/");
}

#[test]
fn the_table_of_places_reaches_below_the_screen() {
    let mut world = open();
    act(&mut world, &go("numbers.test"));
    let name = "a|https://shop.test/|Shop at the end";
    let (_, y) = middle(&mut world, name);
    assert!(y > 2000.0, "{y}");
    act(&mut world, &Action::Scroll { at: Some((300.0, 300.0).into()), dx: 0.0, dy: (y - 400.0).round() });
    let (_, now) = middle(&mut world, name);
    assert!((350.0..590.0).contains(&now), "{now}");
    click_on(&mut world, name);
    assert_eq!(tabs(&mut world), "[shop.test/]");
}
