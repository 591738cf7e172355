/** Keys and a boundary that were there before. */
export const DATA = 'arn:aws-us-gov:kms:us-gov-west-1:111122223333:key/0a1b';
export const OPERATIONS = 'arn:aws-us-gov:kms:us-gov-west-1:111122223333:key/0c1d';
export const BOUNDARY = 'arn:aws-us-gov:iam::111122223333:policy/boundary';

/** Settings that name all that can be there before, in GovCloud. */
export const EXISTING_PARTS = {
  environment: 'prod',
  namePrefix: 'agency-stats',
  account: '111122223333',
  region: 'us-gov-west-1',
  partition: 'aws-us-gov',
  vpcId: 'vpc-0a',
  subnetIds: ['subnet-0a', 'subnet-0b'],
  storageEndpointId: 'vpce-0a',
  interfaceEndpoints: 'existing',
  bucketName: 'agency-runs',
  dataKeyArn: DATA,
  operationsKeyArn: OPERATIONS,
  permissionsBoundaryArn: BOUNDARY,
  rolePath: '/agency/',
  tags: { owner: 'statistics' },
};
