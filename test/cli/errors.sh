# every sentence about an API error says the way out
. "$(dirname "$0")/common"
expect 0 'sentences' python3 "$root/test/cli/errors.py" "$root/src/rt"
finish
