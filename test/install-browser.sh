#!/bin/sh
# Installs Chromium for the tests of pages, with apt, unless it is there.
set -eu
if [ -x "${CHROMIUM:-/usr/bin/chromium}" ]; then exit 0; fi
apt-get update
apt-get install -y --no-install-recommends chromium fonts-dejavu-core
