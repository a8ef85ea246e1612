//! Templates put to releases.

use super::*;

#[test]
fn nothing_prints_that_there_are_no_changes() {
    let template = Template::of(&Config::default(), |_| unreachable!("it is built in")).unwrap();
    assert_eq!(template.render(&Release::default()).unwrap(), "No changes.");
}
