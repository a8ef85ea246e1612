#!/usr/bin/env bash
# Puts tidings on the PATH of the job: a released binary for this runner, else one built from the action's own source.
set -euo pipefail

home=$RUNNER_TEMP/tidings
mkdir -p "$home/bin"

fail() {
    printf '::error title=tidings::%s\n' "$1"
    exit 1
}

# The platform of this runner, as Rust names it.
target() {
    case $RUNNER_OS-$RUNNER_ARCH in
    Linux-X64) echo x86_64-unknown-linux-gnu ;;
    Linux-ARM64) echo aarch64-unknown-linux-gnu ;;
    macOS-X64) echo x86_64-apple-darwin ;;
    macOS-ARM64) echo aarch64-apple-darwin ;;
    Windows-X64) echo x86_64-pc-windows-msvc ;;
    *) return 1 ;;
    esac
}

digest() {
    if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

fetch() {
    curl --proto '=https' --tlsv1.2 --fail --silent --show-error --location --retry 3 --output "$2" "$1"
}

# Fails where there is no binary of this release for this runner; a wrong one ends the job.
download() {
    local name file expected url
    name=tidings-$(target).tar.gz || return 1
    url=$GITHUB_SERVER_URL/$ACTION_REPOSITORY/releases/download/$1/$name
    file=$home/$name
    fetch "$url" "$file" || return 1
    expected=${ACTION_SHA256:-}
    if [ -z "$expected" ]; then
        fetch "$url.sha256" "$file.sha256" || fail "release $1 has no checksum of $name"
        expected=$(cut -d ' ' -f 1 "$file.sha256")
    fi
    [ "$(digest "$file")" = "$expected" ] || fail "the checksum of $url is not $expected"
    tar -xzf "$file" -C "$home/bin"
}

build() {
    command -v cargo >/dev/null || fail 'there is neither a released binary for this runner nor Rust to build one'
    cargo install --quiet --locked --path "$GITHUB_ACTION_PATH" --root "$home"
}

install() {
    case ${ACTION_INSTALL:-} in
    source) build ;;
    '')
        # The action's own release, where it is used at one.
        case ${ACTION_REF:-} in
        v[0-9]*.[0-9]*.[0-9]*) download "$ACTION_REF" || build ;;
        *) build ;;
        esac
        ;;
    *) download "$ACTION_INSTALL" || fail "there is no binary of release $ACTION_INSTALL for $RUNNER_OS on $RUNNER_ARCH" ;;
    esac
}

# One job may use the action many times.
if [ ! -e "$home/bin/tidings" ] && [ ! -e "$home/bin/tidings.exe" ]; then
    install
fi
printf '%s\n' "$home/bin" >>"$GITHUB_PATH"
