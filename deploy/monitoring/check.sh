#!/bin/sh
# Checks the alert rules with promtool (Debian: the package prometheus). Without promtool it says so and does nothing.
set -eu
cd "$(dirname "$0")"
if ! command -v promtool >/dev/null; then
  echo 'promtool is not installed: the alert rules were not checked'
  exit 0
fi
promtool check config --syntax-only prometheus.yml
promtool check rules alerts.yml
promtool test rules alerts.test.yml
