import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import { EvaluationStack } from '../../infra/evaluation-stack.ts';
import { readSettings } from '../../infra/settings.ts';

// CDK checks each template with rules of its own, which takes seconds: once is enough, and app.test.ts does it.
process.env.CDK_VALIDATION = 'false';
process.env.CDK_DISABLE_STACK_TRACE = '1';

const FOLDERS = [
  ...['plan-run', 'fit-model', 'fit-model-lambda', 'assess-batch', 'aggregate-run', 'report-run'],
  ...['check-budget', 'record-failure', 'raise-failure'],
];

/** The context of `cdk.json`: how CDK itself is set. */
export const CDK_CONTEXT: Record<string, unknown> = JSON.parse(readFileSync('cdk.json', 'utf8')).context;

/** Writes a folder of bundles with nothing in them but a word, which is all that a template needs. */
export function writeStubBundles(bundles: string, code = ''): void {
  for (const folder of FOLDERS) {
    mkdirSync(join(bundles, folder), { recursive: true });
    writeFileSync(join(bundles, folder, 'index.mjs'), `// ${folder} ${code}\n`);
  }
  writeFileSync(join(bundles, 'fit-model', 'Dockerfile'), 'FROM scratch\n');
}

/** Runs something with a folder of its own, and removes it. */
export function inTemporaryFolder<Result>(work: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'synthrisk-infra-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A resource of a template: type and properties, with intrinsic functions as they are. */
export interface Resource {
  readonly Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what tests look into.
  readonly Properties: any;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** A state of a state machine, as Amazon's language of states has it. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what tests look into.
export type State = any;

/** What an environment with these settings comes to. */
export interface Synthesized {
  readonly app: App;
  readonly template: Template;
  readonly text: string;
  /** Warnings and errors of CDK. */
  readonly messages: readonly string[];
  readonly resources: Readonly<Record<string, Resource>>;
  /** The states of the workflow, tokens as text between angle brackets. */
  readonly workflow: { readonly States: Record<string, State>; readonly [field: string]: unknown };
}

/** Synthesizes an environment in memory. */
export function synthesize(context: Record<string, unknown> = {}, code?: string): Synthesized {
  return inTemporaryFolder((folder) => {
    writeStubBundles(folder, code);
    const app = new App({ context: { ...CDK_CONTEXT, ...context }, outdir: join(folder, 'cdk.out') });
    const settings = readSettings(app.node.getAllContext());
    const stack = new EvaluationStack(app, `synthrisk-${settings.environment}`, { settings, bundles: folder });
    const template = Template.fromStack(stack);
    const { Resources: resources } = template.toJSON() as { Resources: Record<string, Resource> };
    const machine = Object.values(resources).find(
      ({ Type, Properties }) => Type === 'AWS::StepFunctions::StateMachine' && Properties.StateMachineType !== 'EXPRESS',
    );
    const annotations = Annotations.fromStack(stack);
    const messages = [...annotations.findWarning('*', Match.anyValue()), ...annotations.findError('*', Match.anyValue())].map(
      ({ id, entry }) => `${id}: ${entry.data}`,
    );
    return {
      app,
      messages,
      template,
      text: JSON.stringify(template.toJSON()),
      resources,
      workflow: JSON.parse(flatten(machine!.Properties.DefinitionString)),
    };
  });
}

/** A value of a template as text: references and attributes between angle brackets, the rest joined. */
export function flatten(value: unknown): string {
  if (typeof value === 'string') return value;
  const [[name, operand]] = Object.entries(value as object) as [[string, unknown]];
  if (name === 'Fn::Join') return (operand as [string, unknown[]])[1].map(flatten).join((operand as [string])[0]);
  if (name === 'Fn::GetAtt') return `<${(operand as string[]).join('.')}>`;
  if (name === 'Ref') return `<${operand}>`;
  return `<${JSON.stringify(value)}>`;
}

/** The resources of one type, by logical id. */
export function ofType({ resources }: Synthesized, type: string): [string, Resource][] {
  return Object.entries(resources).filter(([, resource]) => resource.Type === type);
}

/** A value that is one or several, as several. */
export function several<Value>(value: Value | Value[]): Value[] {
  return Array.isArray(value) ? value : [value];
}
