#!/bin/sh
# An evaluation as indexed Jobs of Kubernetes: `sh kubernetes.sh DIR CLAIM IMAGE`, on a machine that may create jobs and has the
# volume of CLAIM (ReadWriteMany) mounted at /runs, as all pods have it. DIR, below /runs, is the folder that
# `synthrisk batch plan TABLE --out DIR` made, and IMAGE holds synthrisk. Files of a run can be read by who wrote them alone:
# pods run as the user of this script.
set -eu
run=$1 claim=$2 image=$3

job() { # NAME COMPLETIONS COMMAND
  kubectl create -f - <<YAML
apiVersion: batch/v1
kind: Job
metadata: { name: $1 }
spec:
  completionMode: Indexed
  completions: $2
  parallelism: 16
  backoffLimit: 6
  ttlSecondsAfterFinished: 3600
  template:
    spec:
      restartPolicy: Never
      securityContext: { runAsUser: $(id -u), runAsGroup: $(id -g) }
      containers:
        - name: task
          image: $image
          command: [sh, -c, "$3"]
          resources: { requests: { cpu: '1', memory: 2Gi }, limits: { memory: 2Gi } }
          volumeMounts: [{ name: runs, mountPath: /runs }]
      volumes: [{ name: runs, persistentVolumeClaim: { claimName: $claim } }]
YAML
  kubectl wait --for=condition=complete "job/$1" --timeout=24h
}

stage=0
until synthrisk batch list "$run" --json | grep -q '"status": "finished"'; do
  stage=$((stage + 1))
  tasks=$(synthrisk batch list "$run" 2>/dev/null)
  if [ -z "$tasks" ]; then
    job "synthrisk-close-$stage" 1 "synthrisk batch close '$run' --quiet"
  else
    # From the first to the last that is missing: one in between that is done is left alone.
    first=$(echo "$tasks" | head -n 1)
    last=$(echo "$tasks" | tail -n 1)
    job "synthrisk-tasks-$stage" $((last - first + 1)) \
      "synthrisk batch run '$run' \$((JOB_COMPLETION_INDEX + $first)) --jobs 1 --quiet"
  fi
done
