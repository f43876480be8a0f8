#!/bin/sh
# Replaces the processes of the compose profile "scale" one by one with processes of the image that is built now, while
# clients and readers go on: deploy/rolling-upgrade.sh
#
# The database is migrated by the first new process, and old processes work on it until they are replaced. Each old
# process is stopped after its successor is healthy. A failure stops the script; running processes continue, and the
# script can be run again.
set -eu
cd "$(dirname "$0")/.."

HEALTHY_WITHIN_SECONDS=${HEALTHY_WITHIN_SECONDS:-300}
# Longer than the service needs to stop, with its STOP_DELAY_SECONDS.
STOP_SECONDS=20

compose() { docker compose ${ENV_FILE:+--env-file "$ENV_FILE"} --profile scale "$@"; }

# await_health CONTAINER
await_health() {
  waited=0
  until [ "$(docker inspect --format '{{.State.Health.Status}}' "$1")" = healthy ]; do
    if [ "$waited" -ge "$HEALTHY_WITHIN_SECONDS" ]; then
      echo "$1 is not healthy after $waited seconds; its log:" >&2
      docker logs --tail 20 "$1" >&2
      exit 1
    fi
    waited=$((waited + 1))
    sleep 1
  done
}

# replace SERVICE: one process at a time, with one more than usual while the new one starts.
replace() {
  service=$1
  old=$(compose ps --quiet "$service")
  [ -n "$old" ] || { echo "$service does not run: docker compose --profile scale up balancer" >&2; exit 1; }
  count=$(echo "$old" | wc -l)
  for container in $old; do
    before=$(compose ps --quiet "$service")
    compose up --detach --no-deps --no-recreate --no-build --scale "$service=$((count + 1))" "$service"
    for new in $(compose ps --quiet "$service"); do
      case "$before" in *"$new"*) continue ;; esac
      echo "$service: $new takes the place of $container"
      await_health "$new"
    done
    docker stop -t "$STOP_SECONDS" "$container" > /dev/null
    docker rm "$container" > /dev/null
  done
}

[ "${BUILD:-yes}" = no ] || compose build gateway
replace gateway
replace ingest-broker
