//! Shares by name, as they are typed.

/// What `feedback=0.6,goal` names: each with its share from 0 to 1, all of it where none is given.
pub(super) fn read(text: &str) -> Result<Vec<(&str, f64)>, String> {
    let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
    items
        .map(|item| {
            let (name, share) = item.split_once('=').unwrap_or((item, "1"));
            let share: Option<f64> = share.trim().parse().ok().filter(|share| (0.0..=1.0).contains(share));
            let share = share.ok_or_else(|| format!("the share of `{name}` must be a number from 0 to 1"))?;
            Ok((name.trim(), share))
        })
        .collect()
}
