#!/bin/sh
# The next stage of an evaluation as an array job of AWS Batch: `sh aws-batch.sh DIR QUEUE DEFINITION`. DIR is the folder that
# `synthrisk batch plan TABLE --out DIR` made, on a file system (EFS) that is mounted here and in the job at the same path, by
# the same user. The image of the definition holds synthrisk, and its command is
#
#   ["sh", "-c", "synthrisk batch run Ref::run $((AWS_BATCH_JOB_ARRAY_INDEX + Ref::first)) --jobs 1 --quiet"]
#
# When the job has ended, the same command submits the next stage; when nothing is listed, `synthrisk batch close DIR` goes on.
set -eu
run=$1 queue=$2 definition=$3
tasks=$(synthrisk batch list "$run")
[ -n "$tasks" ] || exit 0
# From the first to the last that is missing: one in between that is done is left alone. An array has two jobs at least.
first=$(echo "$tasks" | head -n 1)
last=$(echo "$tasks" | tail -n 1)
[ "$first" -lt "$last" ] || { [ "$first" -gt 1 ] && first=$((first - 1)) || last=$((last + 1)); }
aws batch submit-job --job-name synthrisk --job-queue "$queue" --job-definition "$definition" \
  --parameters "run=$run,first=$first" --array-properties "size=$((last - first + 1))" --retry-strategy attempts=3
