//! What people made of a text, merged with what is generated now.

use super::*;

const BASE: &str = "### added (2 changes)\n\n- [Add crane](c/1111111)\n- [Add mast](c/2222222)\n\n### fixed (1 change)\n\n- [Mend sail](c/3333333)";
const NEW: &str = "### added (3 changes)\n\n- [Add crane](c/1111111)\n- [Add mast](c/2222222)\n- [Add buoy](c/4444444)\n\n### fixed (1 change)\n\n- [Mend sail](c/3333333)\n\n### security (1 change)\n\n- [Lock gate](c/5555555)";

#[track_caller]
fn merged(theirs: &str) -> String {
    let merged = merge(BASE, theirs, NEW);
    assert_eq!(merged.conflicts, [""; 0]);
    merged.text
}

#[test]
fn without_edits_the_new_text_is_taken() {
    assert_eq!(merged(BASE), NEW);
    assert_eq!(merge(BASE, "mine", BASE).text, "mine");
    assert_eq!(merge(BASE, NEW, NEW).text, NEW);
}

#[test]
fn without_edits_not_even_an_empty_line_is_different() {
    let (base, new) = ("### added\n\n- a\n", "Intro\n\n\n### added\n- a\n- b\n");
    for (base, theirs) in [(base, base), (base, new)] {
        assert_eq!(merge(base, theirs, new), Merged { text: new.to_owned(), conflicts: Vec::new() });
    }
    for theirs in ["Release 1.3.0", "Release of 1.4.0"] {
        let line = merge_line("Release 1.3.0", theirs, "Release of 1.4.0", ["1.3.0", "1.4.0"]);
        assert_eq!(line, Merged { text: "Release of 1.4.0".to_owned(), conflicts: Vec::new() });
    }
}

#[test]
fn wording_stays_and_new_entries_come_in() {
    let theirs = BASE.replace("Add crane", "Add the crane of the north pier");
    assert_eq!(merged(&theirs), NEW.replace("Add crane", "Add the crane of the north pier"));
    let unlinked = BASE.replace("- [Add crane](c/1111111)", "- Add a crane to every pier");
    assert_eq!(merged(&unlinked), NEW.replace("- [Add crane](c/1111111)", "- Add a crane to every pier"));
}

#[test]
fn a_struck_entry_stays_away_and_so_does_its_heading() {
    let struck = BASE.replace("- [Add mast](c/2222222)\n", "");
    let expected = NEW.replace("- [Add mast](c/2222222)\n", "").replace("(3 changes)", "(2 changes)");
    assert_eq!(merged(&struck), expected);
    let without_group = BASE.replace("\n\n### fixed (1 change)\n\n- [Mend sail](c/3333333)", "");
    assert_eq!(merged(&without_group), NEW.replace("\n\n### fixed (1 change)\n\n- [Mend sail](c/3333333)", ""));
}

#[test]
fn a_new_entry_brings_back_the_heading_it_needs() {
    let theirs = "### fixed (1 change)\n\n- [Mend sail](c/3333333)";
    assert_eq!(
        merged(theirs),
        "### added (1 change)\n\n- [Add buoy](c/4444444)\n\n### fixed (1 change)\n\n- [Mend sail](c/3333333)\n\n\
         ### security (1 change)\n\n- [Lock gate](c/5555555)"
    );
}

#[test]
fn order_added_entries_and_renamed_headings_stay() {
    let theirs = "Read this first.\n\n### Mended\n\n- [Mend sail](c/3333333)\n\n### New (2 changes)\n\n- [Add mast](c/2222222)\n- [Add crane](c/1111111)\n- By hand";
    assert_eq!(
        merged(theirs),
        "Read this first.\n\n### Mended\n\n- [Mend sail](c/3333333)\n\n### New (4 changes)\n\n- [Add mast](c/2222222)\n\
         - [Add buoy](c/4444444)\n- [Add crane](c/1111111)\n- By hand\n\n### security (1 change)\n\n\
         - [Lock gate](c/5555555)"
    );
}

#[test]
fn what_is_no_longer_generated_goes_unless_it_was_edited() {
    let new = "### added (1 change)\n\n- [Add crane](c/1111111)";
    let theirs = BASE.replace("Add crane", "Add a crane");
    assert_eq!(
        merge(BASE, &theirs, new),
        Merged { text: new.replace("Add crane", "Add a crane"), conflicts: Vec::new() }
    );
    let edited = BASE.replace("Mend sail", "Mend the sail");
    let merged = merge(BASE, &edited, new);
    assert_eq!(merged.conflicts, ["- [Mend the sail](c/3333333)"]);
    assert_eq!(merged.text, format!("{new}\n\n### fixed (1 change)\n\n- [Mend the sail](c/3333333)"));
}

