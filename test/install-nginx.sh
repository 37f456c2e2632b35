#!/bin/sh
# Installs nginx (for the test of a service behind a reverse proxy) with apt, unless it is
# installed.
set -eu
if [ -x /usr/sbin/nginx ]; then exit 0; fi
apt-get update
apt-get install -y --no-install-recommends nginx-light
