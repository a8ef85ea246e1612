#!/usr/bin/env bash
# Runs tidings as the inputs of the action say, and hands on what it answers.
#
# Inputs come as environment variables and stay data: ACTION_FLAG_X=true is `--x`, ACTION_COUNT_X=2 is it twice,
# ACTION_OPTION_X=v is `--x=v`, a line of ACTION_LIST_X is `--x=LINE` each, and ACTION_ARGUMENT_X comes after the options.
# Works with the bash 3.2 of macOS and Git's bash on Windows.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
temporary=${RUNNER_TEMP:-/tmp}
answer=$(mktemp "$temporary/tidings-answer.XXXXXX")
messages=$(mktemp "$temporary/tidings-messages.XXXXXX")
# The releases in the answer.
found=$answer
merged=$(mktemp "$temporary/tidings-merged.XXXXXX")
trap 'rm -f "$answer" "$messages" "$merged"' EXIT
summary_file=${GITHUB_STEP_SUMMARY:-/dev/null}
# A summary and an output may have 1 MiB.
most=1000000
# Whether the outputs are set.
has_outputs=

fail() {
    printf '::error title=tidings::%s\n' "$1"
    [ -n "$has_outputs" ] || hand_on_nothing
    exit 2
}

# Removes blanks and line ends around a value.
trim() {
    local value=${1#"${1%%[![:space:]]*}"}
    printf %s "${value%"${value##*[![:space:]]}"}"
}

random() {
    od -An -N16 -tx1 /dev/urandom | tr -d ' \n'
}

# ACTION_FLAG_DRY_RUN is --dry-run.
option() {
    printf -- '--%s' "${1#ACTION_*_}" | tr 'A-Z_' 'a-z-'
}

# Runs a command whose output is data: a line that looks like a workflow command must not be one.
as_data() {
    local token code=0
    token=$(random)
    printf '::stop-commands::%s\n' "$token"
    "$@" || code=$?
    printf '\n::%s::\n' "$token"
    return "$code"
}

# The answer is a release, or a list of them.
releases() {
    local first several=false planned=false
    [ "$verb-$executes" != release-false ] || planned=true
    first=$(head -c 1 "$found")
    [ "$first" != '[' ] || several=true
    # The delimiter cannot be guessed, so no value can end itself and set another output.
    printf '{"delimiter":"end_%s","several":%s,"planned":%s,"releases":' "$(random)" "$several" "$planned"
    if [ "$several" = true ]; then cat "$found"; else printf '[%s]' "$(cat "$found")"; fi
    printf '}'
}

# Part of the answer, by the template of that name. Named from its own directory: no drive letter, no translated path.
part() {
    releases | (cd "$here" && tidings render --data - --template "$1.hbs")
}

# The answer about a request by a template.
of_request() {
    (cd "$here" && tidings render --data - --template "$1.hbs") <"$answer"
}

# Sets the outputs about a request, keeps what to show of it in `request`, and takes the releases that its merge made.
hand_on_request() {
    local number url
    {
        IFS= read -r number
        # The last line of the answer, if there is nothing to show, has no end.
        IFS= read -r url || true
        request=$(cat)
    } <<<"$(of_request request)"
    set_output request "$number"
    set_output request_url "$url"
    of_request merged >"$merged"
    found=$merged
}

# The lines that fit into an output or the summary.
cut_to_fit() {
    LC_ALL=C awk -v most="$most" '
        (size += length($0) + 1) <= most { print; next }
        !cut++ { print "\nThe rest is in the file that the output `notes_file` names." }
    '
}

# set_output NAME VALUE
set_output() {
    local delimiter
    delimiter=end_$(random)
    printf '%s<<%s\n%s\n%s\n' "$1" "$delimiter" "$2" "$delimiter" >>"$GITHUB_OUTPUT"
}

# Puts stdin into the file of the input `output`, whole or not at all.
write_output() {
    local file=${ACTION_OPTION_OUTPUT:-} new
    case $file in
    '' | -) return ;;
    /* | [A-Za-z]:*) ;;
    *) file=${ACTION_DIRECTORY:-.}/$file ;;
    esac
    new=$file.$(random)
    { cat >"$new" && mv -f "$new" "$file"; } 2>/dev/null || fail "cannot write the output file $file"
}

# Sets the outputs, writes the summary, and shows both in the log.
hand_on() {
    local notes notes_file text shown each changed request=
    [ "$verb-$asks" != release-true ] || hand_on_request
    part outputs >>"$GITHUB_OUTPUT"
    each=$(part releases)
    changed=$(grep '"changed":true}$' <<<"$each" || true)
    set_output releases "[$(paste -s -d , - <<<"$each")]"
    set_output released "[$(paste -s -d , - <<<"$changed")]"
    if [ -n "$changed" ]; then set_output changed true; else set_output changed false; fi
    has_outputs=true
    notes=$(part notes)
    set_output notes "$(printf '%s\n' "$notes" | cut_to_fit)"
    notes_file=$(mktemp "$temporary/tidings-notes.XXXXXX")
    printf '%s\n' "$notes" >"$notes_file"
    set_output notes_file "$notes_file"

    text=$(part summary)
    shown=$text
    # The notes are in the summary; the log has the whole plan.
    [ "$verb-$executes" != release-false ] || shown=$(part plan)
    if [ -n "$request" ]; then
        text=$request${text:+$'\n\n'$text}
        shown=$request${shown:+$'\n\n'$shown}
    fi
    if [ "$format" = json ]; then write_output <"$answer"; else part text | write_output; fi
    if [ "$format" = json ]; then as_data cat "$answer"; elif [ -n "$shown" ]; then as_data printf '%s\n' "$shown"; fi
    [ -z "$text" ] || printf '%s\n' "$text" | cut_to_fit >>"$summary_file"
}

# Without an answer the outputs are still what a condition or a matrix can read.
hand_on_nothing() {
    set_output changed false
    set_output releases '[]'
    set_output released '[]'
    has_outputs=true
}

# Shows the error that the program ended with as an annotation. It is the last message.
annotate_error() {
    local text
    # shellcheck disable=SC2016 # for awk
    text=$(sed "s/$(printf '\033')\\[[0-9;]*m//g" "$messages" | LC_ALL=C awk '
        /^error: / { text = substr($0, 8); found = 1; next }
        found { text = text "\n" $0 }
        END {
            text = substr(text, 1, 4000)
            gsub(/%/, "%25", text); gsub(/\r/, "%0D", text); gsub(/\n/, "%0A", text)
            print text
        }
    ')
    [ -z "$text" ] || printf '::error title=tidings::%s\n' "$text"
}

# Commits are made in the name of the job, unless somebody is named already.
identify() {
    local host=${GITHUB_SERVER_URL:-https://github.com} name email
    host=${host#*://}
    (cd "${ACTION_DIRECTORY:-.}" && cd "${ACTION_OPTION_REPO:-.}" && git config --get-regexp '^user\.(name|email)$') >/dev/null 2>&1 && return
    [ -z "${GIT_AUTHOR_NAME:-}${GIT_AUTHOR_EMAIL:-}${GIT_COMMITTER_NAME:-}${GIT_COMMITTER_EMAIL:-}" ] || return 0
    name='github-actions[bot]'
    case $host-${GITEA_ACTIONS:-}${FORGEJO_ACTIONS:-} in
    github.com-) email='41898282+github-actions[bot]@users.noreply.github.com' ;;
    *-) email="github-actions[bot]@users.noreply.${host%%[/:]*}" ;;
    *)
        name=actions
        email=actions@noreply.${host%%[/:]*}
        ;;
    esac
    export GIT_AUTHOR_NAME=$name GIT_AUTHOR_EMAIL=$email GIT_COMMITTER_NAME=$name GIT_COMMITTER_EMAIL=$email
}

# The lines of a check are workflow commands, and show up as annotations.
annotate() {
    cat "$answer"
    write_output <"$answer"
    if [ "$code" = 0 ]; then
        echo 'Every commit message is as it should be.'
    else
        sed 's/^::error title=/- /; s/::/: /' "$answer"
    fi >>"$summary_file"
}

# Adds `--asset=FILE` for a line of that input; a pattern stands for the files that it matches. A file whose name a
# forge would change gets the name that GitHub gives it, since a pattern cannot name it.
add_asset() {
    local file files name is_pattern=
    if [ "${RUNNER_OS:-}" = Windows ]; then set -- "${1//\\//}"; fi
    case $1 in
    *=*) files=$1 ;;
    *[*?[]*)
        is_pattern=true
        files=$(cd "${ACTION_DIRECTORY:-.}" && compgen -G "$1" | LC_ALL=C sort) || fail "no file matches the asset $1"
        ;;
    *) files=$1 ;;
    esac
    while IFS= read -r file; do
        name=$(printf %s "${file##*/}" | LC_ALL=C tr -c 'A-Za-z0-9._+-' '.')
        name=${name#.}
        name=${name%.}
        # A name that is given, or that stays, is not repeated.
        if [ -z "$is_pattern" ] || { [ "$name" = "${file##*/}" ] && [ "${file#*=}" = "$file" ]; }; then name=; fi
        line+=("--asset=$file${name:+=$name}")
    done <<<"$files"
}

# Adds the options that the inputs ask for, except those that this script sees to.
add_options() {
    local variable value
    for variable in "${!ACTION_FLAG_@}"; do
        case $variable-$verb in
        # Without a release these end in 5 anyway, and have no such option.
        ACTION_FLAG_FAIL_ON_EMPTY-next | ACTION_FLAG_FAIL_ON_EMPTY-release) continue ;;
        esac
        value=$(trim "${!variable}" | tr '[:upper:]' '[:lower:]')
        case $value in
        true) line+=("$(option "$variable")") ;;
        false | '') ;;
        *) fail "$(option "$variable") takes true or false" ;;
        esac
    done
    for variable in "${!ACTION_COUNT_@}"; do
        value=$(trim "${!variable}" | tr '[:upper:]' '[:lower:]')
        case $value in
        true) value=1 ;;
        false | '') value=0 ;;
        [0-9]) ;;
        *) fail "$(option "$variable") takes true, false or a number" ;;
        esac
        while [ "$value" -gt 0 ]; do
            line+=("$(option "$variable")")
            value=$((value - 1))
        done
    done
    for variable in "${!ACTION_OPTION_@}"; do
        case $variable-$kind in
        ACTION_OPTION_FORMAT-releases | ACTION_OPTION_OUTPUT-releases | ACTION_OPTION_OUTPUT-annotations) continue ;;
        esac
        value=${!variable}
        # A message may have several paragraphs, and ends where it ends.
        [ "$variable" = ACTION_OPTION_MESSAGE ] || value=$(trim "$value")
        [ -z "$value" ] || line+=("$(option "$variable")=$value")
    done
    for variable in "${!ACTION_LIST_@}"; do
        while IFS= read -r value; do
            value=$(trim "$value")
            case $variable-$value in
            *-) ;;
            ACTION_LIST_ASSET-*) add_asset "$value" ;;
            *) line+=("$(option "$variable")=$value") ;;
            esac
        done <<<"${!variable}"
    done
}

