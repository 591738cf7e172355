import { Template } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import { DeliveryPipeline } from '../../examples/delivery-pipeline.ts';
import { flatten, type Resource, several } from './synthesize.ts';

const [TRIAL, PRODUCTION] = ['111111111111', '222222222222'];
const stack = new DeliveryPipeline(new App(), 'delivery', {
  connectionArn: 'arn:aws:codeconnections:eu-west-1:333333333333:connection/0a',
  owner: 'agency',
  repository: 'synthrisk',
  branch: 'main',
  trial: { account: TRIAL, region: 'eu-west-1', settings: 'env/trial.yaml' },
  production: { account: PRODUCTION, region: 'eu-west-1', settings: 'env/prod.yaml' },
});
const { Resources } = Template.fromStack(stack).toJSON() as { Resources: Record<string, Resource> };
const ofType = (type: string) => Object.entries(Resources).filter(([, { Type }]) => Type === type);

describe('the pipeline to two accounts', () => {
  it('asks a person between the one and the other', () => {
    const [[, { Properties }]] = ofType('AWS::CodePipeline::Pipeline') as [[string, Resource]];
    const stages = Properties.Stages.map(({ Actions, Name }: { Name: string; Actions: { ActionTypeId: { Category: string } }[] }) => [
      Name,
      ...Actions.map(({ ActionTypeId }) => ActionTypeId.Category),
    ]);
    expect(stages).toEqual([
      ['Source', 'Source'],
      ['Test', 'Build'],
      ['Trial', 'Build'],
      ['Comparison', 'Build'],
      ['Approval', 'Approval'],
      ['Production', 'Build'],
    ]);
  });

  it('begins anew every week, so that the container is built on the base image as it is then', () => {
    const scheduled = ofType('AWS::Events::Rule').filter(([, { Properties }]) => Properties.ScheduleExpression === 'rate(7 days)');
    expect(scheduled).toHaveLength(1);
    expect(JSON.stringify(scheduled[0]![1].Properties.Targets)).toContain(ofType('AWS::CodePipeline::Pipeline')[0]![0]);
  });

  it('deploys each by the settings that the commit holds', () => {
    const specs = ofType('AWS::CodeBuild::Project').map(([id, { Properties }]) => [
      id.replace(/[0-9A-F]{8}$/, ''),
      flatten(Properties.Source.BuildSpec),
    ]);
    const of = (name: string) => specs.find(([id]) => id === name)![1];
    // Before anything is deployed, known holes of packages end it.
    expect(of('Test')).toContain('npm audit --audit-level=high');
    expect(of('DeployTrial')).toContain('cloud deploy --settings env/trial.yaml');
    expect(of('DeployProduction')).toContain('cloud deploy --settings env/prod.yaml');
    expect(of('Compare')).toContain('cdk diff -c settings=env/prod.yaml');
  });

  it('lets a project take the roles of its own account alone', () => {
    const assumed = (name: string) =>
      ofType('AWS::IAM::Policy')
        .filter(([id]) => id.startsWith(`${name}Role`))
        .flatMap(([, { Properties }]) => several(Properties.PolicyDocument.Statement))
        .filter(({ Action }) => several(Action).includes('sts:AssumeRole'))
        .flatMap(({ Resource }) => several(Resource).map(flatten));
    expect(assumed('Test')).toEqual([]);
    const role = (account: string) => `arn:<AWS::Partition>:iam::${account}:role/cdk-hnb659fds-*-role-${account}-eu-west-1`;
    expect(assumed('DeployTrial')).toEqual([role(TRIAL!)]);
    expect(assumed('DeployProduction')).toEqual([role(PRODUCTION!)]);
    expect(assumed('Compare')).toEqual([role(PRODUCTION!)]);
  });
});
