#!/bin/sh
# Installs Chromium (for tests of HTML pages) and zsh (for tests of shell commands in reports) with apt, unless both are
# installed.
set -eu
if [ -x "${CHROMIUM:-/usr/bin/chromium}" ] && command -v zsh >/dev/null; then exit 0; fi
apt-get update
apt-get install -y --no-install-recommends chromium fonts-dejavu-core zsh
