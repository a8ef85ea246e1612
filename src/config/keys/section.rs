//! The keys that decide how a section looks, and where it goes.

use serde_json::json;

use super::row::{ConfigKey, flag, one_of, set, text, words};
use crate::config::{EntryOrder, reader::heading};

const LONG_TITLES: [(&str, Option<bool>); 2] = [("cut", Some(true)), ("whole", Some(false))];
const GROUP_BY: [(&str, bool); 2] = [("category", false), ("scope", true)];
const UNRELEASED: [(&str, bool); 2] = [("keep", true), ("move", false)];

pub(super) static KEYS: &[ConfigKey] = &[
    ConfigKey {
        name: "template",
        meaning: "an inline template in [GitLab's template language](templates.md)",
        default: "the built-in section",
        example: "'{% each categories %}{{ title }}{% end %}'",
        shape: text,
        read: |_, config, field| set(&mut config.template, field.source_text()),
    },
    ConfigKey {
        name: "template_file",
        meaning: "the path of a template in the repository (`.hbs` is Handlebars, anything else GitLab's language), \
            or the name of a built-in template",
        default: "none",
        example: "keep-a-changelog",
        shape: text,
        read: |_, config, field| set(&mut config.template_file, field.text()),
    },
    ConfigKey {
        name: "entry",
        meaning: "how an entry is written, [in Handlebars](templates.md#one-entry): a text, or a mapping of \
            categories to texts, where `default` is for all others",
        default: "the usual form",
        example: "'- {{title}}'",
        shape: || json!({ "type": ["string", "object", "null"], "additionalProperties": { "type": ["string", "null"] } }),
        read: |reader, config, field| set(&mut config.entry_templates, reader.entry_templates(field)),
    },
    ConfigKey {
        name: "first_release",
        meaning: "the text of the [first release](#the-text-of-a-first-release) in place of its entries: Markdown, \
            or a Handlebars template",
        default: "none: the entries",
        example: "The first release.",
        shape: text,
        read: |_, config, field| set(&mut config.first_release, field.source_text()),
    },
    ConfigKey {
        name: "date_format",
        meaning: "the date of the heading, for strftime",
        default: "`%Y-%m-%d`",
        example: "\"%d %B %Y\"",
        shape: text,
        read: |_, config, field| set(&mut config.date_format, field.text()),
    },
    ConfigKey {
        name: "long_titles",
        meaning: "`cut`: a title of 100 characters or more is cut at the last space up to the 79th, as on GitLab; \
            or `whole`",
        default: "`cut` for trailers and in `.gitlab` and `.service`, else `whole`",
        example: "whole",
        shape: || one_of(words(&LONG_TITLES)),
        read: |_, config, field| set(&mut config.cuts_titles, field.one_of(&LONG_TITLES, None)),
    },
    ConfigKey {
        name: "bodies",
        meaning: "whether an entry has the body of its message below its title, without the trailers; a text after \
            `BREAKING CHANGE:` is there in any case",
        default: "`false`",
        example: "true",
        shape: flag,
        read: |_, config, field| set(&mut config.has_bodies, field.flag()),
    },
    ConfigKey {
        name: "sort",
        meaning: "the order of the entries: `newest` first, `oldest` first, by `scope` or `title` within a \
            category, or by `category`: the titles of the headings",
        default: "`newest`, as in `git log`",
        example: "scope",
        shape: || one_of(words(&EntryOrder::NAMES)),
        read: |_, config, field| set(&mut config.entry_order, field.one_of(&EntryOrder::NAMES, EntryOrder::default())),
    },
    ConfigKey {
        name: "group_by",
        meaning: "what the headings are: `category`, or `scope`, with `General` for entries without one",
        default: "`category`",
        example: "scope",
        shape: || one_of(words(&GROUP_BY)),
        read: |_, config, field| set(&mut config.groups_by_scope, field.one_of(&GROUP_BY, false)),
    },
    ConfigKey {
        name: "file",
        meaning: "the changelog file",
        default: "the only one named like one (`CHANGES.md`, `docs/HISTORY.md`, `packages/x/CHANGELOG.md`), else \
            `CHANGELOG.md`",
        example: "docs/HISTORY.md",
        shape: text,
        read: |_, config, field| set(&mut config.file, field.text()),
    },
    ConfigKey {
        name: "heading",
        meaning: "`file`, `gitlab`, or the heading of a new section with `{version}` and `{date}`, see [The \
            changelog file](changelog-file.md)",
        default: "`file`",
        example: "\"## [{version}] - {date}\"",
        shape: text,
        read: |_, config, field| {
            config.heading = heading(field)?.unwrap_or(config.heading.clone());
            Ok(())
        },
    },
    ConfigKey {
        name: "unreleased",
        meaning: "`move`: what is written by hand below `Unreleased` goes into the new section, or `keep`",
        default: "`move`; `keep` in GitLab's configuration",
        example: "keep",
        shape: || one_of(words(&UNRELEASED)),
        read: |_, config, field| {
            config.keeps_unreleased = field.one_of(&UNRELEASED, config.is_gitlab_file)?;
            config.adds_unreleased = !config.keeps_unreleased;
            Ok(())
        },
    },
];
