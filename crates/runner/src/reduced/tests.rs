use std::sync::{Arc, Mutex};

use quintain_core::picture::Picture;
use quintain_core::trajectory::Effect;

use super::*;

const NOW: Duration = Duration::from_secs(1);

/// A world with a screen of 1280 by 720 that notes what is done in it.
struct Noting(Arc<Mutex<Vec<Action>>>);

impl World for Noting {
    fn surface(&self) -> Surface {
        Surface { screen: Some((1280, 720)), ..Surface::default() }
    }

    fn observe(&mut self, _wanted: &BTreeSet<ObservationPart>, _within: Duration) -> Result<Observation, WorldError> {
        let screen = Arc::new(Picture::filled(1280, 720, [9, 9, 9]));
        let goal = Arc::new(Picture::filled(100, 300, [9, 9, 9]));
        Ok(Observation::default()
            .with_picture(ObservationPart::Screen, screen)
            .with_picture(ObservationPart::Goal, goal))
    }

    fn apply(&mut self, action: &Action, _within: Duration) -> Result<Feedback, WorldError> {
        self.0.lock().unwrap().push(action.clone());
        Ok(Feedback { text: String::new(), effect: Effect::Changed })
    }

    fn snapshot(&mut self, _within: Duration) -> Result<Evidence, WorldError> {
        Ok(Evidence::default())
    }

    fn collect(&mut self, _within: Duration) -> Result<Collected, WorldError> {
        Ok(Collected::default())
    }
}

fn at(longest: Option<u32>) -> (Box<dyn World + Send>, Arc<Mutex<Vec<Action>>>) {
    let done = Arc::default();
    let settings = Settings { resolution: longest, ..Settings::default() };
    (as_seen(Box::new(Noting(Arc::clone(&done))), &settings), done)
}

#[test]
fn pictures_and_the_published_screen_are_made_smaller() {
    let (mut world, _) = at(Some(320));
    assert_eq!(world.surface().screen, Some((320, 180)));
    let seen = world.observe(&BTreeSet::new(), NOW).unwrap();
    assert_eq!(seen.pictures[&ObservationPart::Screen].size(), (320, 180));
    assert_eq!(seen.pictures[&ObservationPart::Goal].size(), (100, 300), "small enough as it is");
}

#[test]
fn without_a_resolution_nothing_changes() {
    let (world, _) = at(None);
    assert_eq!(world.surface().screen, Some((1280, 720)));
}

#[test]
fn points_are_taken_in_what_is_shown_and_done_on_the_screen_behind() {
    let (mut world, done) = at(Some(320));
    let said = [
        r#"{"do": "click", "at": {"x": 160, "y": 90}}"#,
        r#"{"do": "click", "at": {"mark": 7}}"#,
        r#"{"do": "drag", "path": [{"x": 0, "y": 1}, {"x": 319, "y": 179}]}"#,
        r#"{"do": "scroll", "at": {"x": 10, "y": 10}, "dx": 0, "dy": 30}"#,
        r#"{"do": "zoom", "from": {"x": 0, "y": 0}, "to": {"x": 80, "y": 45}}"#,
        r#"{"do": "sequence", "actions": [{"do": "move", "to": {"x": 1, "y": 2}}, {"do": "type", "text": "a"}]}"#,
    ];
    for text in said {
        world.apply(&serde_json::from_str(text).unwrap(), NOW).unwrap();
    }
    let lines: Vec<String> = done.lock().unwrap().iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    {"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]}
    {"do":"click","at":{"mark":7},"button":"left","held":[]}
    {"do":"drag","path":[{"x":0.0,"y":4.0},{"x":1276.0,"y":716.0}],"button":"left"}
    {"do":"scroll","at":{"x":40.0,"y":40.0},"dx":0.0,"dy":120.0}
    {"do":"zoom","from":{"x":0.0,"y":0.0},"to":{"x":320.0,"y":180.0}}
    {"do":"sequence","actions":[{"do":"move","to":{"x":4.0,"y":8.0}},{"do":"type","text":"a"}]}
    "#);
}
