# shellcheck shell=bash
# What `compare` and `guard` share: generated repositories, and races of whole processes. Each round runs both commands,
# one after the other, so that a busy machine slows both alike.

export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
trailers='--format=%H%x00%(trailers:unfold,separator=%x00)'

if [ -z "${TIDINGS:-}" ]; then
    cargo build --profile dist --quiet --manifest-path "$root/Cargo.toml"
    TIDINGS=${CARGO_TARGET_DIR:-$root/target}/dist/tidings
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Measured as it is when installed: what a linker has just written lies in memory in small pieces and starts slower.
cp "$TIDINGS" "$work/tidings"
TIDINGS=$work/tidings

# milliseconds COMMAND...: how long it takes.
milliseconds() {
    local start=$EPOCHREALTIME
    "$@" >/dev/null 2>&1
    local end=$EPOCHREALTIME
    echo $((${end/./} - ${start/./})) | awk '{ printf "%.3f\n", $1 / 1000 }'
}

# race GIT... ::: TIDINGS...: the fastest and the median round of each, in milliseconds: `git ours git ours`.
race() {
    local git_command=() round
    while [ "$1" != ::: ]; do
        git_command+=("$1")
        shift
    done
    shift
    : >"$work/git"
    : >"$work/ours"
    # What fails is quick; and what is read for the first time is slow.
    "$@" >/dev/null 2>"$work/errors" || { cat "$work/errors" >&2 && exit 1; }
    for round in $(seq "$rounds"); do
        milliseconds "${git_command[@]}" >>"$work/git"
        milliseconds "$@" >>"$work/ours"
    done
    paste <(sort -n "$work/git") <(sort -n "$work/ours") | awk '
        { git[NR] = $1; ours[NR] = $2 }
        END { middle = int((NR + 1) / 2); print git[1], ours[1], git[middle], ours[middle] }'
}

# The beginning of a commit in the stream of `git fast-import`, one in `every` with a trailer, none for 0.
commit_in_awk='
    function commit(number, every) {
        body = "The wick was trimmed too early, so that the flame went out\nbefore dawn. It is now trimmed at sunrise.\n"
        who = "Ida <ida@harbor.example> " 1600000000 + number * 60 " +0000"
        message = number ": Keep the lamp lit\n\n" body "\n" (every && number % every == 0 ? "Changelog: fixed\n" : "") \
            "Signed-off-by: Ida <ida@harbor.example>\n"
        printf "commit refs/heads/main\nmark :%d\nauthor %s\ncommitter %s\n", number, who, who
        printf "data %d\n%s\n", length(message), message
    }
'

# generate DIRECTORY COMMITS [EVERY]: a bare repository in which every eighth commit merges a side branch; one in EVERY has
# a trailer, by default every fifth.
generate() {
    git init -q --bare -b main "$1"
    awk -v commits="$2" -v every="${3-5}" "$commit_in_awk"'
        BEGIN {
            for (number = 1; number <= commits; number++) {
                commit(number, every)
                if (number > 1) printf "from :%d\n", number % 8 == 7 ? number - 5 : number - 1
                if (number > 8 && number % 8 == 0) printf "merge :%d\n", number - 2
                if (number % 50 == 0) printf "\nreset refs/tags/v1.%d.0\nfrom :%d\n\nreset refs/heads/main\nfrom :%d\n", number / 50, number, number
                print ""
            }
        }' | git -C "$1" fast-import --quiet --force
    git -C "$1" pack-refs --all
    git -C "$1" repack -adq
}

# generate_packages DIRECTORY COMMITS PACKAGES: a bare repository of packages. Each commit changes one or two of them,
# every tenth has a trailer; each package has a tag at the first commit.
generate_packages() {
    git init -q --bare -b main "$1"
    awk -v commits="$2" -v packages="$3" "$commit_in_awk"'
        BEGIN {
            srand(7)
            settings = "packages:\n"
            for (p = 0; p < packages; p++)
                settings = settings "  p" p ":\n    paths: [packages/p" p "]\n    tag_prefix: p" p "/v\n"
            for (number = 1; number <= commits; number++) {
                commit(number, 10)
                if (number > 1) printf "from :%d\n", number - 1
                if (number == 1) {
                    printf "M 100644 inline .gitlab/changelog_config.yml\ndata %d\n%s\n", length(settings), settings
                    for (p = 0; p < packages; p++) printf "M 100644 inline packages/p%d/src/lib.rs\ndata 2\n0\n\n", p
                }
                for (changes = 1 + (number % 3 == 0); changes > 0; changes--) {
                    text = number "\n"
                    printf "M 100644 inline packages/p%d/src/lib.rs\ndata %d\n%s\n", int(rand() * packages), length(text), text
                }
                print ""
            }
            for (p = 0; p < packages; p++) printf "reset refs/tags/p%d/v1.0.0\nfrom :1\n\n", p
        }' | git -C "$1" fast-import --quiet --force
    git -C "$1" pack-refs --all
    git -C "$1" repack -adq
}

