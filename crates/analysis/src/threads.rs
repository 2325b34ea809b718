//! The same work on several threads.

/// What each of several threads has found, one of which is the caller's: alone it spawns none, as where there are no threads.
pub(crate) fn on_threads<T: Send + Default>(
    threads: usize,
    work: impl Fn() -> T + Copy + Send + Sync,
) -> Vec<T> {
    if threads == 1 {
        return vec![work()];
    }
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut found = vec![work()];
        found.extend(others.into_iter().map(|thread| thread.join().unwrap_or_default()));
        found
    })
}
