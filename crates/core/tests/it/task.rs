//! Reading task folders: every problem has a place and a hint.

use crate::ladder::TASK;
use quintain_core::instance::Pick;
use quintain_core::task::{FieldType, Task, TaskFiles};
use serde_json::{Value, json};

fn problems(toml: &str) -> String {
    let files: TaskFiles =
        [("task.toml".to_owned(), toml.as_bytes().to_vec()), ("instruction.md".to_owned(), b"Climb.".to_vec())].into();
    Task::from_files("test", &files).map_or_else(|problems| problems.to_string(), |task| format!("fine: {}", task.id))
}

#[test]
fn a_sound_task_is_read() {
    assert_eq!(problems(TASK), "fine: test/ladder");
}

#[test]
fn a_misspelt_key_gets_a_hint() {
    insta::assert_snapshot!(problems(&TASK.replace("title", "titel")), @"
    task.toml:4:1: unknown field `titel`, expected one of `id`, `title`, `version`, `difficulty`, `tier`, `capabilities`, `domain`
    hint: did you mean `title`?
    ");
}

#[test]
fn a_syntax_error_has_its_place() {
    insta::assert_snapshot!(problems(&TASK.replace("steps = 6", "steps = six")), @"task.toml:18:9: string values must be quoted, expected literal string");
}

#[test]
fn all_unsound_rules_are_told_at_once() {
    let toml = TASK
        .replace("steps = 6", "steps = 0")
        .replace("test/ladder", "other/ladder")
        .replace("value = 3", "value = 3\ngenerator = { integer = [5, 1] }");
    insta::assert_snapshot!(problems(&toml), @r#"
    task.toml:3:1: the task says it belongs to suite `other` but lies in `test`
    hint: write id = "test/ladder"
    task.toml:18:2: a limit of 0 steps leaves nothing to do
    hint: allow at least one step; minutes and money are more than nothing
    task.toml:14:13: the generator of `top` cannot draw: it has nothing to draw from: the lower bound comes first
    hint: docs/tasks.md tells what a generator may be
    "#);
}

#[test]
fn whatever_cannot_be_read_is_told_at_once() {
    let toml = TASK
        .replace("title = ", "titel = ")
        .replace("app = \"ladder\"", "app = \"ladder\"\nclok = \"stepped\"\nviewport = \"large\"")
        .replace("steps = 6", "steps = 6\nminuts = 3");
    let files: TaskFiles =
        [("task.toml".to_owned(), toml.into_bytes()), ("instruction.md".to_owned(), b"Climb {{ top.".to_vec())].into();
    let told = Task::from_files("test", &files).unwrap_err();
    let lines: Vec<String> =
        told.0.iter().map(|problem| problem.to_string().lines().next().unwrap().to_owned()).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    task.toml:4:1: unknown field `titel`, expected one of `id`, `title`, `version`, `difficulty`, `tier`, `capabilities`, `domain`
    task.toml:11:1: unknown field `clok`, expected one of `kind`, `app`, `start`, `viewport`, `observe`, `act`, `clock`, `network`, `os`, `resources`, `software`
    task.toml:12:12: invalid type: string "large", expected a tuple of size 2
    task.toml:21:1: unknown field `minuts`, expected one of `steps`, `minutes`, `tokens`, `cost_usd`
    instruction.md:1:1: the template cannot be read: syntax error: unexpected end of input, expected identifier or integer (in instruction:1)
    "#);
}

#[test]
fn a_chance_that_makes_it_no_test_is_refused() {
    let told = problems(&format!("{TASK}\n[presets.easy]\ndifficulty = \"easy\"\nchance = 0.9\n"));
    assert!(told.contains("preset `easy`: chance is 0.9\nhint: a share from 0 to 0.5"), "{told}");
}

#[test]
fn what_is_reserved_is_refused() {
    insta::assert_snapshot!(problems(&TASK.replace("app = \"ladder\"", "app = \"ladder\"\nos = \"windows\"")), @"
    task.toml:11:1: `os` is not supported yet
    hint: it is reserved; take it out
    ");
}

#[test]
fn a_preset_may_only_set_parameters() {
    let toml = format!("{TASK}\n[presets.hard]\ndifficulty = \"hard\"\nparameters = {{ topp = 9 }}\n");
    insta::assert_snapshot!(problems(&toml), @"
    task.toml:30:16: preset `hard` sets `topp`, which is no parameter of the task
    hint: did you mean `top`?
    ");
}

#[test]
fn missing_files_are_named() {
    insta::assert_snapshot!(Task::from_files("test", &TaskFiles::new()).unwrap_err().to_string(), @"
    task.toml: the file is missing
    hint: every task folder has task.toml and instruction.md; `quintain new` makes both
    ");
}

#[test]
fn a_seed_draws_what_a_generator_offers_and_the_canonical_instance_draws_nothing() {
    let task = crate::ladder::task(&TASK.replace("value = 3", "value = 3\ngenerator = { integer = [5, 9] }"));
    let top = |seed| task.parameters(&Pick { seed, ..Pick::default() })["top"].as_i64().unwrap();
    assert_eq!(top(None), 3);
    assert!((0..50).map(Some).all(|seed| (5..=9).contains(&top(seed))));
    assert_eq!(top(Some(4)), top(Some(4)));
}

#[test]
fn a_type_of_field_tells_its_form_and_what_fits_it() {
    let types: Vec<FieldType> = ["date", "quantity", "money", "percent", "entity", "table"]
        .map(|word| serde_json::from_value(json!(word)).unwrap())
        .into();
    let values =
        [json!("7"), json!(7), json!({"value": 7}), json!([{"firm": "Alba"}]), json!([7]), json!([]), Value::Null];
    let told = |field: &FieldType| {
        let fits: Vec<String> = values.iter().filter(|value| field.fits(value)).map(Value::to_string).collect();
        format!("{field}: {}", fits.join(" "))
    };
    insta::assert_snapshot!(types.iter().map(told).collect::<Vec<_>>().join("\n"), @r#"
    a date such as 2024-12-31: "7"
    a quantity with its unit such as "3.2 km": "7" 7 {"value":7}
    an amount with its currency such as "12,300,000 EUR": "7" 7 {"value":7}
    a number in percent such as 12.3: "7" 7
    a name: "7"
    a list of objects, one for each row: [{"firm":"Alba"}] []
    "#);
}
