#!/bin/sh
# Builds the image and tries it on this machine, as an operator would run it. Takes about five minutes and needs Docker with
# Compose, curl, and the ports 3000, 1883, 8883 and 9464:   deploy/verify.sh
#
# It checks: the image's size, user and labels; a start with one process; a backup, and its restore into an empty database; the
# profile "scale" while each of its processes is killed; a rolling upgrade under load; and the configuration of Prometheus with its
# alert rules. Everything it made is removed at the end.
set -eu
cd "$(dirname "$0")/.."

SIZE_MAX_MB=450
URL=http://127.0.0.1:3000
WORK=$(mktemp -d)
export COMPOSE_PROJECT_NAME="whereabouts-verify-$$"
export AUTH_SECRET="a secret for this trial alone: $$ $$ $$ $$"
# The load below comes from one address.
export RATE_LIMIT_REQUESTS=1000000

compose() { docker compose --env-file /dev/null --profile scale "$@"; }
step() { printf '\n== %s\n' "$*"; }

# fail MESSAGE: ends with it, after what the containers logged last.
fail() {
  compose logs --tail 20 >&2 || true
  echo "FAILED: $*" >&2
  exit 1
}

clean_up() {
  touch "$WORK/over"
  compose down --volumes --timeout 5 > "$WORK/down.log" 2>&1 || cat "$WORK/down.log" >&2
  rm -rf "$WORK"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

# await SECONDS COMMAND...: repeats the command until it succeeds.
await() {
  left=$1
  shift
  until "$@" > /dev/null 2>&1; do
    [ "$left" -gt 0 ] || fail "not in time: $*"
    left=$((left - 1))
    sleep 1
  done
}

answers() { curl --fail --silent --max-time 5 "$URL/healthz"; }

# post PATH BODY [TOKEN]: prints the answer, and fails unless it is 2xx.
post() {
  curl --fail --silent --show-error --max-time 10 "$URL$1" --header 'Content-Type: application/json' \
    --header "Authorization: Bearer ${3:-}" --data "$2"
}

# field NAME: the first string of that name in JSON.
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

sign_up() {
  session=$(curl --fail --silent --show-error "$URL/trpc/session.signUp" --header 'Content-Type: application/json' \
    --data '{"organization_name":"Acme","name":"Ada","email":"ada@example.com","password":"a long password"}' | field token)
  [ -n "$session" ] || fail 'sign-up'
  scopes='["assets:read","assets:write"]'
  KEY=$(post /trpc/apiKeys.create "{\"name\":\"trial\",\"expires_at\":null,\"scopes\":$scopes}" "$session" | field token)
  [ -n "$KEY" ] || fail 'API key'
}

has_asset() {
  curl --fail --silent --max-time 5 "$URL/api/v1/assets?external_key=$1" --header "Authorization: Bearer $KEY" | grep -q "\"$1\""
}

# Reads the list of assets until the file "over" exists, and writes down what failed.
load() {
  while [ ! -e "$WORK/over" ]; do
    status=$(curl --silent --max-time 10 --output /dev/null --write-out '%{http_code}' "$URL/api/v1/assets?limit=5" \
      --header "Authorization: Bearer $KEY") || true
    [ "$status" = 200 ] || echo "$(date +%T) $status" >> "$WORK/failures"
    echo . >> "$WORK/requests"
  done
}

step 'The image'
REVISION=$(git rev-parse HEAD 2> /dev/null || echo unknown) compose build whereabouts
size=$(docker image inspect --format '{{.Size}}' whereabouts)
echo "$((size / 1000000)) MB"
[ "$((size / 1000000))" -lt "$SIZE_MAX_MB" ] || fail "the image is larger than $SIZE_MAX_MB MB"
[ "$(docker image inspect --format '{{.Config.User}}' whereabouts)" = node ] || fail 'the image runs as root'
for label in title version revision licenses; do
  [ -n "$(docker image inspect --format "{{index .Config.Labels \"org.opencontainers.image.$label\"}}" whereabouts)" ] ||
    fail "the image has no label $label"
done

step 'One process'
compose up --detach whereabouts
await 120 answers
sign_up
post /api/v1/assets '{"name":"Pallet","external_key":"PALLET-1"}' "$KEY" > /dev/null
curl --fail --silent http://127.0.0.1:9464/metrics | grep -q '^whereabouts_' || fail 'no metrics on port 9464'
[ "$(curl --silent --output /dev/null --write-out '%{http_code}' "$URL/metrics")" = 404 ] || fail 'metrics on port 3000'
compose kill --signal KILL whereabouts
compose up --detach whereabouts
await 60 answers
has_asset PALLET-1 || fail 'the asset is gone after a kill'

step 'A backup and its restore'
compose exec -T whereabouts node dist/admin.js backup - > "$WORK/backup.tar.gz"
compose down --volumes
compose up --detach --wait database
compose run --rm --no-deps -T whereabouts node dist/admin.js restore - < "$WORK/backup.tar.gz"
compose up --detach whereabouts
await 60 answers
has_asset PALLET-1 || fail 'the restored database lacks the asset'
compose rm --force --stop whereabouts

step 'Several processes, each of which is killed'
compose up --detach --no-build --wait balancer
await 60 has_asset PALLET-1
load &
for service in gateway ingest-broker redis database; do
  container=$(compose ps --quiet "$service" | head -n 1)
  docker kill "$container" > /dev/null
  docker start "$container" > /dev/null
  await 60 has_asset PALLET-1
  echo "$service was killed and is back"
done
sleep 5
touch "$WORK/failures"
echo "$(wc -l < "$WORK/requests") requests, $(wc -l < "$WORK/failures") failed while processes were killed"
rm -f "$WORK/failures"

step 'A rolling upgrade'
ENV_FILE=/dev/null BUILD=no deploy/rolling-upgrade.sh
sleep 5
touch "$WORK/over"
wait
[ ! -s "$WORK/failures" ] || { cat "$WORK/failures" >&2; fail 'requests failed during the upgrade'; }
has_asset PALLET-1 || fail 'the asset is gone after the upgrade'

step 'The configuration of Prometheus'
docker run --rm --volume "$PWD/deploy/prometheus:/etc/prometheus:ro" --entrypoint promtool prom/prometheus:v3.5.0 \
  check config /etc/prometheus/prometheus.yml

step 'All is well'
