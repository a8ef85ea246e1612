//! Where the system keeps what programs can do without.

use std::path::PathBuf;

use crate::commands::server::variable;

/// The user's folder for this program: as the XDG base directory specification has it, and as macOS and Windows do.
pub(super) fn of_user() -> Option<PathBuf> {
    let folder = variable("XDG_CACHE_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    Some(folder.or_else(of_system)?.join("tidings"))
}

fn of_system() -> Option<PathBuf> {
    let home = || variable("HOME").map(PathBuf::from);
    if cfg!(windows) {
        variable("LOCALAPPDATA").map(PathBuf::from)
    } else if cfg!(target_os = "macos") {
        Some(home()?.join("Library/Caches"))
    } else {
        Some(home()?.join(".cache"))
    }
}

/// A name every file system takes.
pub(super) fn file_name(text: &str) -> String {
    let plain = |letter: char| {
        if letter.is_ascii_alphanumeric() { letter.to_string() } else { format!("-{:x}", u32::from(letter)) }
    };
    format!("{}.json", text.chars().map(plain).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_texts_have_different_names() {
        let name = file_name("https://h a/b");
        assert_eq!(name, "https-3a-2f-2fh-20a-2fb.json");
        assert_ne!(file_name("a-b"), file_name("a/b"));
    }
}
