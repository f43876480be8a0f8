#!/bin/sh
# Starts $CHROMIUM with $MORE_DISABLED_FEATURES disabled too. Chromium reads only the last --disable-features of its command
# line, so a second one would replace that of Playwright.
for argument; do
  shift
  case $argument in
    --disable-features=*) argument="$argument,$MORE_DISABLED_FEATURES" ;;
  esac
  set -- "$@" "$argument"
done
exec "$CHROMIUM" "$@"
