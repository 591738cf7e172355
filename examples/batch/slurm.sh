#!/bin/sh
# An evaluation as arrays of Slurm: `sh slurm.sh DIR [options of sbatch]`, on a machine that may submit jobs.
# DIR is the folder that `synthrisk batch plan TABLE --out DIR` made, on a disk that all nodes share.
#
# A stage is one array, which is waited for (--wait). A task that failed is in the next list again, so that three arrays in a
# row that leave as many tasks end the script.
set -eu
run=$1
shift

failures=0
until synthrisk batch list "$run" --json | grep -q '"status": "finished"'; do
  tasks=$(synthrisk batch list "$run" --ranges 2>/dev/null)
  if [ -z "$tasks" ]; then
    # The results are put together where there is memory for them, not on the machine that submits.
    srun "$@" synthrisk batch close "$run" --quiet
  elif sbatch --wait --array="$tasks" --cpus-per-task=1 --output="$run.%A_%a.log" "$@" \
    --wrap="synthrisk batch run '$run' \$SLURM_ARRAY_TASK_ID --jobs 1"; then
    failures=0
  else
    failures=$((failures + 1))
    [ "$failures" -lt 3 ] || { echo "Tasks failed three times: see $run.*.log" >&2; exit 1; }
  fi
done
