#!/usr/bin/env bash
# Runs tidings as the inputs of the action say, and hands on what it answers.
#
# Inputs come as environment variables and stay data: ACTION_FLAG_X=true is `--x`, ACTION_OPTION_X=v is `--x=v`, a line of
# ACTION_LIST_X is `--x=LINE` each, and ACTION_ARGUMENT_X stands behind the options. Works with the bash 3.2 of macOS.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
answer=$(mktemp "$RUNNER_TEMP/tidings-answer.XXXXXX")
trap 'rm -f "$answer"' EXIT

fail() {
    printf '::error title=tidings::%s\n' "$1"
    exit 2
}

random() {
    od -An -N16 -tx1 /dev/urandom | tr -d ' \n'
}

# ACTION_FLAG_DRY_RUN is --dry-run.
option() {
    printf -- '--%s' "${1#ACTION_*_}" | tr 'A-Z_' 'a-z-'
}

# A line of data that looks like a workflow command must not be one.
print_as_data() {
    local token
    token=$(random)
    printf '::stop-commands::%s\n' "$token"
    cat
    printf '\n::%s::\n' "$token"
}

# Part of the JSON answer, by the template of that name.
part() {
    tidings render --data - --template "$here/$1.hbs" <"$answer"
}

# The delimiter cannot be guessed, so no value can end itself and set another output.
set_output() {
    local delimiter
    delimiter=end_$(random)
    printf '%s<<%s\n%s\n%s\n' "$1" "$delimiter" "$2" "$delimiter" >>"$GITHUB_OUTPUT"
}

# Sets the outputs, writes the summary, and shows both in the log.
hand_on() {
    local name summary
    for name in version tag notes; do
        set_output "$name" "$(part "$name")"
    done
    if [ -n "$(part changed)" ]; then set_output changed true; else set_output changed false; fi
    summary=$(part summary)
    if [ -n "$summary" ]; then
        printf '%s\n' "$summary" | tee -a "$GITHUB_STEP_SUMMARY" | print_as_data
    else
        print_as_data <"$answer"
    fi
}

# The lines of a check are workflow commands, and show up as annotations.
annotate() {
    cat "$answer"
    if [ "$code" = 0 ]; then
        echo 'Every commit message is as it should be.'
    else
        sed 's/^::error title=/- /; s/::/: /' "$answer"
    fi >>"$GITHUB_STEP_SUMMARY"
}

line=(tidings)
[ -z "${ACTION_DIRECTORY:-}" ] || line+=(-C "$ACTION_DIRECTORY")
line+=("${ACTION_COMMAND:-show}")

format=${ACTION_OPTION_FORMAT:-}
if [ -z "$format" ]; then
    format=json
    [ "${ACTION_COMMAND:-}" != check ] || format=github
    line+=("--format=$format")
fi
for variable in "${!ACTION_FLAG_@}"; do
    case ${!variable} in
    true) line+=("$(option "$variable")") ;;
    false | '') ;;
    *) fail "$(option "$variable") takes true or false" ;;
    esac
done
for variable in "${!ACTION_OPTION_@}"; do
    [ -z "${!variable}" ] || line+=("$(option "$variable")=${!variable}")
done
for variable in "${!ACTION_LIST_@}"; do
    while IFS= read -r value; do
        [ -z "$value" ] || line+=("$(option "$variable")=$value")
    done <<<"${!variable}"
done
line+=(--)
for variable in "${!ACTION_ARGUMENT_@}"; do
    [ -z "${!variable}" ] || line+=("${!variable}")
done

printf '::group::'
printf ' %q' "${line[@]}"
printf '\n'
code=0
"${line[@]}" >"$answer" || code=$?
printf '::endgroup::\n'

case $format in
github) annotate ;;
json) [ ! -s "$answer" ] || hand_on ;;
*) print_as_data <"$answer" ;;
esac
# It is not a failure if there is nothing to release, unless it was asked to be one.
if [ "$code" = 5 ] && [ "${ACTION_FLAG_FAIL_ON_EMPTY:-}" != true ]; then
    code=0
fi
exit "$code"
