//! The binary raw file that ngspice writes: a header of text lines, then numbers point by point.

/// A parsed raw file.
pub(super) struct RawFile<'a> {
    names: Vec<&'a str>,
    n_points: usize,
    numbers: &'a [u8],
}

impl<'a> RawFile<'a> {
    /// Reads the header. None where the file is not whole.
    pub(super) fn parse(bytes: &'a [u8]) -> Option<Self> {
        let marker = b"Binary:\n";
        let end = bytes.windows(marker.len()).position(|window| window == marker)?;
        let header = str::from_utf8(&bytes[..end]).ok()?;
        let field = |name: &str| header.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let n_variables: usize = field("No. Variables:")?.parse().ok()?;
        let n_points: usize = field("No. Points:")?.parse().ok()?;
        let listed = header.lines().skip_while(|line| !line.starts_with("Variables:")).skip(1);
        let names: Vec<&str> = listed.take(n_variables).map_while(|line| line.split_whitespace().nth(1)).collect();
        let numbers = &bytes[end + marker.len()..];
        let is_whole = names.len() == n_variables && n_points > 0 && numbers.len() >= 8 * n_points * n_variables;
        is_whole.then_some(Self { names, n_points, numbers })
    }

    /// The times, and the vectors of those names in their order. None where one is missing or not a number.
    pub(super) fn take(&self, names: &[String]) -> Option<(Vec<f64>, Vec<Vec<f64>>)> {
        let column = |name: &str| self.names.iter().position(|candidate| candidate.eq_ignore_ascii_case(name));
        let times = self.column(column("time")?)?;
        let vectors: Option<Vec<_>> = names.iter().map(|name| self.column(column(name)?)).collect();
        Some((times, vectors?))
    }

    fn column(&self, idx: usize) -> Option<Vec<f64>> {
        let n_variables = self.names.len();
        let number = |point_idx: usize| {
            let start = 8 * (point_idx * n_variables + idx);
            let bytes = self.numbers.get(start..start + 8)?.try_into().ok()?;
            Some(f64::from_le_bytes(bytes)).filter(|number| number.is_finite())
        };
        (0..self.n_points).map(number).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(n_points: usize, numbers: &[f64]) -> Vec<u8> {
        let header = format!(
            "Title: * circuit\nNo. Variables: 2\nNo. Points: {n_points}       \nVariables:\n\t0\ttime\ttime\n\t1\tv(n1)\tvoltage\nBinary:\n"
        );
        header.into_bytes().into_iter().chain(numbers.iter().flat_map(|number| number.to_le_bytes())).collect()
    }

    #[test]
    fn vectors_are_found_by_name() {
        let bytes = file(2, &[0.0, 1.5, 0.1, 2.5]);
        let raw = RawFile::parse(&bytes).unwrap();
        assert_eq!(raw.take(&["v(n1)".to_owned()]), Some((vec![0.0, 0.1], vec![vec![1.5, 2.5]])));
        assert_eq!(raw.take(&["v(n2)".to_owned()]), None);
    }

    #[test]
    fn files_that_are_cut_off_or_hold_no_numbers_are_refused() {
        assert!(RawFile::parse(&file(3, &[0.0, 1.5, 0.1, 2.5])).is_none());
        assert!(RawFile::parse(&file(0, &[])).is_none());
        assert!(RawFile::parse(b"Title: nothing\n").is_none());
        let bytes = file(1, &[0.0, f64::NAN]);
        assert_eq!(RawFile::parse(&bytes).unwrap().take(&["v(n1)".to_owned()]), None);
    }
}
