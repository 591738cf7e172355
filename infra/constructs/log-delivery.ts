import { PolicyStatement } from 'aws-cdk-lib/aws-iam';

/** What Step Functions needs to have its logs delivered: rights that CloudWatch Logs offers for no single resource. */
export function logDeliveryStatement(): PolicyStatement {
  return new PolicyStatement({
    sid: 'DeliverLogs',
    actions: [
      'logs:CreateLogDelivery',
      'logs:GetLogDelivery',
      'logs:UpdateLogDelivery',
      'logs:DeleteLogDelivery',
      'logs:ListLogDeliveries',
      'logs:PutResourcePolicy',
      'logs:DescribeResourcePolicies',
      'logs:DescribeLogGroups',
    ],
    resources: ['*'],
  });
}
