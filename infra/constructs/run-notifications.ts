import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Aws } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

/** The topic on which the end of every run and every alarm is told: run ids and outcomes, never a value. */
export function runNotifications(scope: Construct, id: string, props: { readonly key: IKey; readonly settings: Settings }): Topic {
  const topic = new Topic(scope, id, { masterKey: props.key, enforceSSL: true });
  // With a policy of its own the topic has lost the default one, which lets the alarms of the account in.
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'Alarms',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
  );
  if (props.settings.notifyEmail !== undefined) {
    topic.addSubscription(new EmailSubscription(props.settings.notifyEmail));
  }
  return topic;
}
