import { DockerImageAsset, Platform } from 'aws-cdk-lib/aws-ecr-assets';
import {
  Capability,
  Cluster,
  type ContainerDefinition,
  ContainerImage,
  ContainerInsights,
  CpuArchitecture,
  FargateTaskDefinition,
  LinuxParameters,
  LogDrivers,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs';
import { type IRole, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { encodeSize } from '../../shared/contracts/cloud/cloud-environment.ts';
import { acknowledge } from '../access/acknowledge.ts';
import { scopedRole } from '../access/scoped-role.ts';
import { accessStatements } from '../access/step-access.ts';
import { encryptedLogGroup } from './encrypted-log-group.ts';
import { lockVariable } from './result-lock.ts';
import type { RunFunctionEnvironment } from './run-function.ts';

/** The user that the container runs as, whatever its image says: nobody, by number. */
const USER = '65534:65534';

/**
 * The container that runs all chains of a round: one Fargate task on arm64, without root, with a root file system that
 * cannot be written and without Linux capabilities. Its image is built from the folder `fit-model` of the bundles.
 */
export class FitContainer extends Construct {
  readonly cluster: Cluster;
  readonly taskDefinition: FargateTaskDefinition;
  readonly container: ContainerDefinition;
  /** What the workflow must hand to the task. */
  readonly roles: readonly IRole[];
  /** Where its image lies. */
  readonly repositoryName: string;

  constructor(scope: Construct, id: string, props: RunFunctionEnvironment) {
    super(scope, id);
    const { bucket, bundles, code, keys, network, settings } = props;
    const { baseImage, baseImageDigest, imageDigest } = settings;
    this.cluster = new Cluster(this, 'Cluster', {
      vpc: network.vpc,
      containerInsightsV2: ContainerInsights.ENABLED,
      enableFargateCapacityProviders: settings.fitSpot,
    });
    const image = new DockerImageAsset(this, 'Image', {
      directory: `${bundles}/fit-model`,
      platform: Platform.LINUX_ARM64,
      buildArgs: { BASE_IMAGE: /@/.test(baseImage) || baseImageDigest === undefined ? baseImage : `${baseImage}@${baseImageDigest}` },
    });
    const logGroup = encryptedLogGroup(this, 'Log', { key: keys.operations, settings });
    const access = accessStatements('fit-model', { bucket, key: keys.data, locks: settings.objectLock !== 'none' });
    const tasks = new ServicePrincipal('ecs-tasks.amazonaws.com');
    const taskRole = scopedRole(this, 'Task', {
      // ECS says of a task whose role it takes neither cluster nor task definition: account and region are all that can be asked.
      principal: new ServicePrincipal('ecs-tasks.amazonaws.com', {
        conditions: {
          StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
          ArnLike: { 'aws:SourceArn': `arn:${Aws.PARTITION}:ecs:${Aws.REGION}:${Aws.ACCOUNT_ID}:*` },
        },
      }),
      description: 'What the program in the container may do',
      statements: access.statements,
      wildcards: access.wildcards,
    });
    const executionRole = scopedRole(this, 'Start', {
      principal: tasks,
      description: 'What Fargate may do to start the container',
      statements: [
        new PolicyStatement({ sid: 'SignIn', actions: ['ecr:GetAuthorizationToken'], resources: ['*'] }),
        new PolicyStatement({
          sid: 'Pull',
          actions: ['ecr:BatchCheckLayerAvailability', 'ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'],
          resources: [image.repository.repositoryArn],
        }),
        new PolicyStatement({ sid: 'Log', actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logGroup.logGroupArn] }),
      ],
      wildcards: { '*': 'Signing in to the registry is a right on no resource; what is pulled is named below it.' },
    });
    this.roles = [taskRole, executionRole];
    this.repositoryName = image.repository.repositoryName;
    this.taskDefinition = new FargateTaskDefinition(this, 'TaskDefinition', {
      cpu: settings.fitVcpu * 1024,
      memoryLimitMiB: settings.fitMemoryGiB * 1024,
      runtimePlatform: { cpuArchitecture: CpuArchitecture.ARM64, operatingSystemFamily: OperatingSystemFamily.LINUX },
      taskRole,
      executionRole,
    });
    const linuxParameters = new LinuxParameters(this, 'Linux', { initProcessEnabled: true });
    linuxParameters.dropCapabilities(Capability.ALL);
    // A revision that is not retained is deregistered, and starts no task of a run that began with it.
    this.taskDefinition.applyRemovalPolicy(RemovalPolicy.RETAIN);
    this.container = this.taskDefinition.addContainer('fit-model', {
      // By its digest, which nobody can push another image under. Without it by its tag: where CDK is started by hand.
      image:
        imageDigest === undefined
          ? ContainerImage.fromDockerImageAsset(image)
          : ContainerImage.fromRegistry(image.repository.repositoryUriForDigest(imageDigest)),
      user: USER,
      readonlyRootFilesystem: true,
      linuxParameters,
      // Between the request to stop and the end: a chain stops after the iteration under way.
      stopTimeout: Duration.minutes(2),
      environment: {
        BUCKET: bucket.bucketName,
        ENVIRONMENT_SIZE: encodeSize(settings),
        ...lockVariable(settings),
        CODE: code,
        THREADS: String(settings.fitVcpu),
      },
      logging: LogDrivers.awsLogs({ streamPrefix: 'fit', logGroup }),
    });
    acknowledge(this.taskDefinition, {
      'AwsSolutions-ECS2': 'The environment holds the name of the bucket and the run id; there are no secrets.',
    });
  }
}
