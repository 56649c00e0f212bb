use super::*;
use crate::diagnosis::vary;

fn told(vary: &str, base: &Settings) -> String {
    let words: Vec<String> = vary.split(',').map(str::to_owned).collect();
    let wishes = vary::read(&words).unwrap();
    let line = |set: &SettingLevel| {
        let Settings { show, history, groups, effort, resolution, .. } = &set.settings;
        let own = if set.settings == *base { " (own)" } else { "" };
        format!("{} [{}]{own}: {show:?} {history:?} {groups:?} {effort:?} {resolution:?}", set.name, set.slug)
    };
    match levels(&wishes[0], base) {
        Ok(sets) => sets.iter().map(line).collect::<Vec<_>>().join("\n"),
        Err(error) => format!("{error:#}").replace('\n', "; "),
    }
}

#[test]
fn each_level_changes_one_thing() {
    let base = Settings::default();
    let said = ["history", "view", "feedback", "goal", "groups=gui,gui+browser", "resolution=64", "effort=high"];
    insta::assert_snapshot!(said.map(|vary| told(vary, &base)).join("\n"), @"
    1 turn [1]: {Screen, Text, Feedback, Remaining} Some(0) None None None
    2 turns [2]: {Screen, Text, Feedback, Remaining} Some(1) None None None
    4 turns [4]: {Screen, Text, Feedback, Remaining} Some(3) None None None
    all [all] (own): {Screen, Text, Feedback, Remaining} None None None None
    screen [screen] (own): {Screen, Text, Feedback, Remaining} None None None None
    ascii [ascii]: {Ascii, Text, Feedback, Remaining} None None None None
    on [on] (own): {Screen, Text, Feedback, Remaining} None None None None
    off [off]: {Screen, Text, Remaining} None None None None
    off [off] (own): {Screen, Text, Feedback, Remaining} None None None None
    on [on]: {Screen, Text, Goal, Feedback, Remaining} None None None None
    all [] (own): {Screen, Text, Feedback, Remaining} None None None None
    gui [gui]: {Screen, Text, Feedback, Remaining} None Some({Gui}) None None
    gui+browser [gui.browser]: {Screen, Text, Feedback, Remaining} None Some({Gui, Browser}) None None
    full [] (own): {Screen, Text, Feedback, Remaining} None None None None
    64 px [64]: {Screen, Text, Feedback, Remaining} None None None Some(64)
    usual [] (own): {Screen, Text, Feedback, Remaining} None None None None
    high [high]: {Screen, Text, Feedback, Remaining} None None Some(High) None
    ");
}

#[test]
fn the_runs_own_setting_is_one_of_the_levels() {
    let base = Settings { history: Some(7), resolution: Some(300), ..Settings::default() };
    insta::assert_snapshot!([told("history=1,8", &base), told("history=2", &base), told("resolution", &base)].join("\n"), @"
    1 turn [1]: {Screen, Text, Feedback, Remaining} Some(0) None None Some(300)
    8 turns [8] (own): {Screen, Text, Feedback, Remaining} Some(7) None None Some(300)
    8 turns [] (own): {Screen, Text, Feedback, Remaining} Some(7) None None Some(300)
    2 turns [2]: {Screen, Text, Feedback, Remaining} Some(1) None None Some(300)
    300 px [] (own): {Screen, Text, Feedback, Remaining} Some(7) None None Some(300)
    512 px [512]: {Screen, Text, Feedback, Remaining} Some(7) None None Some(512)
    256 px [256]: {Screen, Text, Feedback, Remaining} Some(7) None None Some(256)
    128 px [128]: {Screen, Text, Feedback, Remaining} Some(7) None None Some(128)
    ");
}

#[test]
fn levels_that_make_no_sense_are_refused() {
    let base = Settings::default();
    let said = [
        "history=0",
        "history=all",
        "view=feedback",
        "view=asci",
        "feedback=on",
        "groups",
        "resolution=9",
        "effort=max",
    ];
    insta::assert_snapshot!(said.map(|vary| told(vary, &base)).join("\n"), @"
    `0` is no level of `history`: `all`, or a number of turns from 1, is wanted
    `history` has only one level: the one the run has anyway; hint: name others, as in `--vary history=A,B`
    `feedback` is no level of `view`: `feedback` shows nothing of the world: screen, ascii, tree, marks and dom do
    `asci` is no level of `view`: there is no part `asci`; hint: did you mean `ascii`?
    `feedback` is on or off and takes no levels; hint: `--vary feedback`
    `groups` needs its levels; hint: `--vary groups=gui,gui+browser`
    `9` is no level of `resolution`: `full`, or pixels from 16, is wanted
    `max` is no level of `effort`: there is no effort `max`; hint: there is `none`, `low`, `medium`, `high`
    ");
}
