//! One trait over local, fetched and hosted repositories.
