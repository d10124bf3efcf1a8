#!/bin/sh
# Runs Oddtrick from a clean checkout; needs only Python 3.11 or newer.
#
#   ./do demo         check the shipped records, then build the site into ./site
#   ./do test         all checks: lint, types, law data, package, site, links, tests, browser
#   ./do test quick   the checks before each commit: those that need no built site, no browser and no package
#   ./do setup        only create .venv with all the tools, for work on the code
#
# The commands can be repeated at any time: .venv is created once and updated when pyproject.toml changes.

set -eu
unset CDPATH
cd "$(dirname "$0")"
HERE=$(pwd -P)
BIN=$HERE/.venv/bin
COMMAND=${1:-}
unset PYTHONPATH PYTHONHOME
# Some images set this; but then each test process, and the 200 that tests start, would compile every module again.
unset PYTHONDONTWRITEBYTECODE
export NO_MKDOCS_2_WARNING=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1

say() { printf '\n== %s\n' "$*"; }
fail() { printf 'do: %s\n' "$*" >&2; exit 1; }

# --- the environment ---------------------------------------------------------------------------

new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }
has_venv() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1; }
may_install() { [ "${CI:-}" = true ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; }
apt_install() {
    apt-get -qq update >/dev/null &&
        DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" >/dev/null
}

# Set $python to the first Python that is new enough and can create environments; fail with advice if there is none.
find_python() {
    without_venv=
    for python in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do
        new_enough "$python" || continue
        if has_venv "$python"; then
            return 0
        fi
        [ -n "$without_venv" ] || without_venv=$python
    done
    if [ -n "$without_venv" ]; then
        python=$without_venv
        package=${python##*/}-venv
        if may_install && apt_install "$package" && has_venv "$python"; then
            return 0
        fi
        fail "$python has no venv module. On Debian or Ubuntu: sudo apt-get install $package"
    fi
    if command -v python3 >/dev/null 2>&1; then
        fail "Python 3.11 or newer is needed, and python3 is $(python3 -V 2>&1). Install a newer one, or name it: PYTHON=/path/to/python3.12 ./do $COMMAND"
    fi
    fail "Python 3.11 or newer is needed, and there is no python3. On Debian or Ubuntu: sudo apt-get install python3 python3-venv"
}

# Whether .venv works and was created in this folder: a moved or copied one would run the tools of the old folder.
venv_works() {
    new_enough "$BIN/python" && grep -qF "$BIN/" "$BIN/oddtrick" 2>/dev/null
}

# packages FOLDER ARGUMENT...: install packages into an environment, with uv, which takes a third of pip's time, or with
# pip if uv fails.
packages() {
    home=$1
    shift
    uv=$(command -v uv || echo "$BIN/uv")
    if [ ! -x "$uv" ] && ! "${python:-python3}" -m pip --python "$BIN/python" install --quiet uv >/dev/null 2>&1; then
        pip_of "$HERE/.venv" install --quiet uv >/dev/null 2>&1 || :
    fi
    UV_DEFAULT_INDEX=${UV_DEFAULT_INDEX:-${PIP_INDEX_URL:-https://pypi.org/simple}} \
        "$uv" pip install --quiet --python "$home/bin/python" "$@" 2>/dev/null || pip_of "$home" install --quiet "$@"
}

# pip_of FOLDER ARGUMENT...: run the pip of an environment, after installing it if it is missing.
pip_of() {
    own=$1/bin/python
    shift
    "$own" -m pip --version >/dev/null 2>&1 || "$own" -m ensurepip >/dev/null 2>&1
    "$own" -m pip "$@"
}

# setup EXTRA: create or update .venv with the package (editable) and an extra of pyproject.toml, unless it is up to date.
setup() {
    state=$(cksum <pyproject.toml)
    stamp=$HERE/.venv/.oddtrick-setup
    done_before=$(cat "$stamp" 2>/dev/null || :)
    if venv_works; then
        case $done_before in "test $state" | "$1 $state") return 0 ;; esac
        case $done_before in test\ *) set -- test ;; esac
        say "Renewing .venv: pyproject.toml has changed, or more is needed"
    else
        find_python
        say "Making .venv with $("$python" -V) (once)"
        "$python" -m venv --clear --without-pip "$HERE/.venv" || fail "$python -m venv failed"
    fi
    rm -f "$stamp"
    packages "$HERE/.venv" --editable ".[$1]" || fail "the packages could not be installed (see above)"
    printf '%s\n' "$1 $state" >"$stamp"
}

# --- ./do demo ---------------------------------------------------------------------------------

RECORD=laws/records/lenz-p042-jettisoned-king.hand

demo() {
    setup site
    say "The records of the books, checked: oddtrick check --statistics laws/records"
    # Exit status 1 means that a record is irregular or disputed, as some of the shipped ones are meant to be.
    counted=$("$BIN/oddtrick" check --statistics laws/records) || [ $? = 1 ] || fail "the shipped records could not be checked"
    # Print only the counts by verdict and by finding; the contracts and results under each code would fill a page.
    printf '%s\n' "$counted" | sed '/^[0-9]* records under /,$d'
    say "One of them in full: oddtrick check $RECORD"
    "$BIN/oddtrick" check "$RECORD" || [ $? = 1 ] || fail "$RECORD could not be checked"
    say "The site: oddtrick site build"
    "$BIN/oddtrick" site build || fail "the site could not be built"
    cat <<'TEXT'

To look at the site:   open site/index.html, or .venv/bin/oddtrick site serve
To read a law:         .venv/bin/oddtrick law contract-1927:10
TEXT
}

# --- ./do test ---------------------------------------------------------------------------------

# step NAME COMMAND...: run a command and print its time, and its output if it fails. The next step runs in any case.
step() {
    name=$1
    shift
    printf '%s ...\n' "$name"
    since=$(date +%s)
    if "$@" >"$scratch/$name.log" 2>&1; then
        report "$name" "in order"
    else
        report "$name" "FAILED"
        sed "s/^/    /" "$scratch/$name.log"
    fi
}

# report NAME HOW: print the result of a step, and record it for the summary.
report() {
    took=$(($(date +%s) - since))
    printf '%s: %s, %s s\n' "$1" "$2" "$took"
    printf '%-10s %4s s  %s\n' "$1" "$took" "$2" >>"$scratch/steps"
}

# Check that no sentence of a printed source is copied, if the sources are beside the checkout.
verbatim() {
    if [ -f ../shared/checks/verbatim.py ]; then
        "$BIN/python" ../shared/checks/verbatim.py
    else
        echo "no sources beside the checkout: nothing compared"
    fi
}

# Build the sdist, and the wheel from it; install the wheel into a separate environment, and lint the law data there,
# outside the checkout. The tests read both files.
package() {
    "$BIN/python" -m build --no-isolation --outdir "$scratch/built/dist" &&
        "$BIN/python" -m venv --without-pip "$scratch/venv" &&
        packages "$scratch/venv" "$scratch"/built/dist/*.whl &&
        (cd "$scratch" && installed)
}

installed() {
    export ODDTRICK_CACHE="$scratch/cache"
    venv/bin/oddtrick --version &&
        venv/bin/oddtrick lint &&
        venv/bin/oddtrick law contract-1927:10 &&
        { venv/bin/oddtrick check --statistics "$HERE/laws/records" || [ $? = 1 ]; }
}

# Build the site in strict mode; the tests read it too, and the lawbook that is compiled for it.
site() {
    ODDTRICK_CACHE="$scratch/built/cache" "$BIN/python" "$HERE/tests/build_site.py" "$scratch/built"
}

# The browser tests use Debian's Chromium, preferably headless, and are skipped without it; in CI they must run.
chromium() {
    command -v chromium-headless-shell || ! may_install || apt_install chromium-headless-shell || command -v chromium
}

prepare() {
    setup test
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    trap 'kill $lane 2>/dev/null; exit 130' INT TERM
    lane=
    : >"$scratch/steps"
    begun=$(date +%s)
}

# Print a summary: each step with its time, and those that failed.
summary() {
    say "$(($(date +%s) - begun)) s"
    cat "$scratch/steps"
    failed=$(sed -n 's/ .*FAILED$//p' "$scratch/steps" | tr '\n' ' ')
    [ -z "$failed" ] || fail "failed: $failed"
}

# pytest ARGUMENTS...: run the tests in one process more than there are cores, since many wait for a browser; the output
# is not buffered.
pytest() {
    say "pytest"
    since=$(date +%s)
    if "$BIN/python" -m pytest -q --numprocesses $(($(nproc) + 1)) --dist worksteal "$@"; then
        report pytest "in order"
    else
        report pytest "FAILED"
    fi
}

tests() {
    prepare
    say "Everything that needs no test runner, two steps at a time"
    (
        step chromium chromium
        step ruff "$BIN/ruff" check .
        step format "$BIN/ruff" format --check .
        step mypy "$BIN/mypy"
        step rooms "$BIN/lint-imports"
        step yaml "$BIN/yamllint" --strict laws
        step verbatim verbatim
        step package package
    ) &
    lane=$!
    step site site
    wait
    ODDTRICK_BUILT=$scratch/built pytest
    summary
}

quick() {
    prepare
    (
        step ruff "$BIN/ruff" check .
        step format "$BIN/ruff" format --check .
        step mypy "$BIN/mypy"
        step rooms "$BIN/lint-imports"
        step yaml "$BIN/yamllint" --strict laws
        step laws "$BIN/oddtrick" lint
        step verbatim verbatim
    ) &
    lane=$!
    pytest -m "not site and not browser and not slow"
    wait
    summary
}

case "${1:-} ${2:-}" in
"demo ") demo ;;
"test ") tests ;;
"test quick") quick ;;
"setup ") setup test ;;
*)
    sed -n '2,9s/^# \{0,1\}//p' "$0"
    [ $# = 0 ] || exit 2
    ;;
esac
