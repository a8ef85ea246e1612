//! Which lines of a document may be the heading of a version.

use super::*;

#[track_caller]
fn has(text: &str, versions: &[&str]) {
    assert_eq!(Document::parse(text).versions(), versions, "{text}");
}

#[test]
fn front_matter_has_no_version() {
    has("---\n# of the site\n\ntitle: x\n## 1.4.7\n---\n\n## 1.4.8\n", &["1.4.8"]);
    has("+++\ntitle = 'x'\n## 1.4.7\n+++\n## 1.4.8\n", &["1.4.8"]);
    has("+++\n[params]\n## 1.4.7\n+++\n## 1.4.8\n", &["1.4.8"]);
    has("---\n\"last-updated_on\": x\n## 1.4.7\n---\n## 1.4.8\n", &["1.4.8"]);
    has("---\ntitle: x\n---\n1.4.8\n\n- a\n", &["1.4.8"]);
}

#[test]
fn a_rule_above_text_begins_no_front_matter() {
    for text in [
        "## 1.4.9\n\n---\n",
        "Words\n\n## 1.4.9\n\n---\n",
        "Words, and: more\n\n## 1.4.9\n\n---\n",
        ": x\n\n## 1.4.9\n\n---\n",
    ] {
        has(&format!("---\n\n{text}\n## 1.4.8\n"), &["1.4.9", "1.4.8"]);
    }
    has("---\ntitle: x\n+++\n\n## 1.4.9\n\n## 1.4.8\n", &["1.4.9", "1.4.8"]);
}

#[test]
fn a_version_without_hashes_begins_its_paragraph() {
    has("1.4.9\n\n- b\n\n```\nx\n```\n1.4.8\n\n- a\n", &["1.4.9", "1.4.8"]);
    has("1.4.9\n\n- b\n\nNobody uses\n1.4.8\n\n", &["1.4.9"]);
}

#[test]
fn bold_words_with_a_version_are_a_heading_if_they_are_a_paragraph_of_their_own() {
    has("**1.4.9, the last**", &["1.4.9"]);
    has("**1.4.9, the last**\n\n- b\n\n**1.4.8, the first**\n```\nx\n```\n", &["1.4.9", "1.4.8"]);
    has("**1.4.9, the last**\n\n- b\n\n**1.4.8, the first**\nwas withdrawn.\n", &["1.4.9"]);
}

#[test]
fn indented_code_has_no_version() {
    has("1.4.9\n\n- b\n\n    1.4.8\n\n\t1.4.7\n", &["1.4.9"]);
}