# generate_moves DIRECTORY COMMITS PACKAGES: as above, but each package moves to another directory after a third and after
# two thirds of the commits.
generate_moves() {
    git init -q --bare -b main "$1"
    awk -v commits="$2" -v packages="$3" "$commit_in_awk"'
        function at(number) { return int((number - 1) * 3 / commits) }
        BEGIN {
            srand(7)
            settings = "packages:\n"
            for (p = 0; p < packages; p++)
                settings = settings "  p" p ":\n    paths: [d2/p" p "]\n    tag_prefix: p" p "/v\n"
            for (number = 1; number <= commits; number++) {
                commit(number, 10)
                if (number > 1) printf "from :%d\n", number - 1
                if (number == 1) printf "M 100644 inline .gitlab/changelog_config.yml\ndata %d\n%s\n", length(settings), settings
                for (p = 0; p < packages; p++) {
                    if (number == 1) printf "M 100644 inline d0/p%d/src/lib.rs\ndata 2\n0\n\n", p
                    else if (at(number) > at(number - 1)) printf "R d%d/p%d d%d/p%d\n", at(number - 1), p, at(number), p
                }
                text = number "\n"
                printf "M 100644 inline d%d/p%d/src/other.rs\ndata %d\n%s\n", at(number), int(rand() * packages), length(text), text
                print ""
            }
            for (p = 0; p < packages; p++) printf "reset refs/tags/p%d/v1.0.0\nfrom :1\n\n", p
        }' | git -C "$1" fast-import --quiet --force
    git -C "$1" pack-refs --all
    git -C "$1" repack -adq
}

# generate_maintenance DIRECTORY COMMITS: a bare repository whose main branch has a release every 500 commits and merges a
# maintenance branch of the tenth one, which has releases of its own. The end of that branch, in the middle, is HEAD. The
# last commits of the main branch are release candidates.
generate_maintenance() {
    git init -q --bare -b main "$1"
    awk -v commits="$2" "$commit_in_awk"'
        function tag(name, mark) { printf "reset refs/tags/%s\nfrom :%d\n\n", name, mark }
        function maintain(number, at) {
            printf "commit refs/heads/maint\nmark :%d\ncommitter Ida <ida@harbor.example> %d +0000\n", commits + number, 1600000000 + at * 600
            printf "data 23\nMend\n\nChangelog: fixed\n\nfrom :%d\n\n", number == 1 ? 5000 : commits + number - 1
            if (number % 5 == 0) tag("v1.10." number / 5, commits + number)
        }
        BEGIN {
            for (number = 1; number <= commits; number++) {
                if (number > 5000 && number % 50 == 0 && number <= 10000) maintain(++mends, number)
                commit(number, 5)
                if (number > 1) printf "from :%d\n", number - 1
                if (number > 5000 && number % 250 == 0 && number <= 10000) printf "merge :%d\n", commits + mends
                print ""
                if (number % 500 == 0) { tag("v1." number / 500 ".0", number); printf "reset refs/heads/main\nfrom :%d\n\n", number }
            }
            maintain(++mends, commits)
            for (candidate = 1; candidate <= 5; candidate++) tag("v9.0.0-rc." candidate, commits - 5 + candidate)
        }' | git -C "$1" fast-import --quiet --force
    git -C "$1" symbolic-ref HEAD refs/heads/maint
    git -C "$1" pack-refs --all
    git -C "$1" repack -adq
}

# generate_tags DIRECTORY TAGS: a bare repository in which every commit is a release.
generate_tags() {
    git init -q --bare -b main "$1"
    awk -v tags="$2" "$commit_in_awk"'
        BEGIN {
            for (number = 1; number <= tags; number++) {
                commit(number, 1)
                if (number > 1) printf "from :%d\n", number - 1
                printf "\nreset refs/tags/v%d.%d.%d\nfrom :%d\n\nreset refs/heads/main\nfrom :%d\n\n", \
                    1 + number / 10000, number / 100 % 100, number % 100, number, number
            }
        }' | git -C "$1" fast-import --quiet --force
    git -C "$1" pack-refs --all
    git -C "$1" repack -adq
}

# generate_change_files DIRECTORY COMMITS [PACKAGES]: a bare repository in which every commit after the first, tagged one
# adds a change file, of one of so many packages.
generate_change_files() {
    git init -q --bare -b main "$1"
    awk -v commits="$2" -v packages="${3:-0}" "$commit_in_awk"'
        BEGIN {
            srand(7)
            settings = "source: files\npackages:\n"
            for (p = 0; p < packages; p++)
                settings = settings "  p" p ":\n    paths: [packages/p" p "]\n    tag_prefix: p" p "/v\n"
            for (number = 1; number <= commits; number++) {
                commit(number, 0)
                if (number > 1) printf "from :%d\n", number - 1
                package = packages ? "p" int(rand() * packages) : "harbor"
                text = number == 1 ? "{}\n" : "---\n\"" package "\": minor\n---\n\nAdd lamp " number "\n"
                name = number == 1 ? "config.json" : int(rand() * 100000) "-" number ".md"
                if (number == 1 && packages)
                    printf "M 100644 inline .gitlab/changelog_config.yml\ndata %d\n%s\n", length(settings), settings
                printf "M 100644 inline .changeset/%s\ndata %d\n%s\n\n", name, length(text), text
                if (number == 1) printf "reset refs/tags/v1.0.0\nfrom :1\n\nreset refs/heads/main\nfrom :1\n\n"
            }
            for (p = 0; p < packages; p++) printf "reset refs/tags/p%d/v1.0.0\nfrom :1\n\n", p
        }' | git -C "$1" fast-import --quiet --force
    git -C "$1" pack-refs --all
    git -C "$1" repack -adq
}
