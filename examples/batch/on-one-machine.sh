#!/bin/sh
# An evaluation as tasks of processes of their own, on one machine: `sh on-one-machine.sh DIR [AT_ONCE]`.
# DIR is the folder that `synthrisk batch plan TABLE --out DIR` made.
set -eu
run=$1
at_once=${2:-4}

until synthrisk batch list "$run" --json | grep -q '"status": "finished"'; do
  # GNU parallel does the same: parallel --jobs "$at_once" synthrisk batch run "$run" {} --quiet
  synthrisk batch list "$run" | xargs -n 1 -P "$at_once" sh -c 'synthrisk batch run "$0" "$1" --jobs 1 --quiet' "$run"
  synthrisk batch list "$run" --json | grep -q '"status": "tasks"' || synthrisk batch close "$run"
done
