//! Which commits a fetch requests, given what is there.

use std::fs;

use gix::ObjectId;

use crate::{
    git::{
        Repo,
        fetch::extent::{FetchPlan, HistoryExtent},
    },
    support::TestRepo,
};

fn id(digits: &str) -> ObjectId {
    ObjectId::from_hex(digits.as_bytes()).unwrap()
}

#[test]
fn only_what_is_missing_is_requested() {
    let fixture = TestRepo::new();
    let [a, b, c, d] = ["a", "b", "c", "d"].map(|title| id(&fixture.commit(title)));
    let (new, newer) = (id(&"1".repeat(40)), id(&"2".repeat(40)));
    let repo = Repo::open_isolated(fixture.path()).unwrap();
    let plan = |known: Option<&HistoryExtent>, from, to: &[ObjectId]| HistoryExtent::plan(known, repo.gix(), from, to);
    let extent = |boundary, tips: &[ObjectId]| HistoryExtent { boundary, tips: tips.to_vec(), ..Default::default() };
    let first = |boundary: Option<ObjectId>| FetchPlan {
        wants: vec![d],
        old: Vec::new(),
        haves: boundary.into_iter().collect(),
        extent: extent(boundary, &[d]),
    };
    assert_eq!(plan(None, Some(a), &[d]), first(Some(a)));
    assert_eq!(plan(None, None, &[d]), first(None));

    let known = extent(Some(b), &[c]);
    for (from, is_covered) in [(b, true), (d, true), (a, false), (new, false)] {
        assert_eq!(known.covers(repo.gix(), from), is_covered, "{from}");
        let expected = if is_covered {
            FetchPlan { wants: vec![new], old: Vec::new(), haves: vec![b, c], extent: extent(Some(b), &[new, c]) }
        } else {
            FetchPlan { wants: vec![d, new], old: vec![c], haves: vec![from], extent: extent(Some(from), &[d, new]) }
        };
        assert_eq!(plan(Some(&known), Some(from), &[d, new]), expected, "{from}");
    }
    let whole = FetchPlan { wants: vec![d], old: vec![c], haves: Vec::new(), extent: extent(None, &[d]) };
    assert_eq!(plan(Some(&known), None, &[d]), whole);

    let known = extent(None, &[c]);
    assert!(known.covers(repo.gix(), a) && known.covers(repo.gix(), new));
    let expected =
        FetchPlan { wants: vec![new, newer], old: Vec::new(), haves: vec![c], extent: extent(None, &[new, newer, c]) };
    assert_eq!(plan(Some(&known), Some(newer), &[d, new]), expected);
    assert!(plan(Some(&known), None, &[d]).wants.is_empty());
}

#[test]
fn an_extent_is_read_as_it_was_written_or_not_at_all() {
    let directory = tempfile::TempDir::new().unwrap();
    let file = directory.path().join("extent");
    assert_eq!(HistoryExtent::load(&file).unwrap(), None);
    let ids = ["1", "2", "3", "4"].map(|digit| id(&digit.repeat(40)));
    let whole = HistoryExtent {
        boundary: Some(ids[0]),
        tips: ids[1..3].to_vec(),
        shallow: vec![ids[3]],
        packs: vec!["pack-a".to_owned(), "pack-b".to_owned()],
    };
    for extent in [HistoryExtent { tips: vec![ids[0]], ..HistoryExtent::default() }, whole] {
        extent.write(&file).unwrap();
        assert_eq!(HistoryExtent::load(&file).unwrap(), Some(extent));
    }
    let text = fs::read_to_string(&file).unwrap();
    for damaged in
        [text.replacen("tip 2", "tip 3", 1), text.replace("sum ", "sum 0"), text[..text.len() - 1].to_owned()]
    {
        assert_ne!(damaged, text);
        fs::write(&file, damaged).unwrap();
        assert_eq!(HistoryExtent::load(&file).unwrap(), None);
    }
    HistoryExtent::default().write(&file).unwrap();
    assert_eq!(HistoryExtent::load(&file).unwrap(), None, "without a tip nothing is there");
}
