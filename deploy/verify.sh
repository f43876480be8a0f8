#!/bin/sh
# Builds the image and tries it on this machine, as an operator would run it. Takes about five minutes and needs Docker with
# Compose, curl, and the ports 3000, 1883, 8883 and 9464:   deploy/verify.sh
#
# It checks: the image's size, user and labels; a start with one process; a backup, and its restore into an empty database; the
# profile "scale" while each of its processes is killed; a rolling upgrade to another image under load; that reads which were
# acknowledged meanwhile are stored; that /readyz of each process reports ok, and not degraded; and the configuration of Prometheus
# with its alert rules. Removes its containers, volumes and images at the end.
#
# With MQTT_TLS_CERT_FILE and MQTT_TLS_KEY_FILE, which name files in the folder certificates as /certificates/..., it also connects
# to port 8883.
set -eu
cd "$(dirname "$0")/.."

SIZE_MAX_MB=450
URL=http://127.0.0.1:3000
TAG=E28011900000000000000001
WORK=$(mktemp -d)
export COMPOSE_PROJECT_NAME="whereabouts-verify-$$"
export WHEREABOUTS_IMAGE="$COMPOSE_PROJECT_NAME"
export AUTH_SECRET="a secret for this trial alone: $$ $$ $$ $$"
# The load below comes from one address.
export RATE_LIMIT_REQUESTS=1000000
# The servers of this trial, and none that the shell has settings for.
unset DATABASE_URL REDIS_URL MQTT_URL

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
  docker rm --force "$COMPOSE_PROJECT_NAME-reader" > /dev/null 2>&1 || true
  compose down --volumes --timeout 5 > "$WORK/down.log" 2>&1 || cat "$WORK/down.log" >&2
  docker image rm "$WHEREABOUTS_IMAGE" "$WHEREABOUTS_IMAGE:replaced" > /dev/null 2>&1 || true
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
  # Each read becomes an event.
  settings='{"name":"Gate","format":"native","location_rule":"newest","resolution_seconds":0}'
  reader=$(post /trpc/readers.create "$settings" "$session")
  READER_USERNAME=$(echo "$reader" | field mqtt_username)
  READER_PASSWORD=$(echo "$reader" | field mqtt_password)
  READER_TOPIC=$(echo "$reader" | field publish_topic)
  [ -n "$READER_PASSWORD" ] || fail 'reader'
}

has_asset() {
  curl --fail --silent --max-time 5 "$URL/api/v1/assets?external_key=$1" --header "Authorization: Bearer $KEY" | grep -q "\"$1\""
}

# run_reader OPTIONS... -- ARGUMENTS...: runs deploy/verify-reader.mjs in the network of the containers.
run_reader() {
  options=''
  while [ "$1" != -- ]; do
    options="$options $1"
    shift
  done
  shift
  # shellcheck disable=SC2086 # The options are words.
  docker run $options --network "${COMPOSE_PROJECT_NAME}_default" --volume "$PWD/deploy/verify-reader.mjs:/app/verify-reader.mjs:ro" \
    --env MQTT_USERNAME="$READER_USERNAME" --env MQTT_PASSWORD="$READER_PASSWORD" --env TOPIC="$READER_TOPIC" --env TAG="$TAG" \
    "$WHEREABOUTS_IMAGE" node verify-reader.mjs "$@"
}

# kill_one SERVICE: kills one of its containers, starts it again, and waits until requests succeed.
kill_one() {
  container=$(compose ps --quiet "$1" | head -n 1)
  docker kill "$container" > /dev/null
  docker start "$container" > /dev/null
  await 60 has_asset PALLET-1
  sleep 5
  echo "$1 was killed and is back"
}

# readiness CONTAINER: prints what /readyz of a process says.
readiness() {
  docker exec "$1" node -e "fetch('http://127.0.0.1:' + (process.env.ROLE === 'ingest-broker' ? process.env.PROBES_PORT : 3000) + '/readyz').then((answer) => answer.text()).then(console.log)"
}

is_ready() { readiness "$1" | grep -q '"status":"ok"'; }

# expect_ready SERVICE...: fails unless each process of the services is ready within half a minute, with all that it uses, not degraded.
expect_ready() {
  for container in $(compose ps --quiet "$@"); do
    left=30
    until is_ready "$container"; do
      [ "$left" -gt 0 ] || fail "not ready: $(readiness "$container")"
      left=$((left - 1))
      sleep 1
    done
  done
}

