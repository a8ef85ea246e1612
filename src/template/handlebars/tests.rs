//! Handlebars templates: what they can do, and what is refused.

use std::{collections::BTreeSet, time::Duration};

use serde_json::json;

use super::*;
use crate::template::output::MAX_TIME;

fn render_data(template: &str, data: Json) -> anyhow::Result<String> {
    let deadline = Instant::now() + MAX_TIME;
    Template::parse(Source::new("t.hbs", template), Vec::new(), deadline)?.render(data, deadline)
}

fn data() -> Json {
    json!({
        "title": "Tide & <tables>", "count": 2, "one": 1, "none": null, "empty": [], "list": ["a", 2, null],
        "references": [{"text": "Tide", "url": "https://x.example/7"}],
        "commit": {"id": "0123456789abcdef", "web_url": "https://x.example/1", "date": "2024-03-09T10:20:30+01:00",
                   "trailers": {"Closes": "#7", "Signed-off-by": "Ida"}}
    })
}

fn shown(template: &str) -> String {
    render_data(template, data()).unwrap()
}

fn refusal(template: &str) -> String {
    let error = render_data(template, data()).unwrap_err();
    format!("{error:#}").lines().next().unwrap_or_default().to_owned()
}

#[test]
fn nothing_is_escaped_and_the_order_is_kept() {
    assert_eq!(
        shown("{{title}}|{{none}}|{{#each commit}}{{@key}} {{/each}}"),
        "Tide & <tables>||id web_url date trailers "
    );
    assert_eq!(
        shown("{{#if (eq count 2)}}two{{else if one}}one{{/if}}{{#each empty}}x{{else}}nothing{{/each}}"),
        "twonothing"
    );
    assert_eq!(shown("{{#each empty}}x{{/each}}{{#each title}}x{{else}}no list{{/each}}"), "no list");
}

