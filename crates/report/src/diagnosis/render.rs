//! A diagnosis as text for the terminal.

use quintain_core::words::count;

use super::{Diagnosed, Diagnosis, LevelResult, SettingEffect};
use crate::isolation::noted;
use crate::text::{interval, p_value, percent, signed, table};

impl Diagnosis {
    /// The diagnosis as plain text, at most 100 characters wide.
    pub fn text(&self) -> String {
        self.agents.iter().map(Diagnosed::text).collect::<Vec<_>>().join("\n")
    }

    /// What a reader must know before believing the numbers, each said once.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for agent in &self.agents {
            for (effect, level) in
                agent.factors.iter().flat_map(|effect| effect.levels.iter().map(move |l| (effect, l)))
            {
                let Some(against) = &level.against_base else { continue };
                let said = against.warnings.iter().filter(|warning| !warning.starts_with("only "));
                warnings.extend(said.map(|warning| {
                    format!("{} {} {}, B against A: {warning}", agent.agent, effect.factor, level.level)
                }));
            }
        }
        warnings
    }
}

impl Diagnosed {
    fn text(&self) -> String {
        let blocks = self.factors.iter().map(SettingEffect::text);
        std::iter::once(format!("{}\n", noted(&self.agent, self.isolation)))
            .chain(blocks)
            .collect::<Vec<_>>()
            .join("\n")
    }
}

impl SettingEffect {
    fn text(&self) -> String {
        let base = self.levels.iter().find(|level| level.is_base).map_or("", |level| &level.level);
        let against = format!("against {base}");
        let head = [&self.factor, "instances", "tasks", "solved", "95 %", &against, "95 % paired", "McNemar p"];
        let lines: Vec<Vec<String>> = self.levels.iter().map(LevelResult::line).collect();
        let said = self.levels.iter().filter_map(|level| Some((&level.level, level.conclusion.as_ref()?)));
        let said: Vec<String> = said.map(|(level, conclusion)| format!("  {level}: {conclusion}\n")).collect();
        let broken = self.levels.iter().filter(|level| level.n_faulted > 0);
        let broken = broken.map(|LevelResult { level, n_faulted, .. }| {
            format!("  {level}: {} ended in a fault and count as not solved\n", count(*n_faulted, "trial"))
        });
        table(&head, &lines) + &said.concat() + &broken.collect::<String>()
    }
}

impl LevelResult {
    /// The cells of its row: where it stands, and how it differs.
    pub(super) fn line(&self) -> Vec<String> {
        let mut cells = vec![
            self.level.clone(),
            self.n_instances.to_string(),
            self.n_tasks.to_string(),
            percent(self.success),
            interval(self.wilson),
        ];
        cells.extend(match (&self.against_base, self.difference()) {
            (Some(against), Some((value, paired))) => {
                [signed(Some(value)), interval(paired), p_value(against.mcnemar.exact_p)]
            }
            (Some(_), None) => ["-", "-", "-"].map(str::to_owned),
            (None, _) => ["", "", ""].map(str::to_owned),
        });
        cells
    }
}