# The command, and whether a release is executed; both are needed to report a wrong input.
verb=
executes=false
asks=false
[ "$(trim "${ACTION_FLAG_EXECUTE:-}" | tr '[:upper:]' '[:lower:]')" != true ] || executes=true
# Whether a release goes by a request.
[ "$(trim "${ACTION_FLAG_REQUEST:-}" | tr '[:upper:]' '[:lower:]')" != true ] || asks=true
command=$(trim "${ACTION_COMMAND:-}")
command=${command:-show}
case $command in
*[!a-z\ -]* | -* | *' -'*) fail 'the input command takes the words of a command; its options are inputs' ;;
esac
read -ra words <<<"$command"
verb=${words[0]}
# A directory is no option.
case ${ACTION_DIRECTORY:-} in -*) ACTION_DIRECTORY=./$ACTION_DIRECTORY ;; esac
format=${ACTION_OPTION_FORMAT:-}
# What comes of the answer: outputs, annotations, or nothing but the log.
kind=log
case $verb-$format in
show- | show-json | show-text | add- | add-json | add-text | notes- | notes-json | notes-text | base- | base-json | base-text) kind=releases ;;
next- | next-json | next-text | release- | release-json | release-text) kind=releases ;;
check- | check-github) kind=annotations ;;
esac