#[test]
fn the_helpers_of_a_changelog() {
    assert_eq!(
        shown(r#"{{date commit.date "%-d %B %Y"}} {{short commit.id}} {{short commit.id 4}}"#),
        "9 March 2024 01234567 0123"
    );
    let released = json!({"date": "2024-03-09", "list": [1]});
    assert_eq!(render_data("{{date}}{{#each list}} {{date}}{{/each}}", released).unwrap(), "2024-03-09 2024-03-09");
    assert_eq!(shown("{{upper title}} {{lower title}}"), "TIDE & <TABLES> tide & <tables>");
    assert_eq!(shown(r#"{{plural count "change"}}, {{plural one "entry" "entries"}}"#), "2 changes, 1 entry");
    assert_eq!(shown(r#"{{join list ", "}}; {{join commit.trailers " "}}"#), "a, 2, ; #7 Ida");
    assert_eq!(shown(r#"{{trailers commit "Closes" "Signed-off-by" "Refs"}}"#), "#7, Ida");
    assert_eq!(shown(r#"{{#if (trailers commit "Refs")}}x{{else}}none{{/if}}"#), "none");
    assert_eq!(
        shown("{{link title commit.web_url}} {{link title commit.gone}} {{link (upper title) none}}"),
        "[Tide & \\<tables>](https://x.example/1) Tide & \\<tables> TIDE & \\<TABLES>"
    );
    assert_eq!(shown(r#"{{link "a ] *b*" "https://x/(1) 2"}}"#), r"[a \] \*b\*](https://x/%281%29%202)");
    assert_eq!(shown("{{escape title}}"), "Tide & \\<tables>");
    assert_eq!(shown("{{escape title references}}"), "[Tide](https://x.example/7) & \\<tables>");
    assert_eq!(shown("{{json title}} {{json none}}"), "\"Tide & <tables>\" null");
}

#[test]
fn the_page_about_templates_lists_every_helper_and_its_examples_render() {
    let page = include_str!("../../../docs/templates.md");
    let rows = page.lines().skip_while(|line| !line.starts_with("| helper |")).skip(2);
    let cells = rows.map_while(|line| line.strip_prefix("| ")?.split(" | ").next());
    let examples: Vec<&str> = cells.flat_map(|cell| cell.split(", `")).map(|text| text.trim_matches('`')).collect();
    let name = |text: &&str| text.trim_matches(['{', '}']).split(' ').next().unwrap_or_default().to_owned();
    let listed: BTreeSet<String> = examples.iter().map(name).collect();
    assert_eq!(listed, helpers::HELPERS.iter().map(|helper| helper.name.to_owned()).collect());
    for example in examples {
        shown(example);
    }
}

#[test]
fn mistakes_are_reported_with_their_position() {
    for (template, message) in [
        ("a\n {{titel}}", "t.hbs:2:2: `titel` is not defined"),
        ("{{#each list}}\n{{this.x.y}}{{/each}}", "t.hbs:2:1: `this.x.y` is not defined"),
        ("{{#each gone}}{{/each}}", "t.hbs:1:1: `gone` is not defined"),
        ("{{#each none}}{{/each}}", "t.hbs:1:1: `none` is not defined"),
        ("a {{#each title}}{{/each}}", "t.hbs:1:3: `title` is a text, but `each` needs a list or an object"),
        (
            "{{#each list}}\n {{#each this}}{{/each}}{{/each}}",
            "t.hbs:2:2: `this` is a text, but `each` needs a list or an object",
        ),
        (
            "{{#if one}}{{else each (len title)}}{{/if}}{{#if none}}{{else each (len title)}}{{/if}}",
            "t.hbs:1:44: `15` is a number, but `each` needs a list or an object",
        ),
        ("{{#each true}}{{/each}}", "t.hbs:1:1: `true` is a boolean, but `each` needs a list or an object"),
        ("{{upper gone.x}}", "t.hbs:1:1: `upper`: `gone.x` is not defined"),
        ("{{upper}}", "t.hbs:1:1: `upper`: argument 1 is missing"),
        ("{{len gone}}", "t.hbs:1:1: `len`: an argument is missing"),
        ("{{#each}}{{/each}}", "t.hbs:1:1: `each`: argument 1 is missing"),
        ("{{shout title}}", "t.hbs:1:1: unknown helper `shout`"),
        ("{{plural title \"x\"}}", "t.hbs:1:1: `plural`: needs a whole number, not `Tide & <tables>`"),
        ("{{date title \"%Y\"}}", "t.hbs:1:1: `date`: `Tide & <tables>` is not a date in ISO 8601"),
        ("{{join title \",\"}}", "t.hbs:1:1: `join`: needs a list, not `Tide & <tables>`"),
        ("{{#if a}}\n{{/each}}", "t.hbs:2:1: `{{#if}}` is closed by `{{/each}}`"),
        ("a {{#if b}}", "t.hbs:1:12: a tag or a block is not closed"),
        ("{{#if a}}{{else}}{{else}}{{/if}}", "t.hbs:1:20: unexpected `else`"),
        ("{{b (}}", "t.hbs:1:6: unexpected `}`"),
        ("x {{> other}}", "t.hbs:1:3: partials (`{{> name}}`) and decorators (`{{* name}}`) are not supported"),
        (
            "{{~ # *inline \"x\"}}{{/inline}}",
            "t.hbs:1:1: partials (`{{> name}}`) and decorators (`{{* name}}`) are not supported",
        ),
    ] {
        assert_eq!(refusal(template), message, "{template:?}");
    }
}

#[test]
fn what_exceeds_the_limits_is_refused_before_it_is_parsed() {
    for hostile in [
        "x".repeat(limits::MAX_BYTES + 1),
        "{{#if a}}".repeat(1_100) + &"{{/if}}".repeat(1_100),
        format!("{{{{a {}b{}}}}}", "(".repeat(600), ")".repeat(600)),
        format!("{{{{a {}{}}}}}", "[".repeat(600), "]".repeat(600)),
        "\\".repeat(17),
    ] {
        assert!(refusal(&hostile).contains("this one has") || refusal(&hostile).contains("in a row"));
    }
}

#[test]
fn the_deepest_accepted_templates_come_to_an_end() {
    let data = || json!({"a": {"a": true}});
    for deep in [
        "{{#if a}}".repeat(510) + "x" + &"{{/if}}".repeat(510),
        "{{#with a}}".repeat(510) + "x" + &"{{/with}}".repeat(510),
        "{{#if b}}".to_owned() + &"{{else if b}}".repeat(1_000) + "{{/if}}",
        format!("{{{{{}a{}}}}}", "(upper ".repeat(512), ")".repeat(512)),
        format!("{{{{upper {}1{}}}}}", "[".repeat(512), "]".repeat(512)),
        format!("{{{{upper {}1{}}}}}", "{\"a\":".repeat(1_100), "}".repeat(1_100)),
        "{{a}}".repeat(1_024),
        "{{#if a}}{{/if}}".repeat(512),
        "{{a.a}}".repeat(1_000) + &"\\{{".repeat(20),
        ("\\".repeat(16) + " ").repeat(900),
    ] {
        // The result may be a text or an error, but there has to be one.
        let _ = render_data(&deep, data());
    }
}

#[test]
fn endless_work_and_endless_output_end_in_an_error() {
    let deadline = Instant::now() + Duration::from_millis(200);
    let empty = Source::new("t.hbs", "{{#each l}}{{#each ../l}}{{#each ../../l}}{{/each}}{{/each}}{{/each}}");
    let template = Template::parse(empty, Vec::new(), deadline).unwrap();
    let slow = template.render(json!({"l": vec![0; 2_000]}), deadline).unwrap_err();
    assert!(format!("{slow:#}").contains("more than 2 seconds"), "{slow:#}");
    let long = "x".repeat(1 << 20);
    let large = render_data("{{#each l}}{{this}}{{/each}}", json!({"l": vec![&long; 33]})).unwrap_err();
    assert!(format!("{large:#}").contains("32 MiB"), "{large:#}");
    let wide = render_data("{{upper l}}", json!({"l": long})).unwrap_err();
    assert!(format!("{wide:#}").contains("`upper`: the text has more than"), "{wide:#}");
}
