//! Putting drafts into the order of their days.

use crate::date::Date;

/// The order of the days, as indices: the oldest first, those of one day as they came. A counting sort, because there
/// are more items than days.
pub(crate) fn order_by_day(days: impl Iterator<Item = Date> + Clone) -> Vec<u32> {
    let (Some(first), Some(last)) = (days.clone().min(), days.clone().max()) else {
        return Vec::new();
    };
    let slot = |day: Date| (day.0 - first.0) as usize;
    let mut next = vec![0_u32; slot(last) + 2];
    days.clone().for_each(|day| next[slot(day) + 1] += 1);
    (1..next.len()).for_each(|at| next[at] += next[at - 1]);
    let mut order = vec![0_u32; next[next.len() - 1] as usize];
    for (index, day) in days.enumerate() {
        let place = &mut next[slot(day)];
        order[*place as usize] = index as u32;
        *place += 1;
    }
    order
}

/// Where each draft stands in an order.
pub(crate) fn ranks(order: &[u32]) -> Vec<u32> {
    let mut ranks = vec![0_u32; order.len()];
    order.iter().enumerate().for_each(|(rank, &draft)| ranks[draft as usize] = rank as u32);
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_comes_first() {
        let order = order_by_day([5, -3, 5, 0].into_iter().map(Date));
        assert_eq!(order, [1, 3, 0, 2]);
        assert_eq!(ranks(&order), [2, 0, 3, 1]);
        assert!(order_by_day(std::iter::empty()).is_empty());
    }
}
