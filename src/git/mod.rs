//! Reading and writing git repositories: the only place that knows gix.
