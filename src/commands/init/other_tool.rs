//! The settings file of another tool: found, and read for `--from`.

use std::path::Path;

use crate::{
    bounded_read::read_regular_file,
    changelog::migration::{self, FILES, MANIFEST, Migration, Tool},
    model::Problem,
};

/// The files of other tools at the top of the work tree.
pub(super) fn found(root: &Path) -> Vec<&'static str> {
    FILES.into_iter().filter(|file| root.join(file).is_file()).collect()
}

/// Reads the settings in a file; without a name, the error says which files there are.
///
/// # Errors
///
/// If the file does not exist, or is not valid.
pub(super) fn read(file: &str, root: &Path) -> anyhow::Result<(Tool, Migration)> {
    if file.is_empty() {
        let problem = Problem::usage("`--from` needs the settings file of another tool");
        return Err(match found(root).first() {
            Some(first) => problem.hint(format!("run `tidings init --from {first}`")),
            None => problem.hint(format!("none was found here: `{}`", FILES.join("`, `"))),
        }
        .into());
    }
    let path = Path::new(file);
    let missing = || Problem::usage(format!("`{file}` does not exist"));
    let bytes = read_regular_file(path, file)?.ok_or_else(missing)?;
    let manifest = read_regular_file(&path.with_file_name(MANIFEST), MANIFEST)?;
    migration::read(file, &bytes, manifest.as_deref())
}
