#!/bin/sh
# Builds a graph from the pages of the Observatory collection and asks it questions that need two pages each.
set -eu
here=$(dirname "$0")
kg=${SEMKG_DEMO_KG:-$here/kg}
rm -rf "$kg"

run() {
    printf '\n$'
    for word in "$@"; do
        case $word in *" "*) printf ' "%s"' "$word" ;; *) printf ' %s' "$word" ;; esac
    done
    printf '\n'
    "$@"
}

run semkg build "$here/pages" --kg "$kg"
python - "$here/questions.json" <<'PY' > "$kg/questions.txt"
import json, sys
for item in json.load(open(sys.argv[1], encoding="utf-8")):
    print(item["question"])
PY
while IFS= read -r question; do
    run semkg ask "$question" --kg "$kg"
done < "$kg/questions.txt"
rm "$kg/questions.txt"

first=$(python - "$here/questions.json" <<'PY'
import json, sys
print(json.load(open(sys.argv[1], encoding="utf-8"))[0]["answer"])
PY
)
run semkg why "$first" --limit 1 --kg "$kg"

cat <<END

What to try next
  semkg stats --kg $kg                      what is in the graph
  semkg show "$first" --kg $kg              an entity and everything that is said about it
  semkg search "comet photograph" --kg $kg  passages, and how the graph led there
  semkg export --format turtle --kg $kg     the whole graph in a standard format
  semkg build YOUR-DOCUMENTS --kg my-kg                         the same with your own documents
END
