#!/bin/bash
cd /var/spool/jobs
for job in *.job; do
    state="$(head -n 1 "$job")"
    case "$state" in
        done | failed | waiting) mkdir -p "$state" && mv "$job" "$state/" ;;
    esac
done
