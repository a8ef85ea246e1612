//! The language, case by case.

use std::time::Instant;

use serde_json::json;

use super::*;
use crate::template::output::MAX_TIME;

fn render(template: &str, data: &serde_json::Value) -> anyhow::Result<String> {
    Template::parse(Source::new("t", template))?.render_data(data, Instant::now() + MAX_TIME)
}

fn shown(template: &str) -> String {
    let data = json!({
        "name": "Rīga", "zero": 0, "blank": "", "space": " ", "nil": null, "yes": true, "no": false, "pi": 1.5,
        "list": [10, "x", null, ["in"]], "map": {"k": "v", "w": null, "it": "shadow"}, "empty": [], "eh": {}
    });
    render(template, &data).unwrap()
}

fn refusal(template: &str) -> String {
    render(template, &json!({})).unwrap_err().to_string().lines().next().unwrap_or_default().to_owned()
}

#[test]
fn variables_print_values_and_eat_their_braces() {
    assert_eq!(shown("{{ name }}|{{{name}}}|{{{{ name }}}}|{x{{name}}}"), "Rīga|Rīga|Rīga|{xRīga");
    assert_eq!(shown("{{yes}} {{ no }} {{zero}} {{pi}}[{{nil}}{{blank}}{{gone.deep}}]"), "true false 0 1.5[]");
    assert_eq!(shown("{{\n\tname \x0b\x0c\r}}\n"), "Rīga\n");
    assert_eq!(
        shown("{{ it.name }} {{ name.it }} {{ map.it.k }} {{ list.3.0 }} {{ list.0000000001 }}"),
        "Rīga Rīga v in x"
    );
    assert_eq!(shown("[{{ list.9999999999 }}{{ map.0 }}{{ name.0 }}]"), "[]");
}

