//! Columns by typed ids, and lists of them.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A number that names a row of one table.
pub trait RowId: Copy {
    /// The row as an index.
    fn index(self) -> usize;
    /// The id of a row.
    fn from_index(index: usize) -> Self;
}

/// One property of all entities of a kind, read as `table.property[id]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column<I, T> {
    items: Vec<T>,
    of: PhantomData<I>,
}

impl<I: RowId, T> Column<I, T> {
    /// A column without rows, with room for so many.
    pub(crate) fn with_capacity(rows: usize) -> Self {
        Self { items: Vec::with_capacity(rows), of: PhantomData }
    }

    pub(crate) fn push(&mut self, item: T) -> I {
        self.items.push(item);
        I::from_index(self.items.len() - 1)
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The ids of all rows.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + Clone + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }

    /// All rows in order.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }

    /// All ids with their rows.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator + Clone {
        self.items.iter().enumerate().map(|(index, item)| (I::from_index(index), item))
    }

    /// The ids whose rows satisfy a condition.
    pub fn find(&self, wanted: impl Fn(&T) -> bool) -> impl Iterator<Item = I> {
        self.iter().filter(move |(_, item)| wanted(item)).map(|(id, _)| id)
    }
}

impl<I: RowId, T> FromIterator<T> for Column<I, T> {
    fn from_iter<Items: IntoIterator<Item = T>>(items: Items) -> Self {
        Self { items: items.into_iter().collect(), of: PhantomData }
    }
}

impl<I: RowId, T> Index<I> for Column<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: RowId, T> IndexMut<I> for Column<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

/// A list for each entity of a kind, all in one piece of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouped<I, T> {
    starts: Vec<u32>,
    items: Vec<T>,
    of: PhantomData<I>,
}

impl<I: RowId, T> Grouped<I, T> {
    /// No lists yet: they are added in the order of their entities.
    pub(crate) fn new() -> Self {
        Self { starts: vec![0], items: Vec::new(), of: PhantomData }
    }

    /// Adds the list of the next entity.
    pub(crate) fn push(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
        self.starts.push(self.items.len() as u32);
    }

    /// The list of an entity.
    pub fn of(&self, id: I) -> &[T] {
        let row = id.index();
        &self.items[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// How many entities have a list, if only an empty one.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether no entity has a list.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The items of all lists, one after the other.
    pub fn items(&self) -> &[T] {
        &self.items
    }
}

impl<I: RowId, T: Copy> Grouped<I, T> {
    /// Lists by a counting sort: each pair goes to the list of its first half, in the order in which the pairs come.
    pub(crate) fn sorted<P>(rows: usize, pairs: P) -> Self
    where
        P: Iterator<Item = (I, T)> + Clone,
    {
        let mut starts = vec![0_u32; rows + 1];
        pairs.clone().for_each(|(id, _)| starts[id.index() + 1] += 1);
        (0..rows).for_each(|row| starts[row + 1] += starts[row]);
        let Some((_, any)) = pairs.clone().next() else {
            return Self { starts, items: Vec::new(), of: PhantomData };
        };
        let mut items = vec![any; starts[rows] as usize];
        let mut next = starts.clone();
        for (id, item) in pairs {
            items[next[id.index()] as usize] = item;
            next[id.index()] += 1;
        }
        Self { starts, items, of: PhantomData }
    }
}
