//! Many small questions at once, on as many threads as a server takes kindly.

use std::{
    panic,
    sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    thread,
};

/// Browsers open six connections to a host, and nobody minds.
const AT_ONCE: usize = 6;

/// The answers to all questions in their order, or the first failure, after which nothing more is asked.
pub(super) fn map_concurrently<Q: Sync, A: Send, E: Send>(
    questions: &[Q],
    ask: impl Fn(&Q) -> Result<A, E> + Sync,
    done: &(dyn Fn(u64) + Sync),
) -> Result<Vec<A>, E> {
    let (next, failed, answered) = (AtomicUsize::new(0), AtomicBool::new(false), AtomicU64::new(0));
    let work = || {
        let mut answers = Vec::new();
        while !failed.load(Ordering::Relaxed) {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(question) = questions.get(place) else { break };
            let answer = ask(question).inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
            answers.push((place, answer));
            done(answered.fetch_add(1, Ordering::Relaxed) + 1);
        }
        Ok(answers)
    };
    let parts: Vec<Result<Vec<_>, E>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..AT_ONCE.min(questions.len())).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| panic::resume_unwind(panic))).collect()
    });
    let mut answers: Vec<(usize, A)> =
        parts.into_iter().collect::<Result<Vec<_>, E>>()?.into_iter().flatten().collect();
    answers.sort_unstable_by_key(|(place, _)| *place);
    Ok(answers.into_iter().map(|(_, answer)| answer).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_keep_the_order_of_their_questions() {
        let questions: Vec<u64> = (0..100).collect();
        let steps = AtomicU64::new(0);
        let answers = map_concurrently(&questions, |n| Ok::<_, ()>(n * 2), &|_| {
            steps.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(answers, Ok(questions.iter().map(|n| n * 2).collect()));
        assert_eq!(steps.into_inner(), 100);
        assert_eq!(map_concurrently(&[] as &[u64], |_| Ok::<u64, ()>(1), &|_| ()), Ok(Vec::new()));
    }

    #[test]
    fn after_a_failure_nothing_more_is_asked() {
        let asked = AtomicUsize::new(0);
        let ask = |_: &u64| {
            asked.fetch_add(1, Ordering::Relaxed);
            Err::<(), _>("no")
        };
        assert_eq!(map_concurrently(&[0; 100], ask, &|_| ()), Err("no"));
        assert!(asked.into_inner() <= AT_ONCE);
    }
}
