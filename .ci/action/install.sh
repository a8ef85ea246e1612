#!/usr/bin/env bash
# Puts tidings on the PATH of the job: the released binary that the action itself names, or another one that is asked for.
# Only `install: source` builds it. Works with the bash 3.2 of macOS, in Git's bash on Windows, and on runners that only
# resemble GitHub's.
# shellcheck disable=SC2016 # the backquotes of messages are for their reader
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
pinned=$here/released.txt
wanted=${ACTION_INSTALL:-}
home=${RUNNER_TEMP:-/tmp}/tidings

fail() {
    printf '::error title=tidings::%s\n' "$1"
    exit 1
}

# The platform of this runner, as the archives name it.
target() {
    local system=${RUNNER_OS:-$(uname -s)} processor=${RUNNER_ARCH:-$(uname -m)}
    case $processor in
    X64 | x86_64 | amd64) processor=x86_64 ;;
    ARM64 | aarch64 | arm64) processor=aarch64 ;;
    *) return 1 ;;
    esac
    case $system in
    Linux) echo "$processor-unknown-linux-musl" ;;
    macOS | Darwin) echo "$processor-apple-darwin" ;;
    # Windows on ARM runs the programs of x86_64.
    Windows | MINGW* | MSYS*) echo x86_64-pc-windows-msvc ;;
    *) return 1 ;;
    esac
}

# What the release wrote down for this copy of the action: `version`, `repository`, `server`, or the name of an archive.
pinned() {
    sed -n "s/^$1  *//p" "$pinned" | tr -d '\r'
}

# Digests are read from stdin: a name with a backslash or a drive letter would change what the tools print and open.
digest() {
    if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -d ' ' -f 1
}

lower() {
    tr 'A-F' 'a-f'
}

fetch() {
    curl --proto '=https' --tlsv1.2 --fail --silent --show-error --location --retry 3 --output "$2" "$1"
}

# Whether the archive was made by the project's own workflow, where there is something that can know.
attest() {
    [ "$1" = https://github.com ] && [ -n "${GH_TOKEN:-}" ] || return 0
    gh attestation verify --help >/dev/null 2>&1 || return 0
    gh attestation verify "$3" --repo "$2" >/dev/null || fail "no workflow of $2 attests to ${3##*/}"
}

# download VERSION (or `latest`): a release that is asked for must be there, and be what it should be.
download() {
    local name file expected url server repository place=download/v$1
    name=$(target) || fail "there is no binary for ${RUNNER_OS:-$(uname -s)} on ${RUNNER_ARCH:-$(uname -m)}; \`install: source\` builds one"
    name=tidings-$name.tar.gz
    server=$(pinned server)
    repository=$(pinned repository)
    server=${server:-${GITHUB_SERVER_URL:-https://github.com}}
    repository=${repository:-${ACTION_REPOSITORY:-}}
    [ "$1" != latest ] || place=latest/download
    url=$server/$repository/releases/$place/$name
    file=$home/$name
    fetch "$url" "$file" || fail "there is no binary of release $1 for ${RUNNER_OS:-this system} on ${RUNNER_ARCH:-this processor}: $url"
    expected=${ACTION_SHA256:-}
    [ -n "$expected" ] || [ "$1" != "$(pinned version)" ] || expected=$(pinned "$name")
    if [ -z "$expected" ]; then
        fetch "$url.sha256" "$file.sha256" || fail "release $1 has no checksum of $name"
        expected=$(cut -d ' ' -f 1 <"$file.sha256")
    fi
    expected=$(printf %s "$expected" | lower)
    [ "$(digest <"$file")" = "$expected" ] || fail "the checksum of $url is not $expected"
    attest "$server" "$repository" "$file"
    # Relative and through stdin: to tar a drive letter is another host's name.
    (cd "$bin" && tar -xzf - --strip-components 1) <"$file"
}

build() {
    command -v cargo >/dev/null || fail '`install: source` takes Rust, which is not on this runner'
    echo '::notice title=tidings::building from source; a released binary is there in a second'
    cargo install --locked --path "$GITHUB_ACTION_PATH" --root "${bin%/bin}"
}

case $wanted in
source) [ -z "${ACTION_SHA256:-}" ] || fail '`sha256` is of a released binary; `install: source` builds another' ;;
'')
    wanted=$(pinned version)
    [ -n "$wanted" ] || fail 'this commit of the action names no release; take a released version, or build it with `install: source`'
    ;;
latest) ;;
*)
    wanted=${wanted#v}
    [[ $wanted =~ ^[0-9]+\.[0-9]+\.[0-9]+([-+][0-9A-Za-z.+-]+)?$ ]] || fail "\`install\` takes a version, latest or source"
    ;;
esac

# One job may use the action many times, and with other wishes: each has a place of its own.
bin=$home/$wanted/bin
if [ ! -e "$bin/tidings" ] && [ ! -e "$bin/tidings.exe" ]; then
    mkdir -p "$bin"
    if [ "$wanted" = source ]; then build; else download "$wanted"; fi
fi
printf '%s\n' "$bin" >>"$GITHUB_PATH"
