//! Work on all cores, where there is enough of it.

use std::hint::black_box;

use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};

/// Below this many commits, starting threads costs more than it gains.
pub(crate) const MIN_PARALLEL_ITEMS: usize = 512;
/// How many items a thread takes at a time.
const RUN: usize = 64;
/// How many bytes are usually taken for some of them.
const USUALLY_TAKEN: usize = 64 << 10;

/// What becomes of each item of each list, in their order.
pub(crate) fn map<'a, T: Sync, U: Send>(lists: &'a [Vec<T>], work: impl Fn(&'a T) -> U + Sync) -> Vec<Vec<U>> {
    if lists.iter().map(Vec::len).sum::<usize>() < MIN_PARALLEL_ITEMS {
        return lists.iter().map(|list| list.iter().map(&work).collect()).collect();
    }
    let all = |list: &'a Vec<T>| {
        let runs = list.par_iter().with_max_len(RUN);
        runs.map_init(warm_up_allocator, |(), item| work(item)).collect()
    };
    lists.par_iter().map(all).collect()
}

/// Says that this thread will soon take memory in many small pieces: its allocator goes to the kernel once for them, and
/// not page by page.
pub(crate) fn warm_up_allocator() {
    drop(black_box(Vec::<u8>::with_capacity(USUALLY_TAKEN)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_keep_their_order() {
        for count in [0, MIN_PARALLEL_ITEMS / 3, MIN_PARALLEL_ITEMS * 9] {
            let lists: Vec<Vec<usize>> = [count, 0, 1].map(|count| (0..count).collect()).into();
            let expected: Vec<Vec<usize>> = [count, 0, 1].map(|count| (1..=count).collect()).into();
            assert_eq!(map(&lists, |item| item + 1), expected);
        }
    }
}
