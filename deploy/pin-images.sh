#!/bin/sh
# Replaces the digests of the images in Dockerfile and docker-compose.yml with the present digests of their tags:
# deploy/pin-images.sh
#
# A pinned image never changes by itself, so run this again for security updates of the base images. Needs Docker with buildx.
set -eu
cd "$(dirname "$0")/.."

pin() {
  file=$1
  name=$2
  tagged=${name%@*}
  # As JSON: for a format that begins with ".Manifest", Buildx prints a whole description.
  digest=$(docker buildx imagetools inspect --format '{{json .Manifest.Digest}}' "$tagged" | tr -d '"')
  case "$digest" in sha256:*) ;; *) echo "no digest of $tagged: $digest" >&2; exit 1 ;; esac
  sed -i.orig "s#$name#$tagged@$digest#" "$file"
  rm "$file.orig"
  echo "$file: $tagged@$digest"
}

pin Dockerfile "$(sed -n 's/^ARG NODE_IMAGE=//p' Dockerfile)"
names=$(sed -n 's/^    image: //p' docker-compose.yml)
for name in $names; do pin docker-compose.yml "$name"; done
