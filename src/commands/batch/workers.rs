//! Queues of work, processed by several threads.

use std::{
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

use anyhow::Context as _;

/// The stack of a main thread on most systems, so that a command has as much of it as alone.
const STACK: usize = 8 << 20;

/// Processes each queue in its order, `jobs` queues in parallel, and calls `each` with every result; `work` shares
/// something among the items of a queue of several. Fails if a thread cannot be started, or with the first error of
/// `each`, after which nothing more is started.
pub(super) fn run<T: Sync, S: Default, R: Send>(
    queues: &[Vec<T>],
    jobs: usize,
    work: impl Fn(&T, Option<&S>) -> R + Sync,
    mut each: impl FnMut(&T, R) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let (results, finished) = mpsc::channel();
        for _ in 0..jobs.min(queues.len()) {
            let (next, work, results) = (&next, &work, results.clone());
            let worker = move || {
                let mut queues = std::iter::from_fn(|| queues.get(next.fetch_add(1, Ordering::Relaxed)));
                // The receiver is gone if `each` failed.
                let _ = queues.try_for_each(|queue| {
                    let shared = (queue.len() > 1).then(S::default);
                    queue.iter().try_for_each(|item| results.send((item, work(item, shared.as_ref()))))
                });
            };
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker).context("cannot start a thread")?;
        }
        drop(results);
        finished.into_iter().try_for_each(|(item, result)| each(item, result))
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn every_item_is_done_once_and_a_queue_in_its_order() {
        let queues: Vec<Vec<(usize, usize)>> =
            (0..20).map(|queue| (0..5).map(|index| (queue, index)).collect()).collect();
        let mut seen = vec![Vec::new(); 20];
        run(
            &queues,
            4,
            |item, done: Option<&Cell<usize>>| (*item, done.map(|done| done.replace(done.get() + 1))),
            |_, ((queue, index), before)| {
                assert_eq!(before, Some(index), "what the items of a queue share");
                seen[queue].push(index);
                Ok(())
            },
        )
        .unwrap();
        assert!(seen.iter().all(|indexes| *indexes == [0, 1, 2, 3, 4]), "{seen:?}");
    }

    #[test]
    fn an_error_of_the_callback_ends_the_work() {
        let queues: Vec<Vec<usize>> = (0..1_000).map(|number| vec![number]).collect();
        let alone = |_: &usize, shared: Option<&()>| assert!(shared.is_none());
        assert!(run(&queues, 2, alone, |_, ()| anyhow::bail!("no room")).is_err());
        assert!(run(&[] as &[Vec<usize>], 2, alone, |_, ()| Ok(())).is_ok());
    }
}
