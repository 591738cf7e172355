import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Code, type IVersion, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { encodeSize } from '../../shared/contracts/cloud/cloud-environment.ts';
import type { StepName } from '../../shared/contracts/run/usage.ts';
import { acknowledge } from '../access/acknowledge.ts';
import { scopedRole } from '../access/scoped-role.ts';
import { accessStatements, STEP_ACCESS } from '../access/step-access.ts';
import type { Settings } from '../settings.ts';
import { encryptedLogGroup } from './encrypted-log-group.ts';
import type { EncryptionKeys } from './encryption-keys.ts';
import type { IsolatedNetwork } from './isolated-network.ts';
import { lockVariable } from './result-lock.ts';

/** What all functions of an environment share. */
export interface RunFunctionEnvironment {
  readonly settings: Settings;
  readonly bucket: IBucket;
  readonly keys: EncryptionKeys;
  readonly network: IsolatedNetwork;
  /** Folder of the bundles: `<bundles>/<folder>/index.mjs` exports `handler`. */
  readonly bundles: string;
  /** Digest of all bundles. */
  readonly code: string;
}

/** One function of the workflow: its bundle, the rights it has, and its size. */
export interface RunFunctionProps extends RunFunctionEnvironment {
  readonly folder: string;
  /** Physical name, where others look for it. */
  readonly name?: string;
  /** Null for a function that does not reach the bucket. */
  readonly step: StepName | null;
  readonly memoryMiB: number;
  readonly timeoutSeconds: number;
  /** Calls at once, taken from those of the account and kept for this function. */
  readonly reserved?: number | undefined;
  /** Beside the name of the bucket, which every function receives. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A function in the isolated network, with a role and a log group of its own. */
export class RunFunction extends Construct {
  readonly lambda: LambdaFunction;
  /**
   * The code and settings of this deployment, which stay as they are: what the workflow calls. Those of earlier deployments
   * are kept, for executions that began with them.
   */
  readonly version: IVersion;
  readonly timeoutSeconds: number;
  readonly memoryMiB: number;
  readonly step: StepName | null;
  /** How long a run may last that calls it. */
  readonly runSeconds: number;

  constructor(scope: Construct, id: string, props: RunFunctionProps) {
    super(scope, id);
    const { bucket, keys, network, settings, step } = props;
    this.timeoutSeconds = props.timeoutSeconds;
    this.memoryMiB = props.memoryMiB;
    this.step = step;
    this.runSeconds = settings.runTimeoutHours * 3600;
    const logGroup = encryptedLogGroup(this, 'Log', { key: keys.operations, settings });
    const access =
      step === null
        ? { statements: [], wildcards: {} }
        : accessStatements(STEP_ACCESS[step], { bucket, key: keys.data, locks: settings.objectLock !== 'none' });
    const role = scopedRole(this, 'Function', {
      principal: new ServicePrincipal('lambda.amazonaws.com'),
      description: `What the function ${props.folder} may do`,
      statements: [
        ...access.statements,
        new PolicyStatement({ sid: 'Log', actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logGroup.logGroupArn] }),
        new PolicyStatement({
          sid: 'Network',
          actions: [
            'ec2:CreateNetworkInterface',
            'ec2:DescribeNetworkInterfaces',
            'ec2:DescribeSubnets',
            'ec2:DeleteNetworkInterface',
            'ec2:AssignPrivateIpAddresses',
            'ec2:UnassignPrivateIpAddresses',
          ],
          resources: ['*'],
        }),
      ],
      wildcards: {
        ...access.wildcards,
        '*': 'Lambda attaches functions to a network with these rights, which EC2 offers for no single resource. The code cannot use them: the network has no way to EC2.',
      },
    });
    this.lambda = new LambdaFunction(this, 'Function', {
      ...(props.name === undefined ? {} : { functionName: props.name }),
      description: `synthrisk ${props.folder}`,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(`${props.bundles}/${props.folder}`),
      handler: 'index.handler',
      memorySize: props.memoryMiB,
      timeout: Duration.seconds(props.timeoutSeconds),
      role,
      logGroup,
      ...(props.reserved === undefined ? {} : { reservedConcurrentExecutions: props.reserved }),
      environment: {
        BUCKET: bucket.bucketName,
        ENVIRONMENT_SIZE: encodeSize(settings),
        ...lockVariable(settings),
        CODE: props.code,
        ...props.environment,
      },
      vpc: network.vpc,
      vpcSubnets: network.subnets,
      securityGroups: [network.workers],
      currentVersionOptions: { removalPolicy: RemovalPolicy.RETAIN },
    });
    // The interface says of absent properties what the class does not.
    this.version = this.lambda.currentVersion as IVersion;
    acknowledge(this.lambda, {
      'NIST.800.53.R5-LambdaConcurrency':
        'The map bounds how many run at once (mapConcurrency). A reservation takes them from the account also between runs, and fails in accounts with a small quota: reservedConcurrency asks for one.',
      'NIST.800.53.R5-LambdaDLQ': 'Who calls it, the workflow or a person, waits for the answer: no event is left over.',
    });
  }
}