#[test]
fn lists_and_objects_print_as_json() {
    assert_eq!(shown("{{ list }} {{ map }}"), r#"[10,"x",null,["in"]] {"k":"v","w":null,"it":"shadow"}"#);
    assert_eq!(shown("{% each map %}{{ it }}{% end %}"), r#"["k","v"]["w",null]["it","shadow"]"#);
}

#[test]
fn conditions_hold_for_what_is_not_empty() {
    let holds = |value: &str| shown(&format!("{{% if {value} %}}1{{% else %}}0{{% end %}}"));
    for value in ["yes", "zero", "space", "list", "map", "pi", "it"] {
        assert_eq!(holds(value), "1", "{value}");
    }
    for value in ["no", "nil", "blank", "empty", "eh", "gone"] {
        assert_eq!(holds(value), "0", "{value}");
    }
}

#[test]
fn loops_go_over_lists_and_objects_and_hide_what_is_outside() {
    assert_eq!(shown("{% each list %}<{{ it }}{{ name }}>{% end %}"), r#"<10><x><><["in"]>"#);
    assert_eq!(shown("{% each map %}{{ 0 }}={{ 1 }};{% end %}"), "k=v;w=;it=shadow;");
    assert_eq!(shown("{% each name %}x{% end %}{% each zero %}x{% end %}{% each nil %}x{% end %}."), ".");
    assert_eq!(shown("{% each list %}{% if it %}y{% else %}n{% end %}{% end %}{{ name }}"), "yynyRīga");
}

#[test]
fn a_fifth_loop_is_refused_only_when_it_is_entered() {
    let nested = |depth: usize, selector: &str| {
        format!("{}{{{{ it }}}}{}", format!("{{% each {selector} %}}").repeat(depth), "{% end %}".repeat(depth))
    };
    let data = json!([[[[[1]]]]]);
    assert_eq!(render(&nested(4, "it"), &data).unwrap(), "[1]");
    let refusal = render(&nested(5, "it"), &data).unwrap_err().to_string();
    assert!(refusal.starts_with("t:1:53: you can only nest up to 4 loops"), "{refusal}");
    assert_eq!(render(&nested(5, "it"), &json!([[[["text"]]]])).unwrap(), "");
}

#[test]
fn lone_braces_are_text() {
    assert_eq!(shown("{ {a} } }} %} {\n{"), "{ {a} } }} %} {\n{");
}

#[test]
fn mistakes_are_named_where_they_are() {
    for (template, message) in [
        ("a\nö {{ bad tag }}", "t:2:10: expected `}}`, found `t`"),
        ("{% if a %}\n {{ }}\n{% end %}", "t:2:5: expected a selector such as `title`, found `}`"),
        ("{{ a1 }}", "t:1:5: expected `.`, a space or `}}`, found `1`"),
        ("{{ a.b-c }}", "t:1:7: expected `.`, a space or `}}`, found `-`"),
        ("{{ l.-1 }}", "t:1:6: expected a name or a number after the dot, found `-`"),
        ("{{ 12345678901 }}", "t:1:14: expected `.`, a space or `}}`, found `1`"),
        ("{{\u{a0}a }}", "t:1:3: expected a selector such as `title`, found `\\u{a0}`"),
        ("{{% if a %}", "t:1:3: expected a selector such as `title`, found `%`"),
        ("{{ a", "t:1:5: expected `.`, a space or `}}`, found the end of the template"),
        ("{% for x in list %}", "t:1:4: unknown tag `for`: expected `if`, `each`, `else` or `end`"),
        ("{% %}", "t:1:4: expected `if`, `each`, `else` or `end`"),
        ("{% if\nx %}{% end %}", "t:1:6: expected a space and a selector after `if`"),
        ("{% if a and b %}", "t:1:9: expected `%}`, found `a`"),
        ("{% if a %}{% else %}{% else %}{% end %}", "t:1:21: a second `else` in one `if`"),
        ("{% each a %}{% else %}{% end %}", "t:1:13: `else` outside of an `if`"),
        ("x{% end %}", "t:1:2: `end` without an open `if` or `each`"),
        (
            "{% if a %}{% each b %}{% end %}",
            "t:1:1: this `if` is never closed: expected `{% else %}` or `{% end %}` before the end of the template",
        ),
        ("õ {% each a %}", "t:1:3: this `each` is never closed: expected `{% end %}` before the end of the template"),
        ("text\\", "t:1:5: a backslash must come before a line break or text"),
        ("\\\\ ", "t:1:1: a backslash must come before a line break or text"),
        ("\\{{ a }}", "t:1:1: a backslash must come before a line break or text"),
    ] {
        assert_eq!(refusal(template), message, "{template:?}");
    }
}

#[test]
fn deep_templates_are_no_burden() {
    let deep = format!("{}x{}", "{% if yes %}".repeat(20_000), "{% end %}".repeat(20_000));
    assert_eq!(shown(&deep), "x");
    assert!(refusal(&"{% if yes %}".repeat(20_000)).contains("never closed"));
}

#[test]
fn endless_work_and_endless_output_end_in_an_error() {
    let work = Template::parse(Source::new("t", "{% each it %}{% end %}")).unwrap();
    let late = work.render_data(&json!(vec![0; 2_000]), Instant::now()).unwrap_err();
    assert!(format!("{late:#}").contains("more than 2 seconds"));
    let large = render("{% each it %}{{ it }}{% end %}", &json!(vec!["x".repeat(1 << 20); 33])).unwrap_err();
    assert!(format!("{large:#}").contains("32 MiB"));
    let nested = render("{% each it %}{{ it }}{% end %}", &json!(vec![["x".repeat(1 << 20)]; 33])).unwrap_err();
    assert!(format!("{nested:#}").contains("32 MiB"));
}

/// Lines of a template and its output, null for an error, by a slow and literal implementation of the grammar.
const GRAMMAR: &str = include_str!("../../../testdata/templates.jsonl");

#[test]
fn generated_templates_are_read_by_the_grammar() {
    let data = json!({
        "a": [1, [2, [3, [4, [5]]]], {"a": "b"}], "b": "x", "e": [], "o": {"k": "v", "it": 1}, "n": null, "t": true
    });
    for line in GRAMMAR.lines() {
        let (template, expected): (String, Option<String>) = serde_json::from_str(line).unwrap();
        assert_eq!(render(&template, &data).ok(), expected, "{template:?}");
    }
}