#[test]
fn an_entry_that_both_changed_is_a_conflict() {
    let new = BASE.replace("Add crane", "Add crane (by Ida)");
    let merged = merge(BASE, &BASE.replace("Add crane", "Raise crane"), &new);
    assert_eq!(merged.conflicts, ["- [Raise crane](c/1111111)"]);
    assert!(merged.text.contains("- [Raise crane](c/1111111)"), "{}", merged.text);
}

#[test]
fn a_title_keeps_its_words_and_takes_the_new_version() {
    let versions = ["1.3.0", "1.4.0"];
    let line = |theirs| merge_line("Release 1.3.0", theirs, "Release 1.4.0", versions);
    assert_eq!(line("Release 1.3.0").text, "Release 1.4.0");
    assert_eq!(line("Spring release 1.3.0").text, "Spring release 1.4.0");
    assert_eq!(line("Spring").text, "Spring");
    assert!(line("Spring").conflicts.is_empty());
    let changed = merge_line("Release 1.3.0", "Spring", "Publish 1.4.0", versions);
    assert_eq!((changed.text.as_str(), changed.conflicts.len()), ("Spring", 1));
}

#[test]
fn a_title_takes_the_new_date_where_people_left_the_old_one() {
    for (theirs, expected) in
        [("1.3.0, the great one (2024-01-01)", "1.3.0, the great one (2024-02-02)"), ("The great one", "The great one")]
    {
        let line = merge_line("1.3.0 (2024-01-01)", theirs, "1.3.0 (2024-02-02)", ["1.3.0", "1.3.0"]);
        assert_eq!(line, Merged { text: expected.to_owned(), conflicts: Vec::new() });
    }
}

#[test]
fn a_new_entry_goes_before_the_one_that_it_precedes_and_below_what_people_wrote() {
    let (base, new) = ("### added\n\n- b\n", "### added\n\n- a\n- b\n");
    assert_eq!(merge(base, "### added\n\nWords.\n\n- b\n", new).text, "### added\n\nWords.\n\n- a\n- b");
}

#[test]
fn empty_lines_stay_where_people_have_them() {
    let (base, theirs) = ("- a\n- b\n- c\n", "- a\n- b\n\n\n- c\n");
    assert_eq!(merge(base, theirs, "- a\n- b\n- c\n- d\n").text, "- a\n- b\n\n\n- c\n- d");
    // A new heading stands apart from their text, as headings do.
    assert_eq!(
        merge("- a\n", "- a\n\nWords.\n", "- a\n\n### added\n\n- b\n").text,
        "- a\n\nWords.\n\n### added\n\n- b"
    );
}

#[test]
fn a_number_that_is_not_that_of_the_entries_stays() {
    let (base, new) = ("### added (7 changes)\n\n- a\n", "### added (7 changes)\n\n- a\n- b\n");
    assert_eq!(merge(base, "### added (7 changes)\n\n- a\n- c\n", new).text, "### added (7 changes)\n\n- a\n- b\n- c");
    let emptied = merge(
        "### added (1 change)\n\n- a\n",
        "### added (1 change)\n\nWords.\n",
        "### added (1 change)\n\n- a\n\nEnd.\n",
    );
    assert!(emptied.text.starts_with("### added (1 change)\n\nEnd."), "{}", emptied.text);
}

#[test]
fn an_entry_that_people_wrote_first_comes_in_once() {
    let theirs = format!("{BASE}\n\n### Safety\n\n- [Lock the gate](c/5555555)");
    let merged = merged(&theirs);
    assert_eq!(merged.matches("c/5555555").count(), 1, "{merged}");
    assert!(merged.contains("### Safety\n\n- [Lock the gate](c/5555555)"), "{merged}");
}

#[test]
fn a_new_entry_without_a_heading_goes_above_the_headings() {
    let theirs = BASE.replace("Add crane", "Raise crane");
    let (first, new) = ("- [Open port](c/6666666)", format!("- [Open port](c/6666666)\n\n{NEW}"));
    let merged = merge(BASE, &theirs, &new);
    assert_eq!(merged.text, new.replace("Add crane", "Raise crane"));
    let merged = merge(BASE, &format!("Read this first.\n\n{theirs}"), &new).text;
    let parts =
        ["Read this first.", first, "### added (3 changes)"].map(|part| merged.find(part).unwrap_or(usize::MAX));
    assert!(parts.is_sorted(), "{merged}");
}

#[test]
fn a_new_group_goes_after_the_one_that_it_follows() {
    let group = "### changed (1 change)\n\n- [Paint quay](c/7777777)\n\n";
    let new = BASE.replace("### fixed", &format!("{group}### fixed"));
    let edited = |text: &str| text.replace("Add crane", "Raise crane");
    assert_eq!(merge(BASE, &edited(BASE), &new).text, edited(&new));
}

