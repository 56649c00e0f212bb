#!/bin/bash
install -m 755 "$(dirname "$0")/mended" "$SCRIPT"
