//! Work on all cores, if there is enough of it.

use std::hint::black_box;

use rayon::{
    ThreadPoolBuilder,
    iter::{
        IndexedParallelIterator as _, IntoParallelRefIterator as _, IntoParallelRefMutIterator as _,
        ParallelIterator as _,
    },
};

/// The number of items below which starting threads costs more than it gains.
pub(crate) const MIN_PARALLEL_ITEMS: usize = 512;
/// The maximum number of items that a thread takes at a time.
const RUN: usize = 64;
/// The number of bytes that work on some items usually allocates.
const USUALLY_TAKEN: usize = 64 << 10;

/// Applies `work` to each item of each list, and returns the results in the same order.
pub(crate) fn map<'a, T: Sync, U: Send>(lists: &'a [Vec<T>], work: impl Fn(&'a T) -> U + Sync) -> Vec<Vec<U>> {
    if lists.iter().map(Vec::len).sum::<usize>() < MIN_PARALLEL_ITEMS {
        return lists.iter().map(|list| list.iter().map(&work).collect()).collect();
    }
    lists
        .par_iter()
        .map(|list| {
            let runs = list.par_iter().with_max_len(RUN);
            runs.map_init(warm_up_allocator, |(), item| work(item)).collect()
        })
        .collect()
}

pub(crate) fn for_each<T: Send>(items: &mut [T], work: impl Fn(&mut T) + Sync) {
    if items.len() < MIN_PARALLEL_ITEMS {
        return items.iter_mut().for_each(work);
    }
    items.par_iter_mut().with_max_len(RUN).for_each_init(warm_up_allocator, |(), item| work(item));
}

/// Applies `work`, which waits rather than computes, to all items on this many threads, and begins no further item
/// after a failure.
pub(crate) fn map_blocking<T: Sync, U: Send, E: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> Result<U, E> + Sync,
) -> Result<Vec<U>, E> {
    match ThreadPoolBuilder::new().num_threads(threads.min(items.len()).max(1)).build() {
        Ok(pool) => pool.install(|| items.par_iter().with_max_len(1).map(&work).collect()),
        Err(_) => items.iter().map(work).collect(),
    }
}

/// Prepares the allocator of this thread for many small allocations: it asks the kernel once for them, and not page by
/// page (`benches/shortcuts`).
pub(crate) fn warm_up_allocator() {
    drop(black_box(Vec::<u8>::with_capacity(USUALLY_TAKEN)));
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn few_and_many_keep_their_order() {
        for count in [0, MIN_PARALLEL_ITEMS / 3, MIN_PARALLEL_ITEMS * 9] {
            let lists: Vec<Vec<usize>> = [count, 0, 1].map(|count| (0..count).collect()).into();
            let expected: Vec<Vec<usize>> = [count, 0, 1].map(|count| (1..=count).collect()).into();
            assert_eq!(map(&lists, |item| item + 1), expected);
        }
    }

    #[test]
    fn what_waits_keeps_its_order_and_ends_at_a_failure() {
        let items: Vec<usize> = (0..100).collect();
        assert_eq!(
            map_blocking(&items, 6, |item| Ok::<_, ()>(item * 2)),
            Ok(items.iter().map(|item| item * 2).collect())
        );
        let begun = AtomicUsize::new(0);
        let fail = |_: &usize| {
            begun.fetch_add(1, Ordering::Relaxed);
            Err::<(), _>("no")
        };
        assert_eq!(map_blocking(&items, 6, fail), Err("no"));
        assert!(begun.into_inner() < 50);
    }
}
