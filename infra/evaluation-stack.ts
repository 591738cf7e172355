import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnOutput, Duration, Stack, Tags } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { environmentNames, UPLOAD_TAGS } from '../shared/contracts/cloud/cloud-environment.ts';
import type { StepPrincipal } from './access/bucket-refusals.ts';
import { ReaderRoles } from './access/reader-roles.ts';
import { CLOSING_PUTS, STEP_ACCESS } from './access/step-access.ts';
import { applyAgencyRules } from './constructs/agency-rules.ts';
import { computeDollars } from './constructs/compute-dollars.ts';
import { EncryptionKeys } from './constructs/encryption-keys.ts';
import { EndRule } from './constructs/end-rule.ts';
import { IsolatedNetwork } from './constructs/isolated-network.ts';
import { OldestRunWatch } from './constructs/oldest-run-watch.ts';
import { RunAlarms } from './constructs/run-alarms.ts';
import { RunBucket } from './constructs/run-bucket.ts';
import { RunContainers } from './constructs/run-containers.ts';
import { runDashboard } from './constructs/run-dashboard.ts';
import type { RunFunction } from './constructs/run-function.ts';
import { RunFunctions } from './constructs/run-functions.ts';
import { runNotifications } from './constructs/run-notifications.ts';
import { signingKey } from './constructs/signing-key.ts';
import { UploadRule } from './constructs/upload-rule.ts';
import { ChangeAlerts } from './oversight/change-alerts.ts';
import { CostStop } from './oversight/cost-stop.ts';
import { DataTrail } from './oversight/data-trail.ts';
import type { Settings } from './settings.ts';
import { codeDigest } from './workflow/code-digest.ts';
import { EvaluationWorkflow } from './workflow/evaluation-workflow.ts';
import { WorkflowRelease } from './workflow/workflow-release.ts';

/** What an environment is made from. */
export interface EvaluationStackProps {
  readonly settings: Settings;
  /** Folder of the bundled functions, as `scripts/build-functions.mjs` writes it. */
  readonly bundles: string;
}

/**
 * One environment: a bucket, the workflow that an upload starts, and what surrounds it. Bound to no account, region or
 * partition before it is deployed. The command line finds it by the names of `cloud-environment.ts`.
 */
