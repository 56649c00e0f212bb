//! Inkscape in a clean sandbox: boxes of objects, and one format made of another.

use std::collections::BTreeMap;
use std::time::Duration;

use quintain_workspace::VerifierRoom;

use super::printed::MM_PER_PX;

/// How long it may take, on a host that is busy.
const WITHIN: Duration = Duration::from_mins(5);
const MOST_BYTES: u64 = 32 << 20;

/// A box on the page, in millimetres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct MeasuredBox {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

/// Boxes by the ids of objects.
pub(super) type MeasuredBoxes = BTreeMap<String, MeasuredBox>;

impl MeasuredBox {
    /// How far two boxes are apart in the direction in which they are farther apart; below zero where they overlap.
    pub(super) fn gap(&self, other: &Self) -> f64 {
        let across = (other.left - self.right).max(self.left - other.right);
        let down = (other.top - self.bottom).max(self.top - other.bottom);
        across.max(down)
    }
}

/// Opens a file, measures all its objects, and writes it in another format. An outer error is ours.
pub(super) fn measured(
    room: &mut VerifierRoom,
    file: &str,
    written: &str,
) -> Result<Result<(MeasuredBoxes, Vec<u8>), String>, String> {
    let actions = format!("query-all;export-filename:{written};export-plain-svg;export-do");
    let report = room.run(&["inkscape", &format!("--actions={actions}"), file], WITHIN)?;
    if !report.succeeded {
        return Ok(Err("Inkscape cannot open it".to_owned()));
    }
    let bytes = room.get(written, MOST_BYTES)?;
    Ok(bytes.map(|bytes| (boxes(&report.output), bytes)).ok_or_else(|| "Inkscape cannot open it".to_owned()))
}

/// Reads what `--query-all` tells: id, left, top, width, height.
fn boxes(told: &str) -> MeasuredBoxes {
    let one = |line: &str| {
        let mut words = line.rsplitn(5, ',');
        let mut number = || words.next()?.parse::<f64>().ok().filter(|number| number.is_finite());
        let (height, width, top, left) = (number()?, number()?, number()?, number()?);
        let [left, top, right, bottom] = [left, top, left + width, top + height].map(|px| px * MM_PER_PX);
        Some((words.next()?.to_owned(), MeasuredBox { left, top, right, bottom }))
    };
    told.lines().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_read_and_nonsense_is_not() {
        let found = boxes("svg1,0,0,96,192\nwarning\na-b,96,48,96,48\nx,nan,1,2,3\n");
        assert_eq!(found.len(), 2);
        assert_eq!(found["a-b"], MeasuredBox { left: 25.4, top: 12.7, right: 50.8, bottom: 25.4 });
        let apart = MeasuredBox { left: 0.0, top: 20.0, right: 22.4, bottom: 30.0 };
        assert!((found["a-b"].gap(&apart) - 3.0).abs() < 1e-9);
    }
}
