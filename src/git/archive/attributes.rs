//! The attributes of archived files from the `.gitattributes` of the archived tree (gitattributes(5)): whether a file
//! is exported, and how its content is converted.

use std::io::Read as _;

use anyhow::{Context as _, Result};
use gix::{
    AttributeStack, ObjectId,
    attrs::search::Outcome,
    bstr::{BStr, ByteSlice as _},
    filter::{
        self,
        plumbing::{
            driver::apply::Delay,
            pipeline::convert::to_worktree::{Options, UnknownEncoding},
        },
    },
    object::tree::EntryKind,
    worktree::stack::state::attributes::Source,
};

use crate::git::{Repo, encoding::quote};

pub(super) struct Attributes<'repo> {
    stack: AttributeStack<'repo>,
    export: Outcome,
    encoding: Outcome,
    filters: filter::plumbing::Pipeline,
}

/// How a path is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Export {
    /// `export-ignore`: whether it is not exported.
    pub(super) is_ignored: bool,
    /// `export-subst`: whether its placeholders are expanded.
    pub(super) is_expanded: bool,
}

impl<'repo> Attributes<'repo> {
    /// Loads the attributes of a tree; without `lfs`, Git LFS pointers are not replaced by the large files.
    pub(super) fn new(repo: &'repo Repo, tree: ObjectId, lfs: bool) -> Result<Self> {
        let repo = repo.gix();
        let index = repo.index_from_tree(&tree).context("cannot list the tree")?;
        let stack = repo.attributes_only(&index, Source::IdMapping).context("cannot read the attributes")?;
        let export = stack.selected_attribute_matches(["export-ignore", "export-subst"]);
        let encoding = stack.selected_attribute_matches(["working-tree-encoding"]);
        let mut options = filter::Pipeline::options(repo).context("cannot read the settings of filters")?;
        options.drivers.retain(|driver| lfs || driver.name != "lfs");
        let context = repo.command_context().context("cannot prepare filters")?;
        let filters = filter::plumbing::Pipeline::new(context, repo.object_hash(), options);
        Ok(Self { stack, export, encoding, filters })
    }

    pub(super) fn export(&mut self, path: &[u8], mode: EntryKind) -> Result<Export> {
        let path: &BStr = path.into();
        let mode = gix::object::tree::EntryMode::from(mode).into();
        let entry = self.stack.at_entry(path, Some(mode)).with_context(|| cannot_look_up(path))?;
        self.export.reset();
        entry.matching_attributes(&mut self.export);
        let mut states = self.export.iter_selected().map(|found| found.assignment.state.is_set());
        let (is_ignored, is_expanded) = (states.next().unwrap_or(false), states.next().unwrap_or(false));
        Ok(Export { is_ignored, is_expanded })
    }

    /// Converts the content of a file as a checkout would.
    pub(super) fn convert(&mut self, path: &[u8], id: ObjectId, content: &[u8]) -> Result<Vec<u8>> {
        let path: &BStr = path.into();
        let entry = self.stack.at_entry(path, None).with_context(|| cannot_look_up(path))?;
        self.encoding.reset();
        entry.matching_attributes(&mut self.encoding);
        self.filters.driver_context_mut().blob = Some(id);
        let options = Options { can_delay: Delay::Forbid, unknown_encoding: UnknownEncoding::Ignore };
        let mut attributes = |_: &BStr, found: &mut Outcome| {
            entry.matching_attributes(found);
        };
        let converted = self.filters.convert_to_worktree(content, path, &mut attributes, options);
        let mut bytes = Vec::new();
        converted
            .map_err(anyhow::Error::from)
            .and_then(|mut converted| Ok(converted.read_to_end(&mut bytes)?))
            .with_context(|| format!("cannot convert `{}`", quote(path)))?;
        // gix omits the blank before the last dollar of `ident`. No content can contain its own object ID otherwise.
        let bytes = bytes.replace(format!("$Id: {id}$"), format!("$Id: {id} $"));
        let encoding = self.encoding.iter_selected().next().map(|found| found.assignment.state);
        let wide = encoding.and_then(|label| utf16(&bytes, label.as_bstr()?));
        Ok(wide.unwrap_or(bytes))
    }
}

fn cannot_look_up(path: &BStr) -> String {
    format!("cannot look up the attributes of `{}`", quote(path))
}

/// Encodes a text in the form of UTF-16 that `working-tree-encoding` names, which gix does not do; `None` if it names
/// another encoding, or if this is not text.
fn utf16(text: &[u8], label: &[u8]) -> Option<Vec<u8>> {
    let label = label.to_ascii_uppercase();
    let (has_mark, is_little) = match label.strip_prefix(b"UTF-16").or(label.strip_prefix(b"UTF16"))? {
        b"LE" => (false, true),
        b"BE" => (false, false),
        b"" | b"LE-BOM" => (true, true),
        b"BE-BOM" => (true, false),
        _ => return None,
    };
    let text = std::str::from_utf8(text).ok()?;
    let units = has_mark.then_some(0xfeff).into_iter().chain(text.encode_utf16());
    Some(units.flat_map(|unit| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_has_its_byte_order_and_mark() {
        for (label, bytes) in [
            ("UTF-16LE", Some(&b"a\0"[..])),
            ("utf-16be", Some(b"\0a")),
            ("UTF-16", Some(b"\xff\xfea\0")),
            ("UTF-16LE-BOM", Some(b"\xff\xfea\0")),
            ("UTF-8", None),
        ] {
            assert_eq!(utf16(b"a", label.as_bytes()).as_deref(), bytes, "{label}");
        }
        assert_eq!(utf16(b"\xff", b"UTF-16"), None);
    }
}
