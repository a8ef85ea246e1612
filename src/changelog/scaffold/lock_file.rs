//! Lock files of TOML, in which each package is a table with its name, its version and where it comes from.

/// The packages of the repository itself that have this version.
pub(super) fn members<'a>(lock: &'a str, version: &str) -> Vec<&'a str> {
    let packages = lock.split("[[package]]").skip(1);
    let own =
        packages.filter(|package| field(package, "source").is_none() && field(package, "version") == Some(version));
    own.filter_map(|package| field(package, "name")).collect()
}

fn field<'a>(package: &'a str, name: &str) -> Option<&'a str> {
    let value = package.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = "))?;
    Some(value.trim_matches('"'))
}

/// What finds the versions of these packages; `None` where a name would mean something else in a regex.
pub(super) fn regex(names: &[&str]) -> Option<String> {
    let is_plain = |name: &&str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    let any = match names {
        [] => return None,
        [name] => (*name).to_owned(),
        names => format!("(?:{})", names.join("|")),
    };
    names.iter().all(is_plain).then(|| format!("^name = \"{any}\"\\nversion = \"(.*)\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_the_packages_that_come_from_nowhere_else() {
        let lock = "version = 4\n\n[[package]]\nname = \"a\"\nversion = \"1.2.0\"\ndependencies = [\n \"c\",\n]\n\n\
                    [[package]]\nname = \"b\"\nversion = \"1.2.0\"\n\n[[package]]\nname = \"old\"\nversion = \"0.1.0\"\n\n\
                    [[package]]\nname = \"c\"\nversion = \"1.2.0\"\nsource = \"registry+https://x\"\n";
        assert_eq!(members(lock, "1.2.0"), ["a", "b"]);
        assert_eq!(regex(&["a", "b"]).unwrap(), "^name = \"(?:a|b)\"\\nversion = \"(.*)\"");
        assert_eq!((regex(&[]), regex(&["a.b"])), (None, None));
    }
}
