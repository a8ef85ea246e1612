//! The keys that decide which commits are entries, and what an entry says.

use serde_json::json;

use super::row::{ConfigKey, categories, flag, one_of, set, text, texts, titles, words};
use crate::{
    config::{EntriesPerCommit, LabelRules, extends::EXTENDS, reader::trailer, source_key::set_source},
    model::Forge,
};

const TRAILERS_IN: [(&str, bool); 2] = [("last", false), ("any", true)];
const REPEATED_TRAILERS: [(&str, bool); 2] = [("last", false), ("all", true)];

pub(super) static KEYS: &[ConfigKey] = &[
    ConfigKey {
        name: EXTENDS,
        meaning: "[another file](#a-common-file) whose keys count where this one does not have them, by its path from \
            the top of the repository, or by its address with its digest",
        default: "none",
        example: "shared/changelog.yml",
        shape: || json!({ "type": ["string", "boolean", "null"] }),
        // The files that it names are read already.
        read: |_, _, _| Ok(()),
    },
    ConfigKey {
        name: "categories",
        meaning: "mapping of trailer value to title, in the order of the section",
        default: "the value itself; with [Conventional Commits](#conventional-commits) or \
            [rules](#rules-for-any-history) the usual titles",
        example: "{ added: New, fixed: Fixes }",
        shape: titles,
        read: |reader, config, field| set(&mut config.categories, reader.categories(field)),
    },
    ConfigKey {
        name: "source",
        meaning: "`auto`, `trailers`, `conventional`, `both`, `merge-requests`, `titles` or `files`: [what lists a \
            commit](#the-source-of-entries)",
        default: "`auto`; `trailers` in `.gitlab` and `.service`",
        example: "conventional",
        shape: || {
            json!({
                "anyOf": [
                    { "$ref": "#/definitions/source" },
                    { "type": "array", "items": { "$ref": "#/definitions/source" }, "minItems": 1, "maxItems": 2 },
                    { "type": "null" }
                ]
            })
        },
        read: |_, config, field| set_source(config, field),
    },
    ConfigKey {
        name: "types",
        meaning: "Conventional type to category, or to `none`; `\"*\"` is every other type",
        default: "`feat`: added; `fix`: fixed; `perf`: performance; `revert`: changed; others: none",
        example: "{ feat: added, deps: changed, docs: none }",
        shape: categories,
        read: |reader, config, field| set(&mut config.types, reader.types(field)),
    },
    ConfigKey {
        name: "labels",
        meaning: "[label of a merge or pull request](#labels) to category, or to `none`; `\"*\"` is every other \
            request",
        default: "none, and no forge is asked",
        example: "{ bug: fixed, internal: none, \"*\": changed }",
        shape: categories,
        read: |reader, config, field| {
            let categories = reader.listed_categories(field, "a mapping of labels to categories")?;
            config.labels = LabelRules::from_categories(categories);
            Ok(())
        },
    },
    ConfigKey {
        name: "match",
        meaning: "[rules](#rules-for-any-history) that list or skip commits before the source is asked",
        default: "none",
        example: "[{ title: '^area/(\\w+): ', scope: $1, category: changed }]",
        shape: || {
            json!({
                "type": ["array", "null"],
                "items": {
                    "type": "object",
                    "properties": {
                        "title": { "type": "string" },
                        "body": { "type": "string" },
                        "author": { "type": "string" },
                        "trailer": { "type": "string" },
                        "category": { "type": "string" },
                        "scope": { "type": "string" },
                        "skip": { "type": "boolean" }
                    }
                }
            })
        },
        read: |reader, config, field| set(&mut config.rules, reader.rules(field)),
    },
    ConfigKey {
        name: "other",
        meaning: "the category of commits that nothing else lists, last in the section",
        default: "none: they are not listed",
        example: "other",
        shape: || json!({ "type": ["string", "number", "boolean", "null"] }),
        read: |_, config, field| set(&mut config.other, field.title()),
    },
    ConfigKey {
        name: "trailer",
        meaning: "the trailer that names the category, in this case of letters",
        default: "`Changelog`",
        example: "Release-Note",
        shape: text,
        read: |_, config, field| set(&mut config.trailer, trailer(field)),
    },
    ConfigKey {
        name: "trailers_in",
        meaning: "`last`, or `any`: the trailer also counts on any other line, if the last paragraph does not have \
            it",
        default: "`last`",
        example: "any",
        shape: || one_of(words(&TRAILERS_IN)),
        read: |_, config, field| set(&mut config.trailers_in_any_line, field.one_of(&TRAILERS_IN, false)),
    },
    ConfigKey {
        name: "skip",
        meaning: "commits that are not listed: `commits` (IDs), `authors` (e-mail addresses), `messages` (RE2), and \
            by `released` what a release of another line has already",
        default: "`released: true`; none in `.gitlab` and `.service`",
        example: "{ authors: [bot@example.org], messages: ['^Merge '] }",
        shape: || {
            json!({
                "type": ["object", "null"],
                "additionalProperties": false,
                "properties": {
                    "commits": { "type": ["array", "string", "number", "null"], "items": { "type": ["string", "number"] } },
                    "authors": { "type": ["array", "string", "null"], "items": { "type": "string" } },
                    "messages": { "type": ["array", "string", "null"], "items": { "type": "string" } },
                    "released": { "type": ["boolean", "null"] }
                }
            })
        },
        read: |reader, config, field| set(&mut config.skip, reader.skip(field)),
    },
    ConfigKey {
        name: "submodules",
        meaning: "whether the section lists what is new in each [submodule](#submodules), as a group of its own",
        default: "`false`",
        example: "true",
        shape: flag,
        read: |_, config, field| set(&mut config.lists_submodules, field.flag()),
    },
    ConfigKey {
        name: "links",
        meaning: "RE2 syntax to an address: references in titles become links",
        default: "on GitHub, Gitea and Forgejo `#12`, if it is not trailers that list the commits",
        example: "{ 'JIRA-\\d+': 'https://jira.example.org/browse/$0' }",
        shape: || json!({ "type": ["object", "null"], "additionalProperties": { "type": "string" } }),
        read: |reader, config, field| set(&mut config.links, reader.links(field)),
    },
    ConfigKey {
        name: "replace",
        meaning: "a list of `{match, with}`: replaces a pattern (RE2 syntax) in titles before anything is read from \
            them; `$1` is the first group",
        default: "none",
        example: "[{ match: '^\\[backport\\] ', with: '' }]",
        shape: || {
            json!({
                "type": ["array", "null"],
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["match"],
                    "properties": { "match": { "type": "string" }, "with": { "type": ["string", "null"] } }
                }
            })
        },
        read: |reader, config, field| set(&mut config.replacements, reader.replacements(field)),
    },
    ConfigKey {
        name: "forge",
        meaning: "what the host of the repository runs, which decides on links, words and the API: `gitlab`, \
            `github` or `gitea` (and Forgejo); or `bitbucket`, `bitbucket-data-center`, `azure-devops` or \
            `sourcehut`, without releases and people, since their APIs are not supported",
        default: "that of the CI job's server if it is the host, else the one that is in the name of the host, else \
            `gitlab`",
        example: "gitea",
        shape: || one_of(Forge::words().map(|(word, _)| word).to_vec()),
        read: |_, config, field| {
            let words = Forge::words().map(|(word, forge)| (word, Some(forge)));
            set(&mut config.forge, field.one_of(&words, None))
        },
    },
    ConfigKey {
        name: "people",
        meaning: "whether the server is asked for authors and for merge or pull requests that the history alone does \
            not give, as with `--people`",
        default: "`false`",
        example: "true",
        shape: flag,
        read: |_, config, field| set(&mut config.asks_people, field.flag()),
    },
    ConfigKey {
        name: "include_groups",
        meaning: "groups whose members are credited, if a server is asked",
        default: "none",
        example: "[harbor/maintainers]",
        shape: texts,
        read: |_, config, field| set(&mut config.include_groups, field.texts()),
    },
    ConfigKey {
        name: "authors",
        meaning: "e-mail address to `@name`, or to `{reference, contributor}`",
        default: "none",
        example: "{ ada@example.org: \"@ada\" }",
        shape: || {
            json!({
                "type": ["object", "null"],
                "additionalProperties": {
                    "type": ["string", "object", "null"],
                    "additionalProperties": false,
                    "properties": { "reference": { "type": ["string", "null"] }, "contributor": { "type": ["boolean", "null"] } }
                }
            })
        },
        read: |reader, config, field| set(&mut config.authors, reader.authors(field)),
    },
    ConfigKey {
        name: "repeated_trailers",
        meaning: "`last`, or `all` for an entry per trailer, which may have a text of its own: `Changelog: fixed: \
            Mend the mast`",
        default: "`last`",
        example: "all",
        shape: || one_of(words(&REPEATED_TRAILERS)),
        read: |_, config, field| set(&mut config.takes_repeated_trailers, field.one_of(&REPEATED_TRAILERS, false)),
    },
    ConfigKey {
        name: "entries_per_commit",
        meaning: "which of the changes that a message lists are entries, by types: `one` is the title; `marked` \
            adds blocks between `BEGIN_NESTED_COMMIT` and `END_NESTED_COMMIT`; `squash` adds the list of squashed \
            commits where the title has no type; `all` adds that list and the paragraphs at the end that begin with \
            a type",
        default: "`squash`",
        example: "one",
        shape: || one_of(words(&EntriesPerCommit::NAMES)),
        read: |_, config, field| {
            set(&mut config.entries_per_commit, field.one_of(&EntriesPerCommit::NAMES, EntriesPerCommit::default()))
        },
    },
];
