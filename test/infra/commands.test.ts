import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ofType, several, synthesize } from './synthesize.ts';

const CLIENT = 'cli/cloud/aws-environment.ts';

/** What only commands of whoever deploys ask for. */
const OF_THE_DEPLOYER = ['cli/cloud/bucket-checks.ts', 'cli/cloud/deployed-stack.ts'];

/** What AWS asks for beside the right of a call's own name, and where the name differs. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  // Without the second its answer has no tags, and so no sizes.
  GetFunction: ['lambda:GetFunction', 'lambda:ListTags'],
  Invoke: ['lambda:InvokeFunction'],
};

/** Who uses a command, as docs/cloud.md says. */
const USERS: Readonly<Record<string, readonly string[]>> = {
  submit: ['Submitter'],
  status: ['Submitter', 'Operator', 'ConfidentialReader', 'ReleaseReader'],
  fetch: ['ConfidentialReader', 'ReleaseReader'],
  cancel: ['Operator'],
  resume: ['Operator'],
  record: ['ConfidentialReader'],
};

/** Commands of whoever deploys, who has rights of his own. */
const OF_DEPLOYERS = ['deploy', 'doctor'];

/** Every TypeScript file below a folder. */
const sources = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => posix.join(folder, path.replaceAll('\\', '/')));

/** A file, and all that it imports below `cli/`. */
function closureOf(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const [, specifier] of readFileSync(path, 'utf8').matchAll(/from '(\.[^']+\.ts)'/g)) {
    const imported = posix.join(posix.dirname(path), specifier!);
    if (imported.startsWith('cli/')) closureOf(imported, seen);
  }
  return seen;
}

/** The rights that each method of the client needs, from the calls in its text. */
function rightsByMethod(): Map<string, string[]> {
  const rights = new Map<string, string[]>();
  for (const method of readFileSync(CLIENT, 'utf8').split(/^ {2}(?=(?:async )?#?\w+\()/m)) {
    const name = /^(?:async )?#?(\w+)\(/.exec(method)?.[1] ?? '';
    const own = [...method.matchAll(/this\.#(\w+)\.send\(\s*new (\w+)Command\(/g)].flatMap(
      ([, client, call]) => ACTIONS[call!] ?? [`${client}:${call}`],
    );
    rights.set(name, [...(rights.get(name) ?? []), ...own]);
  }
  return rights;
}

describe('rights of people', () => {
  const environment = synthesize({ engine: 'lambda' });
  const byMethod = rightsByMethod();

  const granted = (person: string) =>
    ofType(environment, 'AWS::IAM::ManagedPolicy')
      .filter(([id]) => id.includes(`People${person}Policy`))
      .flatMap(([, { Properties }]) => several(Properties.PolicyDocument.Statement))
      .flatMap(({ Action }) => several<string>(Action));

  it('are looked for wherever AWS is called', () => {
    const calls = readFileSync(CLIENT, 'utf8').match(/new \w+Command\(/g)!;
    expect([...byMethod.values()].flat().length).toBeGreaterThanOrEqual(calls.length);
    const callers = ['cli', 'functions', 'shared']
      .flatMap(sources)
      .filter((path) => /new [A-Z]\w+Command\(/.test(readFileSync(path, 'utf8')));
    // What the store asks for is held to the roles request by request, in access.test.ts and people.test.ts.
    expect(callers.sort()).toEqual([CLIENT, ...OF_THE_DEPLOYER, 'shared/storage/s3-store.ts']);
  });

  it('are not asked for what only who deploys may', () => {
    for (const command of Object.keys(USERS)) {
      const closure = closureOf(`cli/commands/cloud/${command}.ts`);
      expect(
        OF_THE_DEPLOYER.filter((path) => closure.has(path)),
        command,
      ).toEqual([]);
    }
  });

  it('are of every command, or of who deploys', () => {
    const commands = sources('cli/commands/cloud').map((path) => posix.basename(path, '.ts'));
    expect(commands.sort()).toEqual([...Object.keys(USERS), ...OF_DEPLOYERS].sort());
  });

  it.each(Object.entries(USERS))('let those use `cloud %s` for whom it is: %j', (command, people) => {
    const text = [...closureOf(`cli/commands/cloud/${command}.ts`)]
      .filter((path) => path !== CLIENT)
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n');
    const methods = [...text.matchAll(/environment\.(\w+)\(/g)].map(([, method]) => method!);
    // Every command finds its environment first.
    const wanted = [...new Set(['find', ...methods])].flatMap((method) => byMethod.get(method) ?? []);
    expect(wanted).toContain('lambda:ListTags');
    for (const person of people) {
      const has = granted(person);
      expect(
        wanted.filter((action) => !has.includes(action)),
        person,
      ).toEqual([]);
    }
  });
});
