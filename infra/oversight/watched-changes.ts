/** A kind of change that the topic reports. */
export interface WatchedChange {
  /** The service that is called, by the first label of its event source in CloudTrail. */
  readonly service: string;
  /** What the names of the calls begin with: some services put the version of their interface behind. */
  readonly calls: readonly string[];
  /** What of the threat model relies on it. */
  readonly relied: string;
  /** Whether CloudTrail takes the calls for reads, of which a rule hears only where it asks for them. */
  readonly isRead?: boolean;
}

/**
 * Everything that the threat model relies on and that an administrator can change: docs/explanation/threat-model.md shows this
 * list, and a test holds the page to it.
 */
export const WATCHED_CHANGES = {
  Bucket: {
    service: 's3',
    calls: ['PutBucket', 'DeleteBucket', 'PutPublicAccessBlock', 'DeletePublicAccessBlock', 'PutObjectLockConfiguration'],
    relied: 'Who reads, writes and lists objects; versions, encryption, the log of requests, events that start runs',
  },
  Key: {
    service: 'kms',
    calls: ['PutKeyPolicy', 'CreateGrant', 'ScheduleKeyDeletion', 'DisableKey'],
    relied: 'Only the bucket decrypts, and only one step signs',
  },
  KeyAlias: {
    service: 'kms',
    calls: ['CreateAlias', 'UpdateAlias', 'DeleteAlias'],
    relied: '`fetch` and `release` verify manifests with the key that the alias names',
  },
  Function: {
    service: 'lambda',
    calls: ['UpdateFunction', 'DeleteFunction', 'AddPermission', 'UpdateAlias', 'CreateFunctionUrlConfig', 'PutFunctionEventInvokeConfig'],
    relied: 'The code of the steps, their settings, and who may call them',
  },
  Workflow: {
    service: 'states',
    calls: ['UpdateStateMachine', 'DeleteStateMachine'],
    relied: 'Which steps a run takes, and that costs are stopped',
  },
  Alias: {
    service: 'states',
    calls: ['UpdateStateMachineAlias', 'DeleteStateMachineAlias'],
    relied: 'Which version of the workflow an upload starts',
  },
  Role: {
    service: 'iam',
    calls: [
      ...['UpdateAssumeRolePolicy', 'AttachRolePolicy', 'DetachRolePolicy', 'PutRolePolicy', 'DeleteRolePolicy'],
      ...['PutRolePermissionsBoundary', 'DeleteRolePermissionsBoundary', 'UpdateRole', 'DeleteRole'],
    ],
    relied: 'Who may take a role, and which policies it has',
  },
  Session: { service: 'sts', calls: ['AssumeRole'], relied: 'Who takes a role for people', isRead: true },
  Policy: {
    service: 'iam',
    calls: ['CreatePolicyVersion', 'SetDefaultPolicyVersion', 'DeletePolicy'],
    relied: 'What the policies of the roles allow',
  },
  Task: {
    service: 'ecs',
    calls: ['RunTask', 'StartTask', 'CreateService', 'UpdateService', 'ExecuteCommand'],
    relied: 'The workflow alone starts the container and says what it runs, in its cluster, by its task definition or with its role',
  },
  TaskDefinition: { service: 'ecs', calls: ['RegisterTaskDefinition'], relied: 'The role of the container goes to its own image alone' },
  Image: {
    service: 'ecr',
    calls: ['PutImage', 'BatchDeleteImage', 'PutImageTagMutability', 'SetRepositoryPolicy', 'DeleteRepository'],
    relied: 'The image of the container is the one that was built',
  },
  Endpoint: {
    service: 'ec2',
    calls: ['ModifyVpcEndpoint', 'DeleteVpcEndpoints', 'CreateVpcEndpoint'],
    relied: 'What the network reaches, and the endpoint by which the bucket knows the steps',
  },
  Network: {
    service: 'ec2',
    calls: [
      ...['AttachInternetGateway', 'CreateRoute', 'ReplaceRoute', 'AssociateRouteTable', 'ReplaceRouteTableAssociation'],
      ...['AuthorizeSecurityGroup', 'ModifySecurityGroupRules'],
    ],
    relied: 'There is no way out of the network',
  },
  Trail: {
    service: 'cloudtrail',
    calls: ['StopLogging', 'DeleteTrail', 'UpdateTrail', 'PutEventSelectors'],
    relied: 'Changes are recorded and reported',
  },
  Rule: {
    service: 'events',
    calls: ['PutRule', 'DisableRule', 'DeleteRule', 'PutTargets', 'RemoveTargets'],
    relied: 'Changes are reported, uploads start runs, and ends are recorded',
  },
  Topic: {
    service: 'sns',
    calls: ['SetTopicAttributes', 'DeleteTopic', 'Subscribe', 'Unsubscribe', 'AddPermission', 'RemovePermission'],
    relied: 'Who hears of alarms and changes',
  },
  Alarm: { service: 'monitoring', calls: ['PutMetricAlarm', 'DeleteAlarms', 'DisableAlarmActions'], relied: 'Alarms are raised' },
} as const satisfies Readonly<Record<string, WatchedChange>>;