export class EvaluationStack extends Stack {
  constructor(scope: Construct, id: string, props: EvaluationStackProps) {
    const { bundles, settings } = props;
    super(scope, id, {
      description: 'synthrisk: disclosure risk of synthetic microdata',
      terminationProtection: settings.terminationProtection,
      env: {
        ...(settings.account === undefined ? {} : { account: settings.account }),
        ...(settings.region === undefined ? {} : { region: settings.region }),
      },
    });
    applyAgencyRules(this, settings);
    Tags.of(this).add('synthrisk:environment', settings.environment);

    const keys = new EncryptionKeys(this, 'Keys', settings);
    const { accessLog, bucket } = new RunBucket(this, 'Runs', { key: keys.data, settings });
    const network = new IsolatedNetwork(this, 'Network', { bucket, logKey: keys.operations, settings });
    const topic = runNotifications(this, 'Notifications', { key: keys.operations, settings });
    const environment = { settings, bucket, keys, network, bundles, code: codeDigest(bundles, settings.baseImage) };
    const functions = new RunFunctions(this, 'Functions', environment);
    const container = settings.engine === 'fargate' ? new RunContainers(this, 'Fit', environment) : null;

    const { stateMachine } = new EvaluationWorkflow(this, 'Workflow', {
      settings,
      bucket,
      keys,
      network,
      topic,
      functions,
      engine: container === null ? { fn: functions.fitModel! } : { container },
    });
    const { undelivered } = new UploadRule(this, 'Upload', {
      bucket,
      workflow: settings.workflowVersions ? new WorkflowRelease(this, 'Release', stateMachine).live : stateMachine,
      authorized: stateMachine,
      key: keys.operations,
    });
    new EndRule(this, 'End', { workflow: stateMachine, recordFailure: functions.recordFailure, undelivered });
    // By which the command line finds them.
    const told = { [UPLOAD_TAGS.queue]: undelivered.queueUrl, [UPLOAD_TAGS.versions]: String(settings.workflowVersions) };
    for (const [name, value] of Object.entries(told)) Tags.of(functions.assessBatch.lambda).add(name, value);
    const reaching = functions.all.filter(({ step }) => step !== null);
    const closing: readonly RunFunction[] = container === null ? [] : [functions.aggregateRun, functions.reportRun];
    const steps: StepPrincipal[] = reaching.map((of) => ({
      role: of.lambda.role!,
      fn: of.lambda as IFunction,
      write: closing.includes(of) ? CLOSING_PUTS : STEP_ACCESS[of.step!].write,
    }));
    if (container !== null) {
      const { close, fit } = container;
      steps.push({ role: fit.role, write: STEP_ACCESS['fit-model'].write }, { role: close.role, write: CLOSING_PUTS });
    }
    const manifestKey = signingKey(this, 'Manifests', { settings, signer: functions.reportRun.lambda.role! });
    const people = new ReaderRoles(this, 'People', {
      settings,
      signingKey: manifestKey as IKey,
      bucket,
      accessLog,
      key: keys.data,
      workflow: stateMachine,
      assessBatch: functions.assessBatch.lambda,
      planning: functions.planRun.lambda.role!,
      steps,
      endpointId: network.storage.vpcEndpointId,
      undelivered,
      operationsKey: keys.operations,
    });

    const { assessBatch } = functions;
    // Where no container fits, no step lasts longer than a function may: there is no long run to look out for. The
    // emulator, for its part, cannot evaluate the watch without fetching programs.
    const watch = container && new OldestRunWatch(this, 'Watch', { workflow: stateMachine, key: keys.operations, settings });
    const oldestRunMinutes = watch?.minutes ?? null;
    const dollars = (period: Duration) => computeDollars({ functions: reaching, assessBatch, container, settings, period });
    const alarms = new RunAlarms(this, 'Alarms', {
      settings,
      topic,
      workflow: stateMachine,
      assessBatch,
      oldestRunMinutes,
      dollarsADay: dollars(Duration.days(1)),
      undelivered,
    });
    const { costStop: alarm } = alarms;
    const stop = alarm && new CostStop(this, 'CostStop', { alarm, workflow: stateMachine, key: keys.operations, settings });
    const trail = settings.trail === 'none' ? null : new DataTrail(this, 'Trail', { bucket, reader: people.confidentialReader, settings });
    if (settings.changeAlerts) {
      new ChangeAlerts(this, 'Changes', {
        buckets: [bucket, accessLog, ...(trail === null ? [] : [trail.log])],
        keys: [keys.data, keys.operations, manifestKey as IKey],
        signingAlias: environmentNames(settings.environment, settings.namePrefix).signingKey,
        network,
        container,
        people: people.all,
        topic,
        workflow: stateMachine,
        workflows: [stateMachine, ...[watch, stop].flatMap((made) => (made === null ? [] : [made.stateMachine]))],
      });
    }
    runDashboard(this, 'Dashboard', {
      workflow: stateMachine,
      assessBatch,
      container,
      oldestRunMinutes,
      dollarsAnHour: dollars(Duration.hours(1)),
      alarms,
    });

    const outputs = {
      BucketName: bucket.bucketName,
      StateMachineArn: stateMachine.stateMachineArn,
      AssessFunctionName: assessBatch.lambda.functionName,
      TopicArn: topic.topicArn,
      SubmitterRoleArn: people.submitter.roleArn,
      OperatorRoleArn: people.operator.roleArn,
      ConfidentialReaderRoleArn: people.confidentialReader.roleArn,
      ReleaseReaderRoleArn: people.releaseReader.roleArn,
      ApproverRoleArn: people.approver.roleArn,
      PurgerRoleArn: people.purger.roleArn,
      SigningKeyArn: manifestKey.keyArn,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}
