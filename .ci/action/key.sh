#!/usr/bin/env bash
# Names what `install: source` builds by all that goes into it, so that the same program is built once. The component
# below `templates` does not: a release writes its digests there.
set -euo pipefail
cd "$GITHUB_ACTION_PATH"

digest() {
    if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -d ' ' -f 1
}

files=$(find Cargo.toml Cargo.lock src templates -type f ! -path 'templates/changelog/*' | LC_ALL=C sort)
key=$(while IFS= read -r file; do printf '%s\n' "$file" && cat -- "$file"; done <<<"$files" | digest)
printf 'key=tidings-%s-%s-%s\n' "${RUNNER_OS:-$(uname -s)}" "${RUNNER_ARCH:-$(uname -m)}" "$key" >>"$GITHUB_OUTPUT"
