#!/usr/bin/env bash
# Pushes a payload that stands in a file, with bash, curl and base tools alone.
#
#   export GRANTGRAPH_URL=https://127.0.0.1:8443 GRANTGRAPH_API_KEY=... CURL_CA_BUNDLE=...
#   ./connector.sh 'Company wiki' application wiki.example.org ../../first-push.json
#
# Names may hold what Grantgraph allows, but here no quotation marks. CURL_CA_BUNDLE is the file of
# the certificate to trust.
set -euo pipefail

provider_name=$1 template=$2 source_name=$3 payload=$4
api=$GRANTGRAPH_URL/api/v1/providers/custom

# The body comes from stdin, since a command line ends at some 100 kB; the key does too, where no
# list of processes shows it. An answer that refuses is printed, and ends the script.
request() {
  local answer
  answer=$(curl --silent --show-error --fail-with-body "$@" \
    --config <(printf 'header = "authorization: Bearer %s"\n' "$GRANTGRAPH_API_KEY") \
    --header 'content-type: application/json') || {
    printf 'refused: %s\n' "$answer" >&2
    exit 1
  }
  printf '%s' "$answer"
}

# The first id of an answer: that of the record, or of the first of a list.
first_id() { grep -o '"id": *"[^"]*"' | head -n 1 | cut -d '"' -f 4 || true; }

# Finds what has a name, or creates it: find_or_create URL NAME BODY
find_or_create() {
  local found
  # `set -e` does not reach into functions called like this one.
  found=$(request --get --data-urlencode "filter=name eq \"$2\"" "$1") || exit 1
  found=$(first_id <<<"$found")
  if [ -z "$found" ]; then
    found=$(request --data-binary @- "$1" <<<"$3") || exit 1
    found=$(first_id <<<"$found")
  fi
  printf '%s' "$found"
}

provider=$(find_or_create "$api" "$provider_name" \
  "{\"name\": \"$provider_name\", \"custom_template\": \"$template\"}")
source=$(find_or_create "$api/$provider/datasources" "$source_name" \
  "{\"name\": \"$source_name\", \"id\": \"$provider\"}")

# The payload is one JSON string. As base64 of its gzip nothing in it needs to be escaped.
{
  printf '{"id": "%s", "data_source_id": "%s", "compression_type": "GZIP", "json_data": "' \
    "$provider" "$source"
  gzip --stdout "$payload" | base64 | tr -d '\n'
  printf '"}'
} | request --data-binary @- "$api/$provider/datasources/$source:push"
echo
