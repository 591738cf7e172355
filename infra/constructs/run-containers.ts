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
  type LogDriver,
  LogDrivers,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs';
import { type IRole, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Aws, Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { CLOSING_TASK, encodeSize } from '../../shared/contracts/cloud/cloud-environment.ts';
import { acknowledge } from '../access/acknowledge.ts';
import { scopedRole } from '../access/scoped-role.ts';
import { accessStatements, CLOSING_ACCESS, STEP_ACCESS, type StepAccess } from '../access/step-access.ts';
import { encryptedLogGroup } from './encrypted-log-group.ts';
import { lockVariable } from './result-lock.ts';
import type { RunFunctionEnvironment } from './run-function.ts';

/** The user that the container runs as, whatever its image says: nobody, by number. */
const USER = '65534:65534';

/** Of the memory of the task that puts results together, what Node may use for its own objects: four GiB unless it is told. */
const CLOSING_HEAP_MIB = (CLOSING_TASK.memoryGiB * 1024) / 2;

/** A container task that the workflow starts. */
export interface ContainerTask {
  readonly taskDefinition: FargateTaskDefinition;
  readonly container: ContainerDefinition;
  /** What its program may do. */
  readonly role: IRole;
}

/**
 * The containers of an environment, Fargate tasks on arm64 without root, with a root file system that cannot be written and without
 * Linux capabilities: one that runs all chains of a round, and for large runs one that puts results together. Their image is built from
 * the folder `fit-model` of the bundles.
 */
export class RunContainers extends Construct {
  readonly cluster: Cluster;
  readonly fit: ContainerTask;
  readonly close: ContainerTask;
  /** What the workflow must hand to the tasks. */
  readonly roles: readonly IRole[];
  /** Where the image lies. */
  readonly repositoryName: string;

  constructor(scope: Construct, id: string, props: RunFunctionEnvironment) {
    super(scope, id);
    const { bundles, keys, network, settings } = props;
    const { baseImage, baseImageDigest, imageDigest } = settings;
    this.cluster = new Cluster(this, 'Cluster', {
      vpc: network.vpc,
      containerInsightsV2: ContainerInsights.ENABLED,
      enableFargateCapacityProviders: settings.fitSpot,
    });
    const asset = new DockerImageAsset(this, 'Image', {
      directory: `${bundles}/fit-model`,
      platform: Platform.LINUX_ARM64,
      buildArgs: { BASE_IMAGE: /@/.test(baseImage) || baseImageDigest === undefined ? baseImage : `${baseImage}@${baseImageDigest}` },
    });
    const logGroup = encryptedLogGroup(this, 'Log', { key: keys.operations, settings });
    const executionRole = scopedRole(this, 'Start', {
      principal: new ServicePrincipal('ecs-tasks.amazonaws.com'),
      description: 'What Fargate may do to start the container',
      statements: [
        new PolicyStatement({ sid: 'SignIn', actions: ['ecr:GetAuthorizationToken'], resources: ['*'] }),
        new PolicyStatement({
          sid: 'Pull',
          actions: ['ecr:BatchCheckLayerAvailability', 'ecr:BatchGetImage', 'ecr:GetDownloadUrlForLayer'],
          resources: [asset.repository.repositoryArn],
        }),
        new PolicyStatement({ sid: 'Log', actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logGroup.logGroupArn] }),
      ],
      wildcards: { '*': 'Signing in to the registry is a right on no resource; what is pulled is named below it.' },
    });
    this.repositoryName = asset.repository.repositoryName;
    // By its digest, which nobody can push another image under. Without it by its tag: where CDK is started by hand.
    const image =
      imageDigest === undefined
        ? ContainerImage.fromDockerImageAsset(asset)
        : ContainerImage.fromRegistry(asset.repository.repositoryUriForDigest(imageDigest));
    const { fitMemoryGiB, fitVcpu } = settings;
    this.fit = this.#task('', props, {
      name: 'fit-model',
      access: STEP_ACCESS['fit-model'],
      size: { vcpus: fitVcpu, memoryGiB: fitMemoryGiB },
      environment: { THREADS: String(fitVcpu) },
      ...{ executionRole, image, logging: LogDrivers.awsLogs({ streamPrefix: 'fit', logGroup }) },
    });
    this.close = this.#task('Closing', props, {
      name: 'close-run',
      access: CLOSING_ACCESS,
      size: CLOSING_TASK,
      entryPoint: ['node', `--max-old-space-size=${CLOSING_HEAP_MIB}`, 'close.mjs'],
      ...{ executionRole, image, logging: LogDrivers.awsLogs({ streamPrefix: 'close', logGroup }) },
    });
    this.roles = [this.fit.role, this.close.role, executionRole];
  }

  #task(prefix: string, { bucket, code, keys, settings }: RunFunctionEnvironment, props: TaskProps): ContainerTask {
    const { access, entryPoint, environment, executionRole, image, logging, name, size } = props;
    const { statements, wildcards } = accessStatements(access, { bucket, key: keys.data, locks: settings.objectLock !== 'none' });
    const taskRole = scopedRole(this, `${prefix}Task`, {
      // ECS says of a task whose role it takes neither cluster nor task definition: account and region are all that can be asked.
      principal: new ServicePrincipal('ecs-tasks.amazonaws.com', {
        conditions: {
          StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
          ArnLike: { 'aws:SourceArn': `arn:${Aws.PARTITION}:ecs:${Aws.REGION}:${Aws.ACCOUNT_ID}:*` },
        },
      }),
      description: 'What the program in the container may do',
      statements,
      wildcards,
    });
    const taskDefinition = new FargateTaskDefinition(this, `${prefix}TaskDefinition`, {
      cpu: size.vcpus * 1024,
      memoryLimitMiB: size.memoryGiB * 1024,
      runtimePlatform: { cpuArchitecture: CpuArchitecture.ARM64, operatingSystemFamily: OperatingSystemFamily.LINUX },
      taskRole,
      executionRole,
    });
    const linuxParameters = new LinuxParameters(this, `${prefix}Linux`, { initProcessEnabled: true });
    linuxParameters.dropCapabilities(Capability.ALL);
    // A revision that is not retained is deregistered, and starts no task of a run that began with it.
    taskDefinition.applyRemovalPolicy(RemovalPolicy.RETAIN);
    const container = taskDefinition.addContainer(name, {
      image,
      ...(entryPoint === undefined ? {} : { entryPoint: [...entryPoint] }),
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
        ...environment,
      },
      logging,
    });
    acknowledge(taskDefinition, {
      'AwsSolutions-ECS2': 'The environment holds the name of the bucket and the run id; there are no secrets.',
    });
    return { taskDefinition, container, role: taskRole };
  }
}

/** What tells a container task from the other. */
interface TaskProps {
  readonly name: string;
  readonly access: StepAccess;
  readonly size: { readonly vcpus: number; readonly memoryGiB: number };
  /** In place of what the image starts. */
  readonly entryPoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly executionRole: IRole;
  readonly image: ContainerImage;
  readonly logging: LogDriver;
}
