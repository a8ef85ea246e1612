//! Where a range starts and ends.

pub(super) mod range_end;
pub(super) mod range_start;
