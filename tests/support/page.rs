//! The README and the pages of `docs`.

use std::{fs, path::Path};

/// A page, by its path from the top of the repository.
pub struct Page {
    pub path: String,
    pub text: String,
}

impl Page {
    /// Reads a page, with line feeds alone.
    pub fn load(path: &str) -> Self {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{path}: {error}"));
        Self { path: path.to_owned(), text: text.replace("\r\n", "\n") }
    }

    /// Every page, the README first.
    pub fn all() -> Vec<Self> {
        let mut paths =
            ["README.md", "CONTRIBUTING.md", "SECURITY.md", "testdata/README.md"].map(str::to_owned).to_vec();
        for directory in ["docs", "docs/how-to"] {
            let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(directory)).unwrap();
            let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
            let is_page = |name: &String| Path::new(name).extension().is_some_and(|extension| extension == "md");
            paths.extend(names.filter(is_page).map(|name| format!("{directory}/{name}")));
        }
        paths.iter().map(|path| Self::load(path)).collect()
    }

    /// The code blocks of this language.
    pub fn blocks<'a>(&'a self, language: &'a str) -> impl Iterator<Item = &'a str> {
        let blocks = self.text.split("```").skip(1).step_by(2);
        blocks.filter_map(move |block| block.strip_prefix(language)?.strip_prefix('\n'))
    }

    /// The examples of a file, by the comment in their first line that names it.
    pub fn examples<'a>(&'a self, file: &'a str) -> impl Iterator<Item = &'a str> {
        self.blocks("yaml").filter(move |block| block.starts_with(&format!("# {file}")))
    }

    /// The text outside of code blocks.
    pub fn prose(&self) -> String {
        self.text.split("```").step_by(2).collect()
    }

    /// The first cells of the rows of the table with this first heading.
    pub fn rows<'a>(&'a self, heading: &'a str) -> impl Iterator<Item = &'a str> {
        let start = format!("| {heading} |");
        let lines = self.text.lines().skip_while(move |line| !line.starts_with(&start)).skip(2);
        lines.map_while(|line| line.strip_prefix("| ")?.split(" | ").next())
    }
}
