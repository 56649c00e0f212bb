//! The HTML report as a whole: self-contained, complete, and inert whatever an agent says.

#[path = "../examples/sample_report/sample.rs"]
mod sample;

use quintain_core::check::Finding;
use quintain_core::observation::ObservationPart;
use quintain_core::verdict::MilestoneReached;
use quintain_report::{HtmlReport, TrialRow};

const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(2)>{{nonce}}<!--";

/// The page of a report that lists every trial.
fn html(report: &HtmlReport) -> String {
    quintain_report::html(report, &rows(report), &[])
}

fn rows(report: &HtmlReport) -> Vec<TrialRow> {
    report.trials.iter().map(|trial| trial.row.clone()).collect()
}

/// The text of the script element with an id.
fn element<'a>(page: &'a str, id: &str) -> &'a str {
    let start = page.find(&format!("id=\"{id}\">")).unwrap_or_else(|| panic!("no element {id}"));
    let rest = &page[start + id.len() + 6..];
    &rest[..rest.find("</script>").expect("the element ends")]
}

fn tags(page: &str, tag: &str) -> usize {
    page.matches(tag).count()
}

#[test]
fn what_an_agent_says_is_inert() {
    let mut report = sample::report(3, 2);
    let tame = html(&report);
    report.name = HOSTILE.to_owned();
    report.fingerprint.push((HOSTILE.to_owned(), HOSTILE.to_owned()));
    let trial = &mut report.trials[0];
    trial.row.trial.agent = HOSTILE.to_owned();
    trial.row.capabilities.push(HOSTILE.to_owned());
    trial.row.verdict.fault = Some(HOSTILE.to_owned());
    trial.row.verdict.findings[0].because = HOSTILE.to_owned();
    trial.instruction = Some(HOSTILE.to_owned());
    let step = &mut trial.steps.as_mut().unwrap()[0];
    step.reply.raw = HOSTILE.to_owned();
    step.reply.thought = Some(HOSTILE.to_owned());
    step.feedback.as_mut().unwrap().text = HOSTILE.to_owned();
    step.shown.texts.insert(ObservationPart::Tree, HOSTILE.to_owned());
    let page = html(&report);
    for tag in ["<script", "</script", "<img", "<!--", "alert(1)</script>"] {
        assert_eq!(tags(&page, tag), tags(&tame, tag), "{tag}");
    }
    let steps: serde_json::Value = serde_json::from_str(element(&page, "steps-0")).unwrap();
    assert_eq!(steps[0]["reply"], HOSTILE);
}

/// The scripts never read text as markup, and nothing else than them may run.
#[test]
fn the_page_builds_no_markup_from_text_and_asks_nobody() {
    let page = html(&sample::report(2, 1));
    for forbidden in
        ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "http://", "https://", "fetch("]
    {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    assert!(page.contains("default-src 'none'; img-src data:;") && !page.contains("unsafe-inline"));
}

#[test]
fn every_picture_is_there_once_and_every_trial_is_listed() {
    let report = sample::report(30, 30);
    let page = html(&report);
    let pictures: Vec<(String, u32, String)> = serde_json::from_str(element(&page, "pictures")).unwrap();
    assert_eq!(pictures.len(), report.pictures.len());
    let trials: Vec<serde_json::Value> = serde_json::from_str(element(&page, "data")).unwrap();
    assert_eq!(trials.len(), 30);
    assert_eq!(trials[7]["id"], report.trials[7].row.trial.to_string());
    let steps: Vec<serde_json::Value> = serde_json::from_str(element(&page, "steps-7")).unwrap();
    assert_eq!(steps.len(), report.trials[7].steps.as_ref().unwrap().len());
    let digest = report.trials[7].steps.as_ref().unwrap()[0].shown.pictures[&ObservationPart::Screen];
    let number = report.pictures.keys().position(|known| *known == digest).unwrap();
    assert_eq!(steps[0]["pictures"]["screen"], number);
    assert!(!page.contains("class=\"notice\""), "nothing is left out, so nothing is said of it");
}

#[test]
fn what_is_left_out_is_said() {
    let mut report = sample::report(20, 5);
    let page = html(&report);
    assert!(page.contains("Steps are included for 5 of 20 trials."));
    let page = quintain_report::html(&HtmlReport { trials: Vec::new(), ..report.clone() }, &rows(&report), &[]);
    assert!(page.contains("0 of 20 trials are listed") && page.contains("20 trials over 6 tasks"));
    report.pictures.clear();
    assert!(html(&report).contains("All pictures are included for 0 of the 5 trials with steps."));
}

#[test]
fn the_same_trials_give_the_same_page() {
    assert_eq!(html(&sample::report(24, 4)), html(&sample::report(24, 4)));
}

#[test]
fn nothing_is_a_report_too() {
    let page = html(&HtmlReport { name: "empty".to_owned(), ..HtmlReport::default() });
    assert!(page.contains("There are no trials.") && !page.contains("NaN"));
}

#[test]
fn ten_thousand_trials_fit_in_a_file_that_opens() {
    let small = sample::report(500, 0);
    let mut report = HtmlReport { trials: Vec::new(), ..small.clone() };
    for repeat in 0..20 {
        report.trials.extend(small.trials.iter().cloned().map(|mut trial| {
            trial.row.trial.repeat += 2 * repeat;
            trial
        }));
    }
    let page = html(&report);
    assert!(page.len() < 10_000_000, "{} bytes", page.len());
    // The list itself is drawn a page at a time by the script.
    let trials: Vec<serde_json::Value> = serde_json::from_str(element(&page, "data")).unwrap();
    assert_eq!(trials.len(), 10_000);
    assert!(tags(&page, "<tr") < 200, "{} table rows", tags(&page, "<tr"));
}

/// Sixty tasks with three hundred milestones each, in trials that all missed a hundred of them with much to say.
#[test]
fn chains_of_any_length_fit_in_a_page() {
    let mut report = sample::report(240, 0);
    for (i, trial) in report.trials.iter_mut().enumerate() {
        let milestone = |idx: usize| MilestoneReached {
            name: format!("milestone <{idx}>"),
            after_steps: (idx < 200).then_some(idx as u32),
            broke: idx == 200,
            findings: vec![Finding::of("c", false, "x".repeat(5_000))],
            ..Default::default()
        };
        trial.row.verdict.milestones = (0..300).map(milestone).collect();
        trial.row.trial.instance.task = format!("puzzles/chain-{}", i % 60).parse().unwrap();
        trial.row.trial.instance.pick.after = std::num::NonZeroU32::new(i as u32 % 50);
    }
    let page = html(&report);
    assert!(page.contains("Broke at") && page.contains("SR@k: careful") && !page.contains("milestone <"));
    assert!(page.len() < 4_000_000, "{} bytes", page.len());
    assert!(tags(&page, "<tr") < 300 && tags(&page, "<svg") < 40, "{} and {}", tags(&page, "<tr"), tags(&page, "<svg"));
}
