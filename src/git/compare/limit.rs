//! How much of a comparison the service shows, so that ours is the same.

use crate::model::repository::FileDiff;

/// Past one of these the list of files ends.
const HARD_LIMIT: Volume = Volume { files: 1000, lines: 50_000, bytes: 5_120_000 };
/// Past one of these files are listed without their hunks.
const SAFE_LIMIT: Volume = Volume { files: 100, lines: 5_000, bytes: 512_000 };
/// The hunks of one file that have so many bytes are never shown.
const TOO_LARGE: usize = 204_800;
/// The hunks of one file that have so many bytes are shown only if there is no other file.
const LARGE: usize = 20_480;

/// An amount of hunks.
#[derive(Clone, Copy, Debug, Default)]
struct Volume {
    files: usize,
    lines: usize,
    bytes: usize,
}

impl Volume {
    fn exceeds(self, limit: Self) -> bool {
        self.files > limit.files || self.lines > limit.lines || self.bytes > limit.bytes
    }
}

/// Counts what has been shown so far.
#[derive(Debug)]
pub(super) struct Limits {
    shown: Volume,
    is_only_file: bool,
    is_unlimited: bool,
}

impl Limits {
    /// The limits of a comparison of so many files.
    pub(super) fn new(files: usize, is_unlimited: bool) -> Self {
        Self { shown: Volume::default(), is_only_file: files == 1, is_unlimited }
    }

    /// The file as it may be shown; `None` once the list has to end.
    pub(super) fn fit(&mut self, mut file: FileDiff) -> Option<FileDiff> {
        if self.is_unlimited {
            return Some(file);
        }
        self.count(&file.diff);
        if self.shown.exceeds(HARD_LIMIT) {
            return None;
        }
        let size = file.diff.len();
        file.too_large = size >= TOO_LARGE;
        let is_large = size >= LARGE && !self.is_only_file;
        file.collapsed = !file.too_large && size > 0 && (is_large || self.shown.exceeds(SAFE_LIMIT));
        if file.too_large || file.collapsed {
            file.diff.clear();
        }
        Some(file)
    }

    fn count(&mut self, hunks: &str) {
        self.shown.files += 1;
        self.shown.lines += hunks.lines().filter(|line| line.starts_with([' ', '+', '-'])).count();
        self.shown.bytes += hunks.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(bytes: usize) -> FileDiff {
        FileDiff { diff: "+".repeat(bytes), ..FileDiff::default() }
    }

    #[test]
    fn a_large_file_is_collapsed_unless_it_is_alone() {
        assert!(!Limits::new(1, false).fit(file(LARGE)).unwrap().collapsed);
        let collapsed = Limits::new(2, false).fit(file(LARGE)).unwrap();
        assert!(collapsed.collapsed && collapsed.diff.is_empty());
        assert!(!Limits::new(2, false).fit(file(LARGE - 1)).unwrap().collapsed);
    }

    #[test]
    fn a_huge_file_is_too_large_even_alone() {
        let huge = Limits::new(1, false).fit(file(TOO_LARGE)).unwrap();
        assert!(huge.too_large && !huge.collapsed && huge.diff.is_empty());
        assert!(!Limits::new(1, true).fit(file(TOO_LARGE)).unwrap().too_large);
    }

    #[test]
    fn after_a_hundred_files_hunks_are_left_out_and_after_a_thousand_files_the_list_ends() {
        let mut limits = Limits::new(1001, false);
        let shown: Vec<_> = (0..1001).map_while(|_| limits.fit(file(1))).collect();
        assert_eq!(shown.len(), 1000);
        assert_eq!(shown.iter().filter(|file| file.collapsed).count(), 900);
    }
}
