#!/bin/sh
# Oddtrick from a clean checkout, with nothing but Python 3.11 or newer.
#
#   ./do demo    check the shipped records, then build the site into ./site
#   ./do test    everything that must pass: lint, types, law data, package, site, tests
#   ./do setup   only make .venv with all the tools, for work on the code
#
# All three may be run again at any time: .venv is made once and renewed when pyproject.toml changes.

set -eu
unset CDPATH
cd "$(dirname "$0")"
HERE=$(pwd -P)
BIN=$HERE/.venv/bin
COMMAND=${1:-}
unset PYTHONPATH PYTHONHOME
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

# The first Python that is new enough and can make environments; says what is missing where there is none.
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

# Whether .venv works and was made where it stands: a moved or copied one runs the tools of its old place.
venv_stands() {
    new_enough "$BIN/python" && "$BIN/python" -m pip --version >/dev/null 2>&1 && grep -qF "$BIN/" "$BIN/pip"
}

# setup EXTRA: .venv with the package (editable) and an extra of pyproject.toml; nothing where it stands already.
setup() {
    state=$(cksum <pyproject.toml)
    stamp=$HERE/.venv/.oddtrick-setup
    done_before=$(cat "$stamp" 2>/dev/null || :)
    if venv_stands; then
        case $done_before in "test $state" | "$1 $state") return 0 ;; esac
        case $done_before in test\ *) set -- test ;; esac
        say "Renewing .venv: pyproject.toml has changed, or more is needed"
    else
        find_python
        say "Making .venv with $("$python" -V) (once; takes a minute)"
        "$python" -m venv --clear "$HERE/.venv" || fail "$python -m venv failed"
    fi
    rm -f "$stamp"
    "$BIN/python" -m pip install --quiet --editable ".[$1]" || fail "the packages could not be installed (see above)"
    printf '%s\n' "$1 $state" >"$stamp"
}

# --- ./do demo ---------------------------------------------------------------------------------

demo() {
    setup site
    say "oddtrick check --statistics laws/records"
    # 1 says that a record is irregular or disputed, as some of the shipped ones are meant to be.
    "$BIN/oddtrick" check --statistics laws/records || [ $? = 1 ] || fail "the shipped records could not be checked"
    say "oddtrick site build"
    "$BIN/oddtrick" site build || fail "the site could not be built"
    cat <<'TEXT'

The site is in ./site. To look at it:      .venv/bin/oddtrick site serve
One record with its account in full:      .venv/bin/oddtrick check laws/records/lenz-p042-jettisoned-king.hand
A law:                                    .venv/bin/oddtrick law contract-1927:10
TEXT
}

# --- ./do test ---------------------------------------------------------------------------------

failed=

# step NAME COMMAND...: run it; a failure is remembered and the next step still runs.
step() {
    name=$1
    shift
    say "$name"
    if ! "$@"; then
        failed="$failed, $name"
        printf 'do: %s failed\n' "$name" >&2
    fi
}

# No sentence of a printed source is copied: compared where the sources lie beside the checkout.
verbatim() {
    if [ -f ../shared/checks/verbatim.py ]; then
        "$BIN/python" ../shared/checks/verbatim.py
    else
        echo "no sources beside the checkout: nothing compared"
    fi
}

# The sdist, the wheel made from it, and the wheel at work in an environment of its own, outside the checkout.
package() {
    "$BIN/python" -m build --no-isolation --outdir "$scratch/dist" >"$scratch/build.log" 2>&1 ||
        { cat "$scratch/build.log"; return 1; }
    "$BIN/python" -m venv "$scratch/venv" &&
        "$scratch/venv/bin/python" -m pip install --quiet "$scratch"/dist/*.whl &&
        (cd "$scratch" && installed)
}

installed() {
    export ODDTRICK_CACHE="$scratch/cache"
    venv/bin/oddtrick --version &&
        venv/bin/oddtrick lint &&
        venv/bin/oddtrick law contract-1927:10 &&
        { venv/bin/oddtrick check --statistics "$HERE/laws/records" || [ $? = 1 ]; }
}

site() {
    "$BIN/oddtrick" site build --out "$scratch/site" &&
        "$BIN/lychee" --offline --no-progress --include-fragments --index-files index.html \
            --root-dir "$scratch/site" "$scratch/site"
}

# The browser tests use Debian's Chromium and are skipped without it; in CI they must run.
browser() {
    if ! command -v chromium >/dev/null 2>&1 && may_install; then
        apt_install chromium
    fi
}

tests() {
    setup test
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 130' INT TERM
    step "ruff" "$BIN/ruff" check .
    step "mypy" "$BIN/mypy"
    step "law data" "$BIN/oddtrick" lint
    step "words of the sources" verbatim
    step "package" package
    step "site" site
    step "browser" browser
    step "tests" "$BIN/python" -m pytest -q
    if [ -n "$failed" ]; then
        fail "failed: ${failed#, }"
    fi
}

case ${1:-} in
demo) demo ;;
test) tests ;;
setup) setup test ;;
*)
    sed -n '2,8s/^# \{0,1\}//p' "$0"
    [ $# = 0 ] || exit 2
    ;;
esac
