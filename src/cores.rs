//! Work on all cores, where there is enough of it.

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

/// Below this many commits, starting threads costs more than it gains.
pub(crate) const WORTH_THREADS: usize = 512;

/// What becomes of each item of each list, in their order.
pub(crate) fn map<'a, T: Sync, U: Send>(lists: &'a [Vec<T>], work: impl Fn(&'a T) -> U + Sync) -> Vec<Vec<U>> {
    if lists.iter().map(Vec::len).sum::<usize>() < WORTH_THREADS {
        return lists.iter().map(|list| list.iter().map(&work).collect()).collect();
    }
    lists.par_iter().map(|list| list.par_iter().map(&work).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_keep_their_order() {
        for count in [0, WORTH_THREADS / 3, WORTH_THREADS * 9] {
            let lists: Vec<Vec<usize>> = [count, 0, 1].map(|count| (0..count).collect()).into();
            let expected: Vec<Vec<usize>> = [count, 0, 1].map(|count| (1..=count).collect()).into();
            assert_eq!(map(&lists, |item| item + 1), expected);
        }
    }
}
