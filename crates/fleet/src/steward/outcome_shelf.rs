//! Outcomes on their way to the archive: as many as memory may hold; the rest waits on the server.

use std::sync::Mutex;

use quintain_runner::engine::steered::SettledUnit;

/// Outcomes that were read and not yet written down.
#[derive(Debug)]
pub(super) struct OutcomeShelf {
    max: usize,
    stock: Mutex<ShelfStock>,
}

/// What is on a shelf.
#[derive(Debug, Default)]
pub(super) struct ShelfStock {
    /// Outcomes in their order.
    pub(super) rows: Vec<SettledUnit>,
    /// The sequence number of the first one that found no room. Those from there on have to be read again.
    pub(super) missing_from: Option<u64>,
    /// Whether somebody waits for them to be written down.
    is_urgent: bool,
}

impl OutcomeShelf {
    /// A shelf with room for so many.
    pub(super) fn new(max: usize) -> Self {
        Self { max, stock: Mutex::default() }
    }

    /// Puts outcomes on the shelf. Once there is no room, nothing more is put there until it is cleared.
    pub(super) fn put(&self, rows: Vec<SettledUnit>) {
        let mut stock = self.stock.lock().expect("nobody panics while holding it");
        let Some(first) = rows.first().map(|row| row.recorded.seq) else { return };
        if stock.missing_from.is_none() && stock.rows.len() + rows.len() <= self.max {
            stock.rows.extend(rows);
        } else {
            stock.missing_from.get_or_insert(first);
        }
    }

    /// Whether it should be cleared soon: so many outcomes are there, some found no room, or somebody waits for them.
    pub(super) fn is_pressing(&self, n_rows: usize) -> bool {
        let stock = self.stock.lock().expect("nobody panics while holding it");
        stock.rows.len() >= n_rows || stock.missing_from.is_some() || stock.is_urgent
    }

    /// Asks for it to be cleared soon.
    pub(super) fn hurry(&self) {
        self.stock.lock().expect("nobody panics while holding it").is_urgent = true;
    }

    /// Clears the shelf.
    pub(super) fn take(&self) -> ShelfStock {
        std::mem::take(&mut self.stock.lock().expect("nobody panics while holding it"))
    }
}
