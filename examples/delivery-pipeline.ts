import { BuildSpec, LinuxArmBuildImage, PipelineProject } from 'aws-cdk-lib/aws-codebuild';
import { Artifact, Pipeline, PipelineType } from 'aws-cdk-lib/aws-codepipeline';
import { CodeBuildAction, CodeStarConnectionsSourceAction, ManualApprovalAction } from 'aws-cdk-lib/aws-codepipeline-actions';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { CodePipeline } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Aws, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

/** An environment that the pipeline deploys. */
export interface Target {
  /** Account, 12 digits; bootstrapped with `--trust` of the pipeline's account. */
  readonly account: string;
  readonly region: string;
  /** Its settings file in the repository. */
  readonly settings: string;
}

/** What the pipeline goes from and to. */
export interface DeliveryPipelineProps {
  /** Connection to where the repository is. */
  readonly connectionArn: string;
  readonly owner: string;
  readonly repository: string;
  readonly branch: string;
  /** First the environment in which a release is tried, then that in which it is used. */
  readonly trial: Target;
  readonly production: Target;
}

/** The roles that `cdk bootstrap` makes in an account, by its default qualifier. */
const bootstrapRole = ({ account, region }: Target) =>
  `arn:${Aws.PARTITION}:iam::${account}:role/cdk-hnb659fds-*-role-${account}-${region}`;

/**
 * One way from a branch to two accounts: the tests, the environment for trials, the approval of a person, the
 * environment that is used. Both are deployed from the same commit by the settings files that it holds. A project may take
 * the bootstrap's roles in its own target account and nothing else.
 */
export class DeliveryPipeline extends Stack {
  constructor(scope: Construct, id: string, props: DeliveryPipelineProps) {
    super(scope, id, { description: 'synthrisk: from a branch to two accounts' });
    const { branch, connectionArn, owner, production, repository, trial } = props;
    const key = new Key(this, 'Key', { enableKeyRotation: true });
    const artifacts = new Bucket(this, 'Artifacts', {
      encryption: BucketEncryption.KMS,
      encryptionKey: key,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      versioned: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const source = new Artifact('source');
    const project = (name: string, commands: readonly string[], target?: Target) => {
      const made = new PipelineProject(this, name, {
        encryptionKey: key,
        environment: {
          buildImage: LinuxArmBuildImage.AMAZON_LINUX_2023_STANDARD_3_0,
          // To build the image of the container.
          privileged: target !== undefined,
        },
        buildSpec: BuildSpec.fromObject({ version: '0.2', phases: { install: { commands: ['npm ci'] }, build: { commands } } }),
      });
      if (target !== undefined) {
        made.addToRolePolicy(new PolicyStatement({ actions: ['sts:AssumeRole'], resources: [bootstrapRole(target)] }));
      }
      return new CodeBuildAction({ actionName: name, project: made, input: source });
    };
    // A change of settings is in the commit, was looked at there, and is looked at again before it is approved.
    const deploy = (name: string, target: Target) =>
      project(name, [`node dist/synthrisk.mjs cloud deploy --settings ${target.settings} --change-settings --yes`], target);
    const compare = (target: Target) => project('Compare', [`npx cdk diff -c settings=${target.settings}`], target);
    const pipeline = new Pipeline(this, 'Pipeline', {
      pipelineType: PipelineType.V2,
      artifactBucket: artifacts as IBucket,
      stages: [
        {
          stageName: 'Source',
          actions: [
            new CodeStarConnectionsSourceAction({ actionName: 'Source', connectionArn, owner, repo: repository, branch, output: source }),
          ],
        },
        // All packages: those in the functions are development dependencies as well, so that `--omit=dev` would find none.
        { stageName: 'Test', actions: [project('Test', ['npm audit --audit-level=high', 'npm test'])] },
        { stageName: 'Trial', actions: [deploy('DeployTrial', trial)] },
        { stageName: 'Comparison', actions: [compare(production)] },
        {
          stageName: 'Approval',
          actions: [
            new ManualApprovalAction({
              actionName: 'Approve',
              additionalInformation:
                'The first run of docs/how-to/runbook.md was done in the trial environment, and the comparison replaces neither buckets nor keys.',
            }),
          ],
        },
        { stageName: 'Production', actions: [deploy('DeployProduction', production)] },
      ],
    });
    // Each deployment builds on the base image as its registry has it then: mended ones are taken without a commit.
    new Rule(this, 'Weekly', { schedule: Schedule.rate(Duration.days(7)), targets: [new CodePipeline(pipeline)] });
  }
}
