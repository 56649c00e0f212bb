//! A diagnosis as one HTML page that needs nothing else.

use quintain_core::digest::Digest;

use super::{Diagnosed, Diagnosis, LevelResult, SettingEffect, plot};
use crate::compare::TaskDifference;
use crate::html::STYLE;
use crate::html::escape::{escape, fill};
use crate::isolation::noted;
use crate::text::{percent, signed};

/// The page of a diagnosis: a plot and tables for each agent. `about` says in a line what was played and how.
pub fn page(name: &str, about: &str, diagnosis: &Diagnosis) -> String {
    let agents: String = diagnosis.agents.iter().map(agent).collect();
    let warning = |said: &String| format!("<p class=\"notice\">{}</p>", escape(said));
    let warnings = diagnosis.warnings().iter().map(warning).collect::<Vec<_>>().concat();
    let nonce = Digest::of(agents.as_bytes()).to_string();
    fill(
        include_str!("page.html"),
        &[
            ("nonce", &nonce),
            ("style", &format!("{STYLE}\n{}", plot::STYLE)),
            ("name", &escape(name)),
            ("about", &escape(about)),
            ("agents", &agents),
            ("warnings", &warnings),
        ],
    )
}

fn agent(agent: &Diagnosed) -> String {
    let tables: String = agent.factors.iter().map(table).collect();
    format!(
        "<h3 class=\"agent\">{}</h3><figure class=\"panel\">{}</figure>{tables}",
        escape(&noted(&agent.agent, agent.isolation)),
        plot::figure(agent)
    )
}

fn table(effect: &SettingEffect) -> String {
    let head = ["instances", "tasks", "solved", "95 %", "difference", "95 % paired", "McNemar p", "by task"];
    let head: String = head.map(|word| format!("<th>{word}</th>")).concat();
    let lines: String = effect.levels.iter().map(line).collect();
    let said = effect.levels.iter().filter_map(|level| Some((&level.level, level.conclusion.as_ref()?)));
    let paragraph = |(level, words): (&String, &String)| format!("<p><b>{}</b>: {}</p>", escape(level), escape(words));
    let said = said.map(paragraph).collect::<Vec<_>>().concat();
    format!(
        "<section class=\"panel\"><div class=\"scroll\"><table><thead><tr><th>{}</th>{head}</tr></thead>\
         <tbody>{lines}</tbody></table></div>{said}{}</section>",
        escape(&effect.factor),
        tasks(effect)
    )
}

fn line(level: &LevelResult) -> String {
    let by_task = level.against_base.as_ref().map_or_else(String::new, |against| {
        crate::text::interval(against.success.by_task.map(|clustered| clustered.interval))
    });
    let cells = level.line().into_iter().chain([by_task]);
    format!("<tr>{}</tr>", cells.map(|cell| format!("<td>{}</td>", escape(&cell))).collect::<Vec<_>>().concat())
}

/// Task by task, folded away.
fn tasks(effect: &SettingEffect) -> String {
    let row = |level: &str, task: &TaskDifference| {
        let cells = [
            task.task.clone(),
            level.to_owned(),
            task.n_pairs.to_string(),
            percent(Some(task.a)),
            percent(Some(task.b)),
            signed(Some(task.b - task.a)),
        ];
        format!("<tr>{}</tr>", cells.map(|cell| format!("<td>{}</td>", escape(&cell))).concat())
    };
    let varied = effect.levels.iter().filter_map(|level| Some((&level.level, level.against_base.as_ref()?)));
    let rows: String =
        varied.flat_map(|(level, against)| against.by_task.iter().map(move |task| row(level, task))).collect();
    let head = ["task", "level", "pairs", "run's own setting", "solved", "difference"];
    let head = head.map(|word| format!("<th>{word}</th>")).concat();
    format!(
        "<details><summary>Task by task</summary><div class=\"scroll\"><table><thead><tr>{head}</tr></thead>\
         <tbody>{rows}</tbody></table></div></details>"
    )
}
