//! Work on all cores, where there is enough of it.

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

/// Below this many commits, starting threads costs more than it gains.
pub(crate) const WORTH_THREADS: usize = 512;

/// What becomes of each item, in their order.
pub(crate) fn map<'a, T: Sync, U: Send>(items: &'a [T], work: impl Fn(&'a T) -> U + Sync) -> Vec<U> {
    if items.len() < WORTH_THREADS { items.iter().map(work).collect() } else { items.par_iter().map(&work).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_keep_their_order() {
        for count in [0, WORTH_THREADS - 1, WORTH_THREADS * 9] {
            let items: Vec<usize> = (0..count).collect();
            assert_eq!(map(&items, |item| item + 1), (1..=count).collect::<Vec<_>>());
        }
    }
}