# expect_no_failures WHEN: fails if a request of the load has failed since the last check.
expect_no_failures() {
  [ ! -s "$WORK/failures" ] || { cat "$WORK/failures" >&2; fail "requests failed $1"; }
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

# running_versions: prints the version of each process of the profile "scale", and equal ones once.
running_versions() {
  for container in $(compose ps --quiet gateway ingest-broker); do
    docker inspect --format '{{index .Config.Labels "org.opencontainers.image.version"}}' "$container"
  done | sort -u
}

step 'The image'
VERSION=trial-1 REVISION=$(git rev-parse HEAD 2> /dev/null || echo unknown) compose build whereabouts
size=$(docker image inspect --format '{{.Size}}' "$WHEREABOUTS_IMAGE")
echo "$((size / 1000000)) MB"
[ "$((size / 1000000))" -lt "$SIZE_MAX_MB" ] || fail "the image is larger than $SIZE_MAX_MB MB"
[ "$(docker image inspect --format '{{.Config.User}}' "$WHEREABOUTS_IMAGE")" = node ] || fail 'the image runs as root'
for label in title version revision licenses; do
  [ -n "$(docker image inspect --format "{{index .Config.Labels \"org.opencontainers.image.$label\"}}" "$WHEREABOUTS_IMAGE")" ] ||
    fail "the image has no label $label"
done

step 'One process'
compose up --detach whereabouts
await 120 answers
expect_ready whereabouts
sign_up
post /api/v1/assets "{\"name\":\"Pallet\",\"external_key\":\"PALLET-1\",\"tags\":[{\"tag_type\":\"rfid\",\"value\":\"$TAG\"}]}" "$KEY" > /dev/null
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
expect_ready gateway ingest-broker
load &
run_reader --detach --name "$COMPOSE_PROJECT_NAME-reader" -- mqtt://balancer:1883 > /dev/null
# The balancer repeats requests that only read, and gateways do without Redis.
for service in gateway ingest-broker redis; do kill_one "$service"; done
expect_no_failures 'while another process could serve them'
# There is one database and one balancer. Requests fail while it is gone, and none after that.
for service in database balancer; do
  kill_one "$service"
  touch "$WORK/failures"
  echo "$(wc -l < "$WORK/failures") requests failed meanwhile"
  rm -f "$WORK/failures"
  sleep 5
  expect_no_failures "after $service was back"
done
expect_ready gateway ingest-broker
echo "$(wc -l < "$WORK/requests") requests"

step 'A rolling upgrade'
# The program is the same, the image and its version are not.
docker image tag "$WHEREABOUTS_IMAGE" "$WHEREABOUTS_IMAGE:replaced"
VERSION=trial-2 compose build whereabouts
[ "$(running_versions)" = trial-1 ] || fail "before the upgrade these versions run: $(running_versions)"
ENV_FILE=/dev/null BUILD=no deploy/rolling-upgrade.sh
[ "$(running_versions)" = trial-2 ] || fail "after the upgrade these versions run: $(running_versions)"
sleep 5
touch "$WORK/over"
wait
expect_no_failures 'during the upgrade'
expect_ready gateway ingest-broker
has_asset PALLET-1 || fail 'the asset is gone after the upgrade'

step 'Reads that were acknowledged'
docker stop -t 60 "$COMPOSE_PROJECT_NAME-reader" > /dev/null
acknowledged=$(docker logs "$COMPOSE_PROJECT_NAME-reader")
if [ -n "${MQTT_TLS_CERT_FILE:-}" ]; then
  [ "$(run_reader --rm -- mqtts://balancer:8883 1)" = 1 ] || fail 'no acknowledgement on port 8883'
  acknowledged=$((acknowledged + 1))
fi
stored=$(compose exec -T database psql --username=whereabouts --no-align --tuples-only --command='SELECT count(*) FROM scan_events')
echo "$acknowledged reads were acknowledged, $stored are stored"
[ "${acknowledged:-0}" -gt 0 ] || fail 'no read was acknowledged'
[ "$acknowledged" = "$stored" ] || fail 'acknowledged reads and stored ones differ'

step 'The configuration of Prometheus'
# By its tag alone: the image only checks files here, and is no part of an installation.
docker run --rm --volume "$PWD/deploy/prometheus:/etc/prometheus:ro" --entrypoint promtool prom/prometheus:v3.5.0 \
  check config /etc/prometheus/prometheus.yml

step 'All is well'
