//! The keys that decide on versions, packages and releases.

use std::sync::Arc;

use serde_json::json;

use super::row::{ConfigKey, flag, one_of, set, text, texts, words};
use crate::{
    config::{
        reader::{filled_text, initial_version, max_title, tag, versioning},
        yaml::Scalar,
    },
    model::{Forge, LatestMark},
};

pub(super) static KEYS: &[ConfigKey] = &[
    ConfigKey {
        name: "tag_regex",
        meaning: "which tags are versions, in RE2 syntax; groups `major`, `minor`, `patch`, `pre`, `meta`; a number \
            without a group is 0",
        default: "`v?` and a semantic version",
        example: "'^release-(?P<major>\\d+)\\.(?P<minor>\\d+)$'",
        shape: text,
        read: |_, config, field| set(&mut config.tag_regex, field.text()),
    },
    ConfigKey {
        name: "tag_prefix",
        meaning: "the prefix of version tags, such as `app/`",
        default: "none",
        example: "app/v",
        shape: text,
        read: |_, config, field| set(&mut config.tag_prefix, field.text()),
    },
    ConfigKey {
        name: "pre_releases",
        meaning: "whether each pre-release has a section of what is new since the one before, as with `--pre-releases`",
        default: "`false`",
        example: "true",
        shape: flag,
        read: |_, config, field| set(&mut config.has_pre_releases, field.flag()),
    },
    ConfigKey {
        name: "paths",
        meaning: "what a commit must change to be listed, see [Packages](packages.md#paths)",
        default: "anything",
        example: "[src, '!src/generated']",
        shape: texts,
        read: |_, config, field| set(&mut config.paths, field.texts()),
    },
    ConfigKey {
        name: "packages",
        meaning: "parts of the repository that are released by themselves, see [Packages](packages.md)",
        default: "none",
        example: "{ api: { paths: [services/api] }, web: }",
        shape: || {
            json!({
                "type": ["object", "null"],
                "additionalProperties": {
                    "type": ["object", "null"],
                    "additionalProperties": false,
                    "properties": {
                        "paths": { "type": ["array", "string", "null"], "items": { "type": ["string", "number"] } },
                        "tag_prefix": { "type": ["string", "null"] },
                        "file": { "type": ["string", "null"] },
                        "versioning": { "type": ["string", "null"] },
                        "version_files": { "$ref": "#/definitions/version_files" }
                    }
                }
            })
        },
        read: |reader, config, field| {
            config.packages = Arc::new(reader.packages(field)?);
            Ok(())
        },
    },
    ConfigKey {
        name: "groups",
        meaning: "packages whose versions [move together](packages.md#versions-that-move-together)",
        default: "none",
        example: "[{ packages: [api, web], versions: linked }]",
        shape: || {
            json!({
                "type": ["array", "null"],
                "items": {
                    "type": "object",
                    "additionalProperties": false,
                    "required": ["packages", "versions"],
                    "properties": {
                        "packages": { "type": "array", "items": { "type": "string" }, "minItems": 2 },
                        "versions": { "enum": ["fixed", "linked", "highest"] }
                    }
                }
            })
        },
        read: |reader, config, field| set(&mut config.groups, reader.groups(field).map(Arc::new)),
    },
    ConfigKey {
        name: "bump",
        meaning: "category to `major`, `minor`, `patch` or `none`; holds at any version",
        default: "[the usual levels](#the-next-version)",
        example: "{ changed: patch }",
        shape: || json!({ "type": ["object", "null"], "additionalProperties": { "enum": ["major", "minor", "patch", "none", null] } }),
        read: |reader, config, field| set(&mut config.bump, reader.bump(field)),
    },
    ConfigKey {
        name: "versioning",
        meaning: "`semver`, or a [version by the calendar](#versions-by-the-calendar) such as `YYYY.0M.MICRO`",
        default: "`semver`",
        example: "YYYY.0M.MICRO",
        shape: text,
        read: |_, config, field| set(&mut config.versioning, versioning(field)),
    },
    ConfigKey {
        name: "version_files",
        meaning: "files that `tidings release` sets the version in: `{path, key}`, `{path, regex}` or `{workspace: \
            cargo}`, see [Version files](releases.md#version-files)",
        default: "none",
        example: "[{ workspace: cargo }, { path: VERSION, regex: \"(.+)\" }]",
        shape: || json!({ "$ref": "#/definitions/version_files" }),
        read: |reader, config, field| set(&mut config.version_files, reader.version_files(field, None)),
    },
    ConfigKey {
        name: "dependents",
        meaning: "whether a package is released if its requirement does not allow the released version of another \
            one; `always` does so whatever it allows",
        default: "`true`",
        example: "always",
        shape: || json!({ "enum": [true, false, "always", null] }),
        read: |_, config, field| {
            config.raises_all_dependents = field.node.as_written() == Some("always");
            config.ignores_dependents =
                !config.raises_all_dependents && field.node.scalar() != Some(Scalar::Null) && !field.flag()?;
            Ok(())
        },
    },
    ConfigKey {
        name: "max_title",
        meaning: "the longest title that `tidings check` accepts, in characters, without a trailing ` (#123)`; `0` \
            for any",
        default: "`72`",
        example: "100",
        shape: || json!({ "type": ["integer", "null"], "minimum": 0 }),
        read: |_, config, field| set(&mut config.max_title, max_title(field)),
    },
    ConfigKey {
        name: "message",
        meaning: "message of a release commit, with `{version}`",
        default: "`Release {version}`",
        example: "\"chore: release {version}\"",
        shape: text,
        read: |_, config, field| set(&mut config.release.message, filled_text(field)),
    },
    ConfigKey {
        name: "tag",
        meaning: "name of the tag, with `{version}`, if the repository is released as a whole; `tag_prefix` or \
            `tag_regex` says how it is read again",
        default: "the version with the prefix of the last stable tag, or with `v`",
        example: "\"{version}\"",
        shape: text,
        read: |_, config, field| set(&mut config.release.tag, tag(field)),
    },
    ConfigKey {
        name: "initial_version",
        meaning: "version of the first release, if nothing is released yet",
        default: "`0.1.0`, or that of the manifest of a package",
        example: "1.0.0",
        shape: text,
        read: |_, config, field| set(&mut config.release.initial, initial_version(field)),
    },
    ConfigKey {
        name: "request_branch",
        meaning: "branch of the request that `tidings release --request` opens",
        default: "`tidings/release-` and the branch that is released",
        example: "next-release",
        shape: text,
        read: |_, config, field| set(&mut config.release.request_branch, filled_text(field)),
    },
    ConfigKey {
        name: "remote",
        meaning: "remote that releases are pushed to: its name in git's configuration, or the URL of a server",
        default: "the remote of the branch",
        example: "upstream",
        shape: text,
        read: |_, config, field| set(&mut config.release.remote, field.text()),
    },
    ConfigKey {
        name: "sign",
        meaning: "whether commit and tag of a release are signed, whatever git's configuration says",
        default: "`false`",
        example: "true",
        shape: flag,
        read: |_, config, field| set(&mut config.release.signs, field.flag()),
    },
    ConfigKey {
        name: "commit_through_api",
        meaning: "whether the commit of a release is made by GitHub or GitLab, which signs it; without a push it is \
            made here",
        default: "`false`",
        example: "true",
        shape: flag,
        read: |_, config, field| set(&mut config.release.commits_through_api, field.flag()),
    },
    ConfigKey {
        name: "assets",
        meaning: "files for the release on the forge, as `FILE` or `FILE=NAME`",
        default: "none",
        example: "[dist/app.tar.gz]",
        shape: texts,
        read: |_, config, field| set(&mut config.release.assets, field.texts()),
    },
    ConfigKey {
        name: "draft",
        meaning: "whether the release on the forge stays a draft until people publish it; GitLab has no drafts",
        default: "`false`",
        example: "true",
        shape: flag,
        read: |_, config, field| set(&mut config.drafts_release, field.flag()),
    },
    ConfigKey {
        name: "prerelease",
        meaning: "whether the release on the forge is marked as a pre-release, which that of a pre-release version \
            is in any case",
        default: "`false`",
        example: "true",
        shape: flag,
        read: |_, config, field| set(&mut config.release.prerelease, field.flag()),
    },
    ConfigKey {
        name: "latest",
        meaning: "whether the forge shows a release as its latest: `auto` is the highest version, `always`, \
            `never`; GitHub alone can be told",
        default: "`auto`",
        example: "never",
        shape: || one_of(words(&LatestMark::NAMES)),
        read: |_, config, field| set(&mut config.latest, field.one_of(&LatestMark::NAMES, LatestMark::Auto)),
    },
    ConfigKey {
        name: "discussion_category",
        meaning: "the category of the discussion that is opened about a release; GitHub alone has these",
        default: "no discussion",
        example: "Announcements",
        shape: text,
        read: |_, config, field| set(&mut config.release.discussion_category, filled_text(field)),
    },
    ConfigKey {
        name: "comment_on_requests",
        meaning: "whether a release comments on each merge or pull request and issue that its notes name: that it \
            is released, and where",
        default: "`false`",
        example: "true",
        shape: flag,
        read: |_, config, field| set(&mut config.release.comments, field.flag()),
    },
    ConfigKey {
        name: "hooks",
        meaning: "shell commands that `tidings release -x` runs: `{before: [...], after: [...], env: [...]}`, \
            see [Hooks](releases.md#hooks)",
        default: "none",
        example: "{ after: [\"npm publish\"], env: [GITHUB_TOKEN] }",
        shape: || {
            json!({
                "type": ["object", "null"],
                "additionalProperties": false,
                "properties": {
                    "before": { "type": ["array", "string", "null"], "items": { "type": "string" } },
                    "after": { "type": ["array", "string", "null"], "items": { "type": "string" } },
                    "env": {
                        "description": "The variables with a token of tidings that the commands get.",
                        "type": ["array", "string", "null"],
                        "items": { "type": "string", "enum": Forge::token_variables() }
                    }
                }
            })
        },
        read: |reader, config, field| set(&mut config.hooks, reader.hooks(field)),
    },
];
