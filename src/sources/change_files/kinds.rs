//! What the tools have in common whose change files name a kind of change instead of a level.

use crate::{
    config::Field,
    model::{BumpLevel, Problem, Source},
};

/// Returns the level that a kind asks for by its name, since its tool does not say it.
pub(super) fn level_of(kind: &str) -> BumpLevel {
    let kind = kind.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| kind.contains(word));
    match () {
        () if has(&["break", "remov", "major"]) => BumpLevel::Major,
        () if has(&["feat", "add", "enhanc", "new", "minor"]) => BumpLevel::Minor,
        () => BumpLevel::Patch,
    }
}

/// Whether the name of a file has this extension.
pub(super) fn has_extension(name: &str, extension: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, own)| own == extension)
}

/// Finds a field by its key.
pub(super) fn find_field<'f, 'a>(fields: &'f [Field<'a>], key: &str) -> Option<&'f Field<'a>> {
    fields.iter().find(|field| field.key() == key)
}

/// Returns the text of a field; `None` if it is missing or empty.
pub(super) fn field_text(fields: &[Field], key: &str) -> anyhow::Result<Option<String>> {
    let text = find_field(fields, key).map(Field::title).transpose()?.flatten();
    Ok(text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()))
}

/// Returns the texts in a list under a key; none if it is missing.
pub(super) fn field_texts(fields: &[Field], key: &str) -> anyhow::Result<Vec<String>> {
    let elements = find_field(fields, key).map(Field::elements).transpose()?.unwrap_or_default();
    Ok(elements.iter().map(Field::title).collect::<anyhow::Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// Returns the refusal of a kind that is not configured.
pub(super) fn unknown_kind<'a>(
    source: &Source,
    line: usize,
    kind: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> Problem {
    let at = crate::model::Position { line, column: 1 };
    let problem = source.problem(at, &format!("unknown kind of change `{kind}`"));
    match crate::model::closest(kind, known.clone()) {
        Some(near) => problem.hint(format!("did you mean `{near}`?")),
        None => problem.hint(format!("use one of `{}`", known.collect::<Vec<_>>().join("`, `"))),
    }
}
