//! Remotes as git takes them.

use crate::{
    git::{Repo, remote},
    support::TestRepo,
};

#[test]
fn a_remote_whose_name_begins_with_a_dash_is_no_option() {
    let repo = TestRepo::new();
    let head = repo.commit("Raise the mast").parse().unwrap();
    repo.git(&["init", "-q", "--bare", "../origin.git"]);
    let mark = repo.beside("mark");
    for option in ["receive-pack", "upload-pack", "exec"] {
        let name = format!("--{option}=touch '{}' #", mark.display());
        repo.git(&["config", &format!("remote.{name}.url"), "../origin.git"]);
        let opened = Repo::open_isolated(repo.path()).unwrap();
        remote::push(&opened, &name, &[format!("+{head}:refs/heads/main")]).unwrap();
        remote::fetch_branch(&opened, &name, "refs/heads/main").unwrap();
        let branch = format!("refs/heads/{option}");
        remote::push_with_lease(&opened, &name, &branch, Some(head), None).unwrap();
        assert!(remote::ls_remote(&opened, &name).unwrap().contains_key(&branch));
        assert!(!mark.exists(), "{name}");
    }
}
