import {
  type CfnSubnetRouteTableAssociation,
  FlowLog,
  FlowLogDestination,
  FlowLogResourceType,
  FlowLogTrafficType,
  GatewayVpcEndpoint,
  GatewayVpcEndpointAwsService,
  type IGatewayVpcEndpoint,
  type IInterfaceVpcEndpoint,
  InterfaceVpcEndpointAwsService,
  type IVpc,
  Peer,
  Port,
  SecurityGroup,
  type SubnetSelection,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { AnyPrincipal, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Aws, Fn } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { interfaceServices } from '../../shared/contracts/cloud/cloud-environment.ts';
import { acknowledge } from '../access/acknowledge.ts';
import { scopedRole } from '../access/scoped-role.ts';
import type { Settings } from '../settings.ts';
import { encryptedLogGroup } from './encrypted-log-group.ts';

const HTTPS = Port.tcp(443);

/** What goes through an endpoint is asked for by this account; another's credentials find no way out. */
const BY_THIS_ACCOUNT = { StringEquals: { 'aws:PrincipalAccount': Aws.ACCOUNT_ID } };

/** A service that is reached by an interface endpoint, and what may be asked of it. */
interface Service {
  /** Of the construct: another name would make a second endpoint before the first is deleted. */
  readonly id: string;
  readonly service: InterfaceVpcEndpointAwsService;
  readonly actions: readonly string[];
}

const PULL = [...['ecr:GetAuthorizationToken', 'ecr:BatchCheckLayerAvailability', 'ecr:BatchGetImage'], 'ecr:GetDownloadUrlForLayer'];

const SERVICES: Readonly<Record<ReturnType<typeof interfaceServices>[number], Service>> = {
  kms: { id: 'SigningKey', service: InterfaceVpcEndpointAwsService.KMS, actions: ['kms:Sign'] },
  'ecr.api': { id: 'RegistryApi', service: InterfaceVpcEndpointAwsService.ECR, actions: PULL },
  'ecr.dkr': { id: 'Registry', service: InterfaceVpcEndpointAwsService.ECR_DOCKER, actions: PULL },
  logs: { id: 'Logs', service: InterfaceVpcEndpointAwsService.CLOUDWATCH_LOGS, actions: ['logs:CreateLogStream', 'logs:PutLogEvents'] },
};

/**
 * A network without a way to the internet: isolated subnets, no gateway but the endpoint of S3, and that for the bucket
 * alone. Manifests are signed through an endpoint of KMS, which lets nothing else be asked: what the bucket's key is wanted
 * for, S3 asks itself. The container task needs three more endpoints to start: `ecr.api` and `ecr.dkr` for its image, `logs`
 * for what it prints. None is needed for Step Functions, which watches the task from outside.
 */
export class IsolatedNetwork extends Construct {
  readonly vpc: IVpc;
  readonly subnets: SubnetSelection = { subnetType: SubnetType.PRIVATE_ISOLATED };
  /** For functions and the container task: nothing comes in, HTTPS goes out. */
  readonly workers: SecurityGroup;
  /** The gateway endpoint of S3. */
  readonly storage: IGatewayVpcEndpoint;
  /** Endpoints that are known: all that are made, and the one of S3 that is named. */
  readonly endpointIds: readonly string[];
  readonly subnetIds: readonly string[];
  /** Route tables that are known, and what ties them to subnets. */
  readonly routeTableIds: readonly string[];
  readonly associationIds: readonly string[];

  constructor(scope: Construct, id: string, props: { readonly bucket: IBucket; readonly logKey: IKey; readonly settings: Settings }) {
    super(scope, id);
    const { bucket, logKey, settings } = props;
    this.vpc = settings.vpcId === undefined ? this.#newVpc(settings) : this.#existingVpc(settings.vpcId, settings);
    this.workers = new SecurityGroup(this, 'Workers', {
      vpc: this.vpc,
      description: 'Functions and the container task: HTTPS out, nothing in',
      allowAllOutbound: false,
    });
    // Where the packets can go is for routes and endpoints to say: S3 has public addresses, which vary by region.
    this.workers.addEgressRule(Peer.anyIpv4(), HTTPS, 'S3 and the interface endpoints');

    this.storage = this.#allowStorage(bucket, settings);
    const interfaces =
      settings.interfaceEndpoints === 'create' ? this.#allowServices(interfaceServices(settings.engine).map((name) => SERVICES[name])) : [];
    this.endpointIds = [this.storage, ...interfaces].map(({ vpcEndpointId }) => vpcEndpointId);
    const { isolatedSubnets } = this.vpc;
    this.subnetIds = isolatedSubnets.map(({ subnetId }) => subnetId);
    const own = settings.vpcId === undefined ? isolatedSubnets : [];
    this.routeTableIds = settings.routeTableIds ?? own.map(({ routeTable }) => routeTable.routeTableId);
    this.associationIds = own.map(({ node }) => (node.findChild('RouteTableAssociation') as CfnSubnetRouteTableAssociation).ref);
    // Whoever owns a network that was there logs its packets.
    if (settings.vpcId === undefined) this.#logRejections(logKey, settings);
  }

  #newVpc(settings: Settings): IVpc {
    // The interface says of absent properties what the class does not.
    const vpc = new Vpc(this, 'Vpc', {
      // By number: of a stack that is bound to no region CDK knows two zones, however many are asked for.
      availabilityZones: Array.from({ length: settings.availabilityZones }, (_, zone) => Fn.select(zone, Fn.getAzs())),
      natGateways: 0,
      subnetConfiguration: [{ name: 'isolated', subnetType: SubnetType.PRIVATE_ISOLATED }],
    }) as IVpc;
    acknowledge(vpc, {
      'NIST.800.53.R5-VPCDefaultSecurityGroupClosed':
        'Every network interface of the stack has a security group of its own; CDK empties the default one only by a custom resource with rights on EC2.',
    });
    return vpc;
  }

  #existingVpc(vpcId: string, { routeTableIds, subnetIds = [] }: Settings): IVpc {
    return Vpc.fromVpcAttributes(this, 'Vpc', {
      vpcId,
      // Asked for, and used by nothing here.
      availabilityZones: subnetIds.map((_, zone) => Fn.select(zone, Fn.getAzs())),
      isolatedSubnetIds: [...subnetIds],
      ...(routeTableIds && { isolatedSubnetRouteTableIds: [...routeTableIds] }),
    });
  }

  #allowStorage(bucket: IBucket, settings: Settings): IGatewayVpcEndpoint {
    // The policy of one that was there is its owner's to set.
    if (settings.storageEndpointId !== undefined) {
      return GatewayVpcEndpoint.fromGatewayVpcEndpointId(this, 'Storage', settings.storageEndpointId);
    }
    const endpoint = this.vpc.addGatewayEndpoint('Storage', { service: GatewayVpcEndpointAwsService.S3 });
    endpoint.addToPolicy(
      new PolicyStatement({
        sid: 'Bucket',
        principals: [new AnyPrincipal()],
        actions: [
          's3:GetObject',
          's3:GetObjectVersion',
          's3:PutObject',
          's3:PutObjectTagging',
          's3:ListBucket',
          ...(settings.objectLock === 'none' ? [] : ['s3:PutObjectRetention']),
        ],
        resources: [bucket.bucketArn, bucket.arnForObjects('*')],
        conditions: BY_THIS_ACCOUNT,
      }),
    );
    if (settings.engine === 'fargate') {
      endpoint.addToPolicy(
        new PolicyStatement({
          sid: 'ImageLayers',
          principals: [new AnyPrincipal()],
          actions: ['s3:GetObject'],
          // Where the registry keeps the layers of images; it signs each request with an identity of its own.
          resources: [`arn:${Aws.PARTITION}:s3:::prod-${Aws.REGION}-starport-layer-bucket/*`],
        }),
      );
    }
    return endpoint;
  }

  #allowServices(services: readonly Service[]): IInterfaceVpcEndpoint[] {
    const endpoints = new SecurityGroup(this, 'Endpoints', {
      vpc: this.vpc,
      description: 'Interface endpoints: HTTPS in from the workers, nothing out',
      allowAllOutbound: false,
    });
    endpoints.addIngressRule(this.workers, HTTPS, 'Workers');
    return services.map(({ actions, id, service }) => {
      const endpoint = this.vpc.addInterfaceEndpoint(id, { service, subnets: this.subnets, securityGroups: [endpoints], open: false });
      endpoint.addToPolicy(
        new PolicyStatement({ principals: [new AnyPrincipal()], actions: [...actions], resources: ['*'], conditions: BY_THIS_ACCOUNT }),
      );
      return endpoint;
    });
  }

  /** Packets that were refused, the only ones worth a look where nothing but S3 can be reached. */
  #logRejections(key: IKey, settings: Settings): void {
    const logGroup = encryptedLogGroup(this, 'RejectionsLog', { key, settings });
    const role = scopedRole(this, 'Rejections', {
      principal: new ServicePrincipal('vpc-flow-logs.amazonaws.com'),
      description: 'Writes the flow log of refused packets',
      statements: [
        new PolicyStatement({
          actions: ['logs:CreateLogStream', 'logs:PutLogEvents', 'logs:DescribeLogStreams'],
          resources: [logGroup.logGroupArn],
        }),
      ],
    });
    new FlowLog(this, 'Rejections', {
      resourceType: FlowLogResourceType.fromVpc(this.vpc),
      destination: FlowLogDestination.toCloudWatchLogs(logGroup, role),
      trafficType: FlowLogTrafficType.REJECT,
    });
  }
}
