import { describe, expect, it } from 'vitest';
import { codeDigest } from '../../infra/workflow/code-digest.ts';
import { flatten, inTemporaryFolder, ofType, type Synthesized, several, synthesize, writeStubBundles } from './synthesize.ts';

const before = synthesize();
const after = synthesize({}, 'mended');

const idsOf = (environment: Synthesized, type: string) => ofType(environment, type).map(([id]) => id);

/** The one resource of a type. */
function onlyOne(environment: Synthesized, type: string) {
  const found = ofType(environment, type);
  expect(found, type).toHaveLength(1);
  return found[0]!;
}

/** What the role of the workflow may do with a kind of resource. */
const workflowMay = (environment: Synthesized, action: string): string[] =>
  ofType(environment, 'AWS::IAM::ManagedPolicy')
    .filter(([id]) => id.startsWith('WorkflowWorkflowPolicy'))
    .flatMap(([, { Properties }]) => several(Properties.PolicyDocument.Statement))
    .filter(({ Action }) => several(Action).includes(action))
    .flatMap(({ Resource }) => several(Resource).map(flatten));

describe('a deployment of other code', () => {
  it('makes other versions of every function that is told the code, and keeps those before', () => {
    const [old, versions] = [before, after].map((one) => idsOf(one, 'AWS::Lambda::Version'));
    expect(old!.length).toBe(idsOf(before, 'AWS::Lambda::Function').length);
    expect(versions!.filter((id) => old!.includes(id))).toEqual([]);
    for (const type of ['AWS::Lambda::Version', 'AWS::StepFunctions::StateMachineVersion']) {
      expect(ofType(before, type).length).toBeGreaterThan(0);
      for (const [id, { DeletionPolicy, UpdateReplacePolicy }] of ofType(before, type)) {
        expect([DeletionPolicy, UpdateReplacePolicy], id).toEqual(['Retain', 'Retain']);
      }
    }
  });

  it('leaves the versions as they are when nothing has changed', () => {
    expect(idsOf(synthesize(), 'AWS::Lambda::Version')).toEqual(idsOf(before, 'AWS::Lambda::Version'));
  });

  it('tells every step one digest of the code, which is another', () => {
    const codes = (environment: Synthesized) => [
      ...ofType(environment, 'AWS::Lambda::Function').map(([, { Properties }]) => Properties.Environment.Variables.CODE),
      ...ofType(environment, 'AWS::ECS::TaskDefinition').map(
        ([, { Properties }]) => Properties.ContainerDefinitions[0].Environment.find(({ Name }: { Name: string }) => Name === 'CODE').Value,
      ),
    ];
    const [old, now] = [new Set(codes(before)), new Set(codes(after))];
    expect([old.size, now.size]).toEqual([1, 1]);
    expect([...old][0]).toMatch(/^[0-9a-f]{64}$/);
    expect(now).not.toEqual(old);
  });

  it('names versions of functions in the workflow, never what was deployed last', () => {
    const text = JSON.stringify(before.workflow);
    const called = [...text.matchAll(/"Resource":"<(Functions[^>]*)>"/g)].map(([, id]) => id!);
    expect(called.length).toBeGreaterThan(8);
    const versions = idsOf(before, 'AWS::Lambda::Version');
    expect(called.filter((id) => !versions.includes(id))).toEqual([]);
  });

  it('names the revisions of the task definitions in the workflow, and keeps those before active', () => {
    const definitions = ofType(before, 'AWS::ECS::TaskDefinition');
    const { Close, Fit } = before.workflow.States;
    expect(definitions.map(([id]) => `<${id}>`)).toEqual([Fit, Close].map(({ Parameters }) => Parameters.TaskDefinition));
    for (const [, { DeletionPolicy, UpdateReplacePolicy }] of definitions)
      expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
  });

  it('lets the workflow call every version of its functions, and start every revision of its tasks', () => {
    const functions = workflowMay(before, 'lambda:InvokeFunction');
    expect(functions.length).toBe(idsOf(before, 'AWS::Lambda::Function').length);
    for (const resource of functions) expect(resource).toMatch(/^<Functions\w+\.Arn>:\*$/);
    const families = ofType(before, 'AWS::ECS::TaskDefinition')
      .map(([, { Properties }]) => Properties.Family)
      .sort();
    expect(families).toHaveLength(2);
    const tasks = workflowMay(before, 'ecs:RunTask');
    expect(tasks).toEqual(families.map((family) => expect.stringMatching(new RegExp(`:task-definition/${family}:\\*$`))));
    // Roles that an earlier revision hands over stay what they are.
    expect(idsOf(after, 'AWS::IAM::Role')).toEqual(idsOf(before, 'AWS::IAM::Role'));
  });
});

describe('the workflow of a deployment', () => {
  it('is a version of its own, which the alias points to that uploads start', () => {
    const [version, { Properties }] = onlyOne(before, 'AWS::StepFunctions::StateMachineVersion');
    const [machine] = Properties.StateMachineRevisionId['Fn::GetAtt'];
    expect(machine).toMatch(/^WorkflowStateMachine/);
    const [alias, routed] = onlyOne(before, 'AWS::StepFunctions::StateMachineAlias');
    expect(routed.Properties).toEqual({
      Name: 'live',
      RoutingConfiguration: [{ StateMachineVersionArn: { 'Fn::GetAtt': [version, 'Arn'] }, Weight: 100 }],
    });
    const [rule] = ofType(before, 'AWS::Events::Rule').filter(([id]) => id.startsWith('UploadRule'));
    expect(rule![1].Properties.Targets[0].Arn).toEqual({ 'Fn::GetAtt': [alias, 'Arn'] });
  });

  it('has no versions in an emulator, whose CloudFormation has none', () => {
    const emulated = synthesize({ engine: 'lambda', workflowVersions: 'false' });
    expect(idsOf(emulated, 'AWS::StepFunctions::StateMachineVersion')).toEqual([]);
    expect(idsOf(emulated, 'AWS::Lambda::Version').length).toBeGreaterThan(7);
  });
});

describe('the digest of the code', () => {
  it('is of the bundles and of the base image that is named, and of nothing else', () => {
    const digests = inTemporaryFolder((folder) => {
      writeStubBundles(folder);
      const [none, again, one, other] = [undefined, undefined, 'node@sha256:1', 'node@sha256:2'].map((image) => codeDigest(folder, image));
      writeStubBundles(folder, 'changed');
      return { none, again, one, other, changed: codeDigest(folder) };
    });
    expect(digests.again).toBe(digests.none);
    expect(new Set(Object.values(digests)).size).toBe(4);
  });
});
