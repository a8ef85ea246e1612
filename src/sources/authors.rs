//! The authors of entries: `authors` of the configuration, and the no-reply addresses of forges.

use std::collections::HashMap;

use indexmap::IndexMap;

use crate::{
    config::AuthorRule,
    model::{Author, Person, Project, is_digits},
};

/// The sources that the author of a commit is resolved from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AuthorResolver<'a> {
    /// The configured authors, by e-mail address in lower case.
    pub known: &'a IndexMap<String, AuthorRule>,
    /// The project whose host has no-reply addresses that contain user names.
    pub project: &'a Project,
}

impl AuthorResolver<'_> {
    /// Returns the author for a name and an e-mail address that `.mailmap` has corrected already.
    pub(crate) fn author(&self, person: &Person) -> Author {
        let email = person.email.to_lowercase();
        let known = self.known.get(&email).cloned().unwrap_or_default();
        let reference = known.reference.or_else(|| self.no_reply_user(&email).map(|user| format!("@{user}")));
        Author {
            name: person.name.clone(),
            email: person.email.clone(),
            reference,
            contributor: known.contributor,
            credit: known.contributor,
        }
    }

    /// Maps each person to the index of the first entry for the same person: one with the same address, the same user
    /// name, or the same name of more than one word, since many people are called `Ida`.
    pub(crate) fn identify(&self, people: &[Person]) -> Vec<usize> {
        let mut first: HashMap<String, usize> = HashMap::new();
        let mut same: Vec<usize> = (0..people.len()).collect();
        for (index, person) in people.iter().enumerate() {
            let author = self.author(person);
            let name = person.name.contains(' ').then(|| person.name.to_lowercase());
            let keys = [Some(author.email.to_lowercase()), author.reference.map(|user| user.to_lowercase()), name];
            for key in keys.into_iter().flatten().filter(|key| !key.is_empty()) {
                let (other, own) = (root(&same, *first.entry(key).or_insert(index)), root(&same, index));
                same[own.max(other)] = own.min(other);
            }
        }
        (0..people.len()).map(|index| root(&same, index)).collect()
    }

    /// Returns the user in a no-reply address of the project's host, such as `12345+user@users.noreply.github.com`,
    /// `12345-user@users.noreply.gitlab.example` or `user@noreply.codeberg.org`.
    fn no_reply_user<'m>(&self, email: &'m str) -> Option<&'m str> {
        let (local, domain) = email.split_once('@')?;
        let host = domain.strip_prefix("users.").unwrap_or(domain).strip_prefix("noreply.")?;
        let (_, own_host) = self.project.host().split_once("://").unwrap_or_default();
        if !own_host.is_empty() && own_host.split(':').next() != Some(host) {
            return None;
        }
        let without_id = |(id, user): (&str, &'m str)| is_digits(id).then_some(user);
        let user = local.split_once('+').and_then(without_id).or_else(|| local.split_once('-').and_then(without_id));
        Some(user.unwrap_or(local)).filter(|user| !user.is_empty())
    }
}

/// Returns the last index of a chain in `same`, in which each index refers to an earlier one of the same person.
fn root(same: &[usize], mut index: usize) -> usize {
    while same[index] != index {
        index = same[index];
    }
    index
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reference(email: &str, host: &str) -> Option<String> {
        let known = IndexMap::from([(
            "ida@harbor.example".to_owned(),
            AuthorRule { reference: Some("@ida".into()), contributor: true },
        )]);
        let people = AuthorResolver { known: &known, project: &Project::new(host, "harbor/pilot") };
        people.author(&Person { name: "I".into(), email: email.into() }).reference
    }

    #[test]
    fn the_configuration_names_authors_by_address_in_any_case() {
        assert_eq!(reference("Ida@Harbor.example", "").as_deref(), Some("@ida"));
        assert_eq!(reference("olaf@harbor.example", ""), None);
    }

    #[test]
    fn one_person_may_have_several_names_and_addresses() {
        let person = |(name, email): (&str, &str)| Person { name: name.into(), email: email.into() };
        let (known, project) = (IndexMap::new(), Project::new("https://github.com", "harbor/pilot"));
        let people = AuthorResolver { known: &known, project: &project };
        let all = [
            ("Ida Lund", "ida@x"),
            ("ida", "7+ida@users.noreply.github.com"),
            ("Olaf", "olaf@x"),
            ("Olaf", "olaf@y"),
            ("", ""),
            ("ida lund", "8+Ida@users.noreply.github.com"),
            ("", ""),
        ];
        assert_eq!(people.identify(&all.map(person)), [0, 0, 2, 3, 4, 0, 6]);
    }

    #[test]
    fn no_reply_addresses_of_the_host_contain_the_user() {
        for (email, host, expected) in [
            ("123+olaf@users.noreply.github.com", "https://github.com", Some("@olaf")),
            ("olaf@users.noreply.github.com", "https://github.com", Some("@olaf")),
            ("77-olaf-b@users.noreply.git.example.org", "https://git.example.org:8443", Some("@olaf-b")),
            ("olaf@noreply.codeberg.org", "", Some("@olaf")),
            ("123+olaf@users.noreply.github.com", "https://gitlab.com", None),
            ("123+@users.noreply.github.com", "https://github.com", None),
            ("olaf@example.org", "https://github.com", None),
        ] {
            assert_eq!(reference(email, host).as_deref(), expected, "{email}");
        }
    }
}
