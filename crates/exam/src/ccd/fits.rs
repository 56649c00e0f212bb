//! Frames of a camera, and their files in the format that astronomers use.

use std::fmt::Write as _;

/// Blocks of the format, and its cards.
const BLOCK: usize = 2880;
const CARD: usize = 80;

/// What a frame shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameKind {
    Bias,
    Dark,
    Flat,
    Science,
}

/// One frame as it was read out.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CameraFrame {
    pub(super) kind: FrameKind,
    pub(super) filter: Option<&'static str>,
    pub(super) exposure_s: f64,
    pub(super) temperature_c: f64,
    /// Minutes since the evening.
    pub(super) minute: usize,
    pub(super) width: usize,
    /// Rows from the bottom, as the file has them.
    pub(super) counts: Vec<u16>,
}

impl CameraFrame {
    /// The file. Counts are kept as signed numbers, from which the header tells how to get back.
    pub(super) fn written(&self) -> Vec<u8> {
        let mut out = self.header().into_bytes();
        pad(&mut out, b' ');
        for count in &self.counts {
            out.extend(((i32::from(*count) - 32768) as i16).to_be_bytes());
        }
        pad(&mut out, 0);
        out
    }

    fn header(&self) -> String {
        let height = self.counts.len() / self.width;
        let word = |word: &str| format!("'{word:<8}'");
        let time = (18 * 60 + self.minute) % (24 * 60);
        let date = if self.minute < 6 * 60 { "2025-03-14" } else { "2025-03-15" };
        let (kind, object) = match self.kind {
            FrameKind::Bias => ("Bias Frame", "bias"),
            FrameKind::Dark => ("Dark Frame", "dark"),
            FrameKind::Flat => ("Flat Field", "twilight"),
            FrameKind::Science => ("Light Frame", "field 7"),
        };
        let mut out = String::new();
        for (key, value) in [
            ("SIMPLE", "T".to_owned()),
            ("BITPIX", "16".to_owned()),
            ("NAXIS", "2".to_owned()),
            ("NAXIS1", self.width.to_string()),
            ("NAXIS2", height.to_string()),
            ("BSCALE", "1".to_owned()),
            ("BZERO", "32768".to_owned()),
            ("OBJECT", word(object)),
            ("IMAGETYP", word(kind)),
            ("FILTER", word(self.filter.unwrap_or("none"))),
            ("EXPTIME", format!("{:.1}", self.exposure_s)),
            ("CCD-TEMP", format!("{:.1}", self.temperature_c)),
            ("DATE-OBS", word(&format!("{date}T{:02}:{:02}:00", time / 60, time % 60))),
        ] {
            let card =
                if value.starts_with('\'') { format!("{key:<8}= {value}") } else { format!("{key:<8}= {value:>20}") };
            // Writing to a text cannot fail.
            write!(out, "{card:<CARD$}").ok();
        }
        format!("{out}{:<CARD$}", "END")
    }
}

fn pad(bytes: &mut Vec<u8>, with: u8) {
    bytes.resize(bytes.len().div_ceil(BLOCK) * BLOCK, with);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_blocks_of_cards_and_numbers() {
        let frame = CameraFrame {
            kind: FrameKind::Flat,
            filter: Some("V"),
            exposure_s: 4.5,
            temperature_c: -20.1,
            minute: 375,
            width: 2,
            counts: vec![0, 32768, 65535, 1],
        };
        let file = frame.written();
        let header = String::from_utf8(file[..BLOCK].to_vec()).unwrap();
        assert_eq!((file.len(), &file[BLOCK..BLOCK + 8]), (2 * BLOCK, &[0x80, 0, 0, 0, 0x7f, 0xff, 0x80, 1][..]));
        assert!(
            header.contains("EXPTIME =                  4.5") && header.contains("'2025-03-15T00:15:00'"),
            "{header}"
        );
    }
}
