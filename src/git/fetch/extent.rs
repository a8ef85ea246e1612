//! Which part of a history was fetched, so that it is known what a missing commit means.

use std::{fs, io::Write as _, path::Path};

use anyhow::{Context as _, Result};
use gix::{ObjectId, hash::Kind, hashtable::HashSet};

use crate::{interrupt::TemporaryFile, model::none_if_missing};

/// The part of a history that is present: the tips and all their ancestors, without the boundary and its ancestors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct HistoryExtent {
    /// The commit that was reported to the server as present, with its ancestors; `None` if the history is complete.
    pub(super) boundary: Option<ObjectId>,
    pub(super) tips: Vec<ObjectId>,
    /// The boundary of the server's own history, if it is a shallow clone.
    pub(super) shallow: Vec<ObjectId>,
    /// The names of the packs with the commits, without their extensions.
    pub(super) packs: Vec<String>,
}

/// The commits to request for a range, and the extent after that fetch, without the old tips.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FetchPlan {
    pub(super) wants: Vec<ObjectId>,
    /// The tips of the last extent, to be requested too; the server may lack them if history was rewritten.
    pub(super) old: Vec<ObjectId>,
    pub(super) haves: Vec<ObjectId>,
    pub(super) extent: HistoryExtent,
}

impl HistoryExtent {
    /// Whether a range can extend the history: its start has to be the boundary or a descendant of it.
    pub(super) fn covers(&self, history: &gix::Repository, from: ObjectId) -> bool {
        self.boundary.is_none_or(|boundary| from == boundary || reaches(history, from, boundary))
    }

    /// Plans the fetch of a range that can extend what is present, or starts at an ancestor of the boundary. Without a
    /// start, the complete history is fetched.
    pub(super) fn plan(
        known: Option<&Self>,
        history: &gix::Repository,
        from: Option<ObjectId>,
        to: &[ObjectId],
    ) -> FetchPlan {
        let Some(known) = known else {
            let extent = Self { boundary: from, tips: to.to_vec(), ..Self::default() };
            return FetchPlan { wants: to.to_vec(), old: Vec::new(), haves: from.into_iter().collect(), extent };
        };
        let is_absent = |id: &ObjectId| !history.has_object(id);
        let extent =
            |boundary, wants: &[ObjectId]| Self { boundary, tips: [wants, &known.tips].concat(), ..Self::default() };
        match known.boundary {
            Some(boundary) if from.is_some_and(|from| known.covers(history, from)) => {
                let wants: Vec<_> = to.iter().copied().filter(is_absent).collect();
                let haves = std::iter::once(boundary).chain(known.tips.iter().copied()).collect();
                FetchPlan { extent: extent(Some(boundary), &wants), wants, old: Vec::new(), haves }
            }
            Some(_) => {
                let extent = Self { boundary: from, tips: to.to_vec(), ..Self::default() };
                FetchPlan { wants: to.to_vec(), old: known.tips.clone(), haves: from.into_iter().collect(), extent }
            }
            None => {
                let wants: Vec<_> = to.iter().copied().chain(from).filter(is_absent).collect();
                FetchPlan { extent: extent(None, &wants), wants, old: Vec::new(), haves: known.tips.clone() }
            }
        }
    }

    /// Loads the extent of a cache; `None` if there is none, or if it is not as it was written.
    pub(super) fn load(file: &Path) -> Result<Option<Self>> {
        let text = none_if_missing(fs::read(file)).with_context(|| format!("cannot read `{}`", file.display()))?;
        Ok(text.and_then(|text| parse(&String::from_utf8(text).ok()?)))
    }

    pub(super) fn write(&self, file: &Path) -> Result<()> {
        let boundary = self.boundary.iter().map(|boundary| format!("boundary {boundary}\n"));
        let tips = self.tips.iter().map(|tip| format!("tip {tip}\n"));
        let shallow = self.shallow.iter().map(|commit| format!("shallow {commit}\n"));
        let packs = self.packs.iter().map(|pack| format!("pack {pack}\n"));
        let text: String = boundary.chain(tips).chain(shallow).chain(packs).collect();
        let context = || format!("cannot write `{}`", file.display());
        let mut new = TemporaryFile::new_in(file.parent().unwrap_or(Path::new("."))).with_context(context)?;
        writeln!(new, "{text}sum {}", checksum(&text)?).with_context(context)?;
        new.persist(file).with_context(context)?;
        Ok(())
    }
}

fn parse(text: &str) -> Option<HistoryExtent> {
    let (lines, sum) = text.strip_suffix('\n')?.rsplit_once("sum ")?;
    let ids = |name| lines.lines().filter_map(move |line| ObjectId::from_hex(line.strip_prefix(name)?.as_bytes()).ok());
    let tips: Vec<_> = ids("tip ").collect();
    let packs = lines.lines().filter_map(|line| Some(line.strip_prefix("pack ")?.to_owned())).collect();
    let extent = HistoryExtent { boundary: ids("boundary ").next(), tips, shallow: ids("shallow ").collect(), packs };
    let sum = ObjectId::from_hex(sum.as_bytes()).ok()?;
    (!extent.tips.is_empty() && checksum(lines).ok()? == sum).then_some(extent)
}

/// Computes the checksum of the other lines, for the last one.
fn checksum(text: &str) -> Result<ObjectId> {
    let mut hasher = gix::hash::hasher(Kind::Sha1);
    hasher.update(text.as_bytes());
    hasher.try_finalize().context("cannot compute a checksum")
}

/// Whether `boundary` is an ancestor of a commit. Every commit between the two is present then, as its descendant.
fn reaches(history: &gix::Repository, from: ObjectId, boundary: ObjectId) -> bool {
    let (mut pending, mut met) = (vec![from], HashSet::default());
    while let Some(id) = pending.pop() {
        if id == boundary {
            return true;
        }
        if met.insert(id)
            && let Ok(commit) = history.find_commit(id)
        {
            pending.extend(commit.parent_ids().map(gix::Id::detach));
        }
    }
    false
}
