//! A forge release: the notes of a tag, and the assets attached to them.

use std::path::PathBuf;

use super::Problem;

/// The release that a forge is to show for a tag.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ForgeRelease {
    /// The tag, which must exist on the forge.
    pub tag: String,
    /// The title.
    pub name: String,
    /// The notes, in Markdown.
    pub description: String,
    /// Whether it is marked as a pre-release, if the forge has such a mark.
    pub prerelease: bool,
    /// Whether it is not published yet, for people who look it over.
    pub draft: bool,
    /// Whether the forge shows it as its latest release.
    pub latest: LatestMark,
    /// The category of the discussion that the forge opens about it, if it is to.
    pub discussion_category: Option<String>,
    /// The files to attach.
    pub assets: Vec<Asset>,
}

/// Which release a forge shows as its latest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LatestMark {
    /// The one of the highest version: a patch of an older line does not take the mark away.
    #[default]
    Auto,
    /// This one.
    Always,
    /// Another one.
    Never,
}

impl LatestMark {
    /// Every choice, by its name in options and configurations.
    pub(crate) const NAMES: [(&str, Self); 3] =
        [("auto", Self::Auto), ("always", Self::Always), ("never", Self::Never)];
}

impl ForgeRelease {
    /// Cuts notes of more than `limit` characters at the end of an entry, and appends `remainder`. Returns whether they
    /// were cut.
    pub(crate) fn cut_notes(&mut self, limit: usize, remainder: &str) -> bool {
        let notes = &self.description;
        if notes.chars().nth(limit).is_none() {
            return false;
        }
        let room = limit.saturating_sub(remainder.chars().count() + 2);
        let text = notes.char_indices().nth(room).map_or(notes.as_str(), |(end, _)| &notes[..end]);
        let end = text.rfind("\n- ").or_else(|| text.rfind('\n')).unwrap_or(text.len());
        self.description = format!("{}\n\n{remainder}", text[..end].trim_end());
        true
    }
}

/// A file of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asset {
    /// The name on the forge.
    pub name: String,
    /// The local file.
    pub path: PathBuf,
}

impl Asset {
    /// Parses `FILE` or `FILE=NAME`; without a name the asset has that of the file.
    ///
    /// # Errors
    /// If the name has characters that a forge would change, so that the asset would not be found again.
    pub(crate) fn parse(text: &str) -> Result<Self, Problem> {
        let (path, given) = text.rsplit_once('=').map_or((text, None), |(path, name)| (path, Some(name.to_owned())));
        let path = PathBuf::from(path);
        let name = given
            .unwrap_or_else(|| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default());
        if name.is_empty()
            || !name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_' | '+'))
            || name.starts_with('.')
            || name.ends_with('.')
        {
            return Err(Problem::usage(format!("`{name}` cannot be the name of an asset"))
                .hint("name it with `--asset FILE=NAME`, using letters, digits, `.`, `-`, `_` and `+`"));
        }
        Ok(Self { name, path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_cut_at_an_entry() {
        let cut = |notes: &str, most| {
            let mut release = ForgeRelease { description: notes.to_owned(), ..ForgeRelease::default() };
            let was_cut = release.cut_notes(most, "More.");
            assert!(release.description.chars().count() <= most);
            (was_cut, release.description)
        };
        let notes = "### é\n\n- one\n- two\n  lines\n- three and more";
        assert_eq!(cut(notes, notes.chars().count()), (false, notes.to_owned()));
        assert_eq!(cut(notes, 40), (true, "### é\n\n- one\n- two\n  lines\n\nMore.".to_owned()));
        assert_eq!(cut(notes, 25), (true, "### é\n\n- one\n\nMore.".to_owned()));
        assert_eq!(cut("one long line", 12), (true, "one l\n\nMore.".to_owned()));
    }

    #[test]
    fn a_file_keeps_its_name_unless_another_is_given() {
        let asset = |text: &str| Asset::parse(text).map(|asset| (asset.path.display().to_string(), asset.name));
        assert_eq!(asset("out/app.tar.gz").unwrap(), ("out/app.tar.gz".into(), "app.tar.gz".into()));
        assert_eq!(asset("out/a=b/app=app-x86_64").unwrap(), ("out/a=b/app".into(), "app-x86_64".into()));
        for wrong in ["", "my file.zip", "app=", "app=a/b", ".hidden", "größe.txt"] {
            assert!(asset(wrong).is_err(), "{wrong}");
        }
    }
}
