//! Rules that list commits by what they look like, before the source of entries is asked.

use std::ops::Deref;

use regex::Captures;

use super::Pattern;
use crate::model::Commit;

/// A rule: patterns that all have to match a commit, and what becomes of it then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryRule {
    /// What the title looks like.
    pub title: Option<Pattern>,
    /// What the rest of the message looks like.
    pub body: Option<Pattern>,
    /// What the author looks like: `Name <address>`.
    pub author: Option<Pattern>,
    /// What one of the trailers looks like: `Key: value`.
    pub trailer: Option<Pattern>,
    /// The category it is listed under; `$1` and the like are the groups of the first pattern.
    pub category: Option<String>,
    /// The part of the project it is about, with groups too.
    pub scope: Option<String>,
    /// Whether it is not listed at all.
    pub skip: bool,
}

/// What a rule says of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleMatch<'a> {
    /// The category it is listed under; `None` skips the commit.
    pub category: Option<String>,
    /// The part of the project, if the rule names one.
    pub scope: Option<String>,
    /// Whether the rule is one that names a part, which titles without one do not have.
    pub has_scope: bool,
    /// What is left of the title without the text that named the scope.
    pub title: &'a str,
}

impl EntryRule {
    /// The patterns of the rule, in their order.
    pub fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        [&self.title, &self.body, &self.author, &self.trailer].into_iter().flatten()
    }

    /// Applies the rule to a commit of this title.
    pub fn apply<'a, T: Deref<Target = str>>(&self, title: &'a str, commit: &'a Commit<T>) -> Option<RuleMatch<'a>> {
        let body = commit.message.get(commit.subject().len()..).unwrap_or_default();
        let author = self.author.as_ref().map(|_| format!("{} <{}>", &*commit.author.name, &*commit.author.email));
        let lines: Vec<String> = match &self.trailer {
            Some(_) => commit.trailers.iter().map(|found| format!("{}: {}", &*found.key, &*found.value)).collect(),
            None => Vec::new(),
        };
        let texts = [
            (&self.title, vec![title]),
            (&self.body, vec![body]),
            (&self.author, author.iter().map(String::as_str).collect()),
            (&self.trailer, lines.iter().map(String::as_str).collect()),
        ];
        let mut groups = None;
        for (pattern, texts) in &texts {
            let Some(pattern) = pattern else { continue };
            let found = texts.iter().find_map(|text| pattern.regex().captures(text))?;
            groups.get_or_insert(found);
        }
        let groups = groups?;
        if self.skip {
            return Some(RuleMatch { category: None, scope: None, has_scope: false, title });
        }
        let category = Some(expand(&groups, self.category.as_deref()?)).filter(|category| !category.is_empty())?;
        let scope = self.scope.as_deref().map(|scope| expand(&groups, scope)).filter(|scope| !scope.is_empty());
        let named = self.title.as_ref().and_then(|_| groups.get(0)).filter(|whole| whole.start() == 0);
        let has_scope = self.scope.is_some();
        let rest = named.filter(|_| has_scope).map(|whole| title[whole.end()..].trim_start());
        let title = rest.filter(|rest| !rest.is_empty()).unwrap_or(title);
        Some(RuleMatch { category: Some(category), scope, has_scope, title })
    }
}

fn expand(groups: &Captures<'_>, text: &str) -> String {
    let mut expanded = String::new();
    groups.expand(text, &mut expanded);
    expanded.trim().to_owned()
}
