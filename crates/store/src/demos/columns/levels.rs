//! Nested cells as Parquet keeps them: the values that are there, and for each place how deep it goes and where its
//! list begins. Every step of the way may be empty, so each counts.

/// How deep a cell goes that is there.
const CELL: i16 = 1;
/// How deep a list goes that is there and empty.
const LIST: i16 = 1;
/// How deep a value in a list goes: the list, the place in it, the element, the value.
const IN_LIST: i16 = 4;
/// How deep a value in a list in a list goes: three more.
const IN_BOTH: i16 = 7;

/// A column taken apart.
#[derive(Debug, PartialEq)]
pub(super) struct ShreddedColumn<T> {
    /// What is there.
    pub(super) values: Vec<T>,
    /// How much of the way to a value is there, for each place.
    pub(super) depths: Vec<i16>,
    /// Which list each place goes on with, 0 beginning a row; nothing where there are no lists.
    pub(super) repeats: Option<Vec<i16>>,
}

impl<T> ShreddedColumn<T> {
    /// At most one cell a row.
    pub(super) fn of_cells(cells: Vec<Option<T>>) -> Self {
        let depths = cells.iter().map(|cell| if cell.is_some() { CELL } else { 0 }).collect();
        Self { values: cells.into_iter().flatten().collect(), depths, repeats: None }
    }

    /// A list a row.
    pub(super) fn of_lists(rows: Vec<Vec<T>>) -> Self {
        let mut places = Places::default();
        for row in rows {
            if row.is_empty() {
                places.nothing(LIST, 0);
            }
            for (idx, value) in row.into_iter().enumerate() {
                places.value(value, IN_LIST, i16::from(idx > 0));
            }
        }
        places.done()
    }

    /// A list of lists a row, whose cells may be empty.
    pub(super) fn of_nested(rows: Vec<Vec<Vec<Option<T>>>>) -> Self {
        let mut places = Places::default();
        for row in rows {
            if row.is_empty() {
                places.nothing(LIST, 0);
            }
            for (list_idx, list) in row.into_iter().enumerate() {
                places.list(list, i16::from(list_idx > 0));
            }
        }
        places.done()
    }
}

struct Places<T> {
    values: Vec<T>,
    depths: Vec<i16>,
    repeats: Vec<i16>,
}

impl<T> Default for Places<T> {
    fn default() -> Self {
        Self { values: Vec::new(), depths: Vec::new(), repeats: Vec::new() }
    }
}

impl<T> Places<T> {
    fn list(&mut self, list: Vec<Option<T>>, begins: i16) {
        if list.is_empty() {
            self.nothing(IN_LIST, begins);
        }
        for (idx, cell) in list.into_iter().enumerate() {
            let repeat = if idx == 0 { begins } else { 2 };
            match cell {
                Some(value) => self.value(value, IN_BOTH, repeat),
                None => self.nothing(IN_BOTH - 1, repeat),
            }
        }
    }

    fn value(&mut self, value: T, depth: i16, repeat: i16) {
        self.values.push(value);
        self.nothing(depth, repeat);
    }

    fn nothing(&mut self, depth: i16, repeat: i16) {
        self.depths.push(depth);
        self.repeats.push(repeat);
    }

    fn done(self) -> ShreddedColumn<T> {
        ShreddedColumn { values: self.values, depths: self.depths, repeats: Some(self.repeats) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_lists_and_cells_keep_their_places() {
        let lists = ShreddedColumn::of_lists(vec![vec!['a', 'b'], vec![], vec!['c']]);
        assert_eq!(lists.values, ['a', 'b', 'c']);
        assert_eq!(lists.depths, [4, 4, 1, 4]);
        assert_eq!(lists.repeats.unwrap(), [0, 1, 0, 0]);

        let rows = vec![vec![vec![Some('a'), None], vec![], vec![Some('b')]], vec![]];
        let nested = ShreddedColumn::of_nested(rows);
        assert_eq!(nested.values, ['a', 'b']);
        assert_eq!(nested.depths, [7, 6, 4, 7, 1]);
        assert_eq!(nested.repeats.unwrap(), [0, 2, 1, 1, 0]);
    }
}
