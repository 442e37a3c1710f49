# Makes /box/src from a bundle: a commit, with or without the patch. Then runs the rest of the command in it, or lists the changes.
# Arguments: base, candidate or list; commit; folder below the repository; command. Exit codes below 70 are the command's.
set -u
mode=$1 commit=$2 folder=$3
shift 3

stop() {
  echo "prepare: $2" >&2
  exit "$1"
}

export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_ATTR_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0 GIT_OPTIONAL_LOCKS=0
export GIT_NO_REPLACE_OBJECTS=1 GIT_NO_LAZY_FETCH=1 GIT_ALLOW_PROTOCOL= GIT_PAGER=cat GIT_EDITOR=false
export GIT_CONFIG_COUNT=8
export GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/dev/null
export GIT_CONFIG_KEY_1=core.symlinks GIT_CONFIG_VALUE_1=false
export GIT_CONFIG_KEY_2=core.protectHFS GIT_CONFIG_VALUE_2=true
export GIT_CONFIG_KEY_3=core.protectNTFS GIT_CONFIG_VALUE_3=true
export GIT_CONFIG_KEY_4=core.autocrlf GIT_CONFIG_VALUE_4=false
export GIT_CONFIG_KEY_5=core.fsmonitor GIT_CONFIG_VALUE_5=false
export GIT_CONFIG_KEY_6=protocol.allow GIT_CONFIG_VALUE_6=never
export GIT_CONFIG_KEY_7=core.attributesFile GIT_CONFIG_VALUE_7=/dev/null

git init -q --bare --template= /box/git >/dev/null 2>&1 || stop 70 'no repository could be made'
export GIT_DIR=/box/git GIT_WORK_TREE=/box/src GIT_INDEX_FILE=/box/git/index
mkdir -p /box/git/info /box/src || stop 70 'no folder could be made'
# Files have the bytes of the commit: no conversion, no filter.
echo '* -text !eol !filter -ident !working-tree-encoding' >/box/git/info/attributes
cd /box/src || stop 70 'no folder could be entered'

git bundle unbundle /in/bundle >/dev/null 2>&1 || stop 71 'the bundle cannot be read'
[ "$(git cat-file -t "$commit" 2>/dev/null)" = commit ] || stop 72 'the bundle does not hold the commit'
git read-tree "$commit" >/dev/null 2>&1 || stop 73 'the commit holds a path that cannot be checked out'
git checkout-index -q -u -a -f >/dev/null 2>&1 || stop 73 'the commit cannot be checked out'

if [ "$mode" != base ]; then
  git apply --check --index --whitespace=nowarn /in/patch >/dev/null 2>&1 || stop 75 'the patch does not apply'
  git apply --index --whitespace=nowarn /in/patch >/dev/null 2>&1 || stop 75 'the patch does not apply'
fi
if [ "$mode" = list ]; then
  git diff-index --cached --raw --no-renames --abbrev=40 -z "$commit" || stop 70 'the changes cannot be listed'
  exit 0
fi

# Private checks: the file n of /in/private goes to the n-th path. Paths have no white space and no pattern.
n=0
for path in ${JUDGE_PRIVATE-}; do
  n=$((n + 1))
  mkdir -p "$(dirname "/box/src/$path")" 2>/dev/null && rm -rf "/box/src/$path" && cp "/in/private/$n" "/box/src/$path" 2>/dev/null ||
    stop 77 'a private check cannot be written'
done
unset JUDGE_PRIVATE
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
rm -rf /box/git
cd "/box/src/$folder" 2>/dev/null || stop 74 'the working directory does not exist'
[ "$(pwd -P)" = "$(pwd -L)" ] || stop 74 'the working directory is a link'
exec perl /in/judge/readonly.pl "$@"
