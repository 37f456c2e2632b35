#!/bin/sh
# Installs Chromium for the tests of pages, and zsh for those of the shell commands in reports, with apt, unless they are there.
set -eu
if [ -x "${CHROMIUM:-/usr/bin/chromium}" ] && command -v zsh >/dev/null; then exit 0; fi
apt-get update
apt-get install -y --no-install-recommends chromium fonts-dejavu-core zsh
