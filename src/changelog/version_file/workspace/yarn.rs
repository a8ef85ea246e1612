//! `yarn.lock` since Yarn 2. That of Yarn 1 lists no members of the workspace, so nothing in it follows their versions.

use super::{
    super::span::VersionSpan,
    edit::{Replacement, WorkspaceEdit},
    manifest::ManifestError,
};

/// The tables of an entry whose values are requirements.
const TABLES: [&str; 2] = ["dependencies:", "peerDependencies:"];

/// Sets what members require of each other in the entries of members; their own versions are not in the file.
pub(super) fn lock(text: &str, edit: &WorkspaceEdit) -> Result<Vec<Replacement>, ManifestError> {
    let mut list = Vec::new();
    let starts_entry = |line: &str| !line.starts_with([' ', '#']) && !line.trim().is_empty();
    let mut end = 0;
    let offset = |line: &str| {
        end += line.len();
        end - line.len()
    };
    let starts: Vec<usize> = text.split_inclusive('\n').map(offset).collect();
    let lines: Vec<(usize, &str)> = starts.into_iter().zip(text.split_inclusive('\n')).collect();
    for entry in lines.chunk_by(|_, (_, next)| !starts_entry(next)) {
        in_entry(entry, edit, &mut list)?;
    }
    Ok(list)
}

fn in_entry(lines: &[(usize, &str)], edit: &WorkspaceEdit, list: &mut Vec<Replacement>) -> Result<(), ManifestError> {
    let is_member = |line: &str| line.starts_with("  resolution:") && line.contains("@workspace:");
    let Some(((offset, key), rest)) = lines.split_first().filter(|_| lines.iter().any(|(_, line)| is_member(line)))
    else {
        return Ok(());
    };
    list.extend(set_key(key, *offset, edit)?);
    let mut is_open = false;
    for (offset, line) in rest {
        let Some(pair) = line.strip_prefix("    ") else {
            is_open = TABLES.contains(&line.trim());
            continue;
        };
        let Some((name, value)) = pair.split_once(": ").filter(|_| is_open && !pair.starts_with(' ')) else { continue };
        let start = offset + line.len() - value.len() + usize::from(value.starts_with('"'));
        let found = requirement(start, value.trim().trim_matches('"'));
        list.extend(edit.set_requirement(name.trim_matches('"'), found)?);
    }
    Ok(())
}

/// The key of an entry is each requirement that it satisfies, such as `"mast@npm:^1.0.0, mast@workspace:packages/mast":`.
fn set_key(line: &str, offset: usize, edit: &WorkspaceEdit) -> Result<Option<Replacement>, ManifestError> {
    let key = line.trim_end().trim_end_matches(':').trim_matches('"');
    let start = offset + usize::from(line.starts_with('"'));
    let mut descriptors: Vec<String> = Vec::new();
    for descriptor in key.split(", ") {
        let at = descriptor.get(1..).and_then(|rest| rest.find('@')).map_or(descriptor.len(), |at| at + 2);
        let found = requirement(at, &descriptor[at..]);
        let range = found.span.clone();
        descriptors.push(match edit.set_requirement(descriptor[..at].trim_end_matches('@'), found)? {
            Some(raised) => format!("{}{}", &descriptor[..range.start], raised.new),
            None => descriptor.to_owned(),
        });
    }
    descriptors.sort();
    descriptors.dedup();
    let new = descriptors.join(", ");
    let found = VersionSpan { span: start..start + key.len(), value: key.to_owned() };
    Ok((new != key).then_some(Replacement { found, new }))
}

/// A requirement without the protocol that Yarn writes before it.
fn requirement(start: usize, value: &str) -> VersionSpan {
    let bare = value.strip_prefix("npm:").unwrap_or(value);
    let start = start + value.len() - bare.len();
    VersionSpan { span: start..start + bare.len(), value: bare.to_owned() }
}