#[test]
fn a_heading_keeps_its_words_and_its_lack_of_a_count() {
    for (old, theirs, new, expected) in [
        ("### added (2 changes)", "### added (2 changes)", "### added (3 changes)", "### added (3 changes)"),
        ("### added (2 changes)", "### New (2 changes)", "### added (3 changes)", "### New (3 changes)"),
        ("### added (2 changes)", "### New", "### added (3 changes)", "### New"),
        ("### added", "### New", "### added (3 changes)", "### New (3 changes)"),
    ] {
        let merged = merge_headings(old, theirs, new);
        assert_eq!(merged.split_whitespace().collect::<Vec<_>>().join(" "), expected, "{theirs}");
    }
}

/// A text of some of a few entries; the bits of `which` choose them, those of `edited` are reworded.
fn text(which: u32, edited: u32) -> String {
    let entry = |number: u32| {
        let words = if edited >> number & 1 == 1 { "Reworded by hand" } else { "Change of number" };
        format!("- [{words} {number}](c/{number}{number}{number}a000)\n")
    };
    let group = |name: &str, numbers: std::ops::Range<u32>| {
        let entries: String = numbers.filter(|number| which >> number & 1 == 1).map(entry).collect();
        if entries.is_empty() { String::new() } else { format!("### {name}\n\n{entries}\n") }
    };
    (group("added", 0..4) + &group("fixed", 4..8)).trim_end().to_owned()
}

#[test]
fn any_edits_and_any_new_entries_are_all_kept() {
    // Every combination of a few seeds: what was generated, what was struck and reworded of it, and what came later.
    let mut seed = 7_u32;
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        seed >> 20 & 0xff
    };
    for _ in 0..500 {
        let (generated, struck, edited, later) = (next(), next(), next(), next());
        let (base, theirs) = (text(generated, 0), text(generated & !struck, edited));
        let new = text(generated | later, 0);
        let merged = merge(&base, &theirs, &new);
        let expected = generated & !struck | later & !generated;
        let lines = |text: &str| {
            let mut lines: Vec<_> = text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
            lines.sort();
            lines
        };
        let wanted = text(expected, edited & generated);
        assert_eq!(merged.conflicts, [""; 0], "{base}\n--\n{theirs}\n--\n{new}");
        assert_eq!(lines(&merged.text), lines(&wanted), "{base}\n--\n{theirs}\n--\n{new}");
        let again = merge(&new, &merged.text, &new);
        assert_eq!(again.text, merged.text, "a second run changes nothing");
    }
}

#[test]
fn a_heading_has_the_number_of_the_entries_that_are_left() {
    let base = "### added (2 changes)\n\n- [A](1)\n- [B](2)\n";
    let new = "### added (3 changes)\n\n- [A](1)\n- [B](2)\n- [C](3)\n";
    for (theirs, expected) in [
        ("### added (2 changes)\n\n- [A](1)\n", "### added (2 changes)\n\n- [A](1)\n- [C](3)"),
        (
            "### added (2 changes)\n\n- [A](1)\n- [B](2)\n- D\n",
            "### added (4 changes)\n\n- [A](1)\n- [B](2)\n- [C](3)\n- D",
        ),
        ("### added (2 changes)\n", "### added (1 change)\n\n- [C](3)"),
        // Without a number it stays without.
        ("### New\n\n- [A](1)\n", "### New\n\n- [A](1)\n- [C](3)"),
    ] {
        assert_eq!(merge(base, theirs, new).text.trim_end(), expected, "{theirs}");
    }
}

#[test]
fn thousands_of_parts_are_merged_at_once() {
    let list = |range: std::ops::Range<usize>, word: &str| {
        range.map(|number| format!("- {word} the crane #{number}\n")).collect::<Vec<_>>().concat()
    };
    let heading = |text: String| format!("### added\n\n{}", text.trim_end());
    let (base, new) = (heading(list(0..5_000, "Lift")), heading(list(2_500..10_000, "Lift")));
    assert_eq!(merge(&base, &heading(list(0..5_000, "Raise")), &new).conflicts.len(), 2_500);
    let struck = merge(&base, "### added\n\n- By hand", &new).text;
    assert_eq!(struck, heading(list(5_000..10_000, "Lift")) + "\n- By hand");
    let headings = |from: usize| {
        (from..from + 2_500).map(|number| format!("### {number}\n\n- a{number}\n\n")).collect::<Vec<_>>().concat()
    };
    assert_eq!(merge(&headings(0), "### mine\n\n- b", &headings(1_250)).text.matches("###").count(), 1_251);
    let unlike = |word: &str| (0..5_000).map(|number| format!("- {word}{number}\n")).collect::<Vec<_>>().concat();
    assert_eq!(merge(&unlike("x"), &unlike("y"), &unlike("z")).text.lines().count(), 10_000);
}