line=(tidings)
[ -z "${ACTION_DIRECTORY:-}" ] || line+=(-C "$ACTION_DIRECTORY")
line+=("${words[@]}")
case $kind in
releases) line+=(--format=json) ;;
annotations) [ -n "$format" ] || line+=(--format=github) ;;
esac
add_options
line+=(--)
for variable in "${!ACTION_ARGUMENT_@}"; do
    value=$(trim "${!variable}")
    [ -z "$value" ] || line+=("$value")
done
case $verb in add | release) identify ;; esac

# Its messages go the way of the log, since they may quote what somebody else wrote.
# shellcheck disable=SC2329 # called through as_data
run() {
    { MSYS2_ARG_CONV_EXCL='*' "${line[@]}" 2>&1 >"$answer"; } | tee "$messages"
}

printf '::group::'
printf ' %q' "${line[@]}"
printf '\n'
code=0
as_data run || code=$?
printf '::endgroup::\n'

case $kind in
annotations) annotate ;;
releases) if [ -s "$answer" ]; then hand_on; else hand_on_nothing; fi ;;
*) as_data cat "$answer" ;;
esac
# It is not a failure if there is nothing to release, unless it was asked to be one.
case $code-$kind in
5-*)
    if [ "${ACTION_FLAG_FAIL_ON_EMPTY:-}" != true ]; then
        echo '::notice title=tidings::there is nothing to release'
        code=0
    else
        annotate_error
    fi
    ;;
# What a check finds is annotated already.
0-* | 3-annotations) ;;
*) annotate_error ;;
esac
exit "$code"
