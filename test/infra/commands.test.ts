import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flatten, ofType, several, synthesize } from './synthesize.ts';

const CLIENT = 'cli/cloud/aws-environment.ts';
/** What is asked of objects beside reading and writing them. */
const OBJECTS = 'cli/cloud/bucket-objects.ts';
/** What signs manifests, whose right is in the policy of the key. */
const SIGNER = 'functions/report-run/manifest-signer.ts';

/** What only commands of whoever deploys ask for. */
const OF_THE_DEPLOYER = [
  'cli/cloud/bucket-checks.ts',
  'cli/cloud/deployed-stack.ts',
  'cli/cloud/existing-parts.ts',
  'cli/cloud/pinned-image.ts',
];

/** What AWS asks for beside the right of a call's own name, and where the name differs. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  // Without the second its answer has no tags, and so no sizes.
  GetFunction: ['lambda:GetFunction', 'lambda:ListTags'],
  Invoke: ['lambda:InvokeFunction'],
  // Everybody has the right to ask who he is.
  GetCallerIdentity: [],
  ListObjectVersions: ['s3:ListBucketVersions'],
  // Of versions that are named: without a name S3 would ask for the right to add a delete marker.
  DeleteObjects: ['s3:DeleteObjectVersion'],
};

/** What is asked only where results are locked; past a lock in governance mode there is a right of its own. */
const OF_LOCKS = ['s3:GetObjectRetention'];

/** Who uses a command, as docs/how-to/cloud.md says. */
const USERS: Readonly<Record<string, readonly string[]>> = {
  doctor: ['Operator'],
  submit: ['Submitter'],
  canary: ['Submitter'],
  status: ['Submitter', 'Operator', 'ConfidentialReader', 'ReleaseReader', 'Approver', 'Purger'],
  fetch: ['ConfidentialReader', 'ReleaseReader'],
  cancel: ['Operator'],
  resume: ['Operator'],
  record: ['ConfidentialReader'],
  redrive: ['ConfidentialReader'],
  predictions: ['ConfidentialReader'],
  release: ['Approver'],
  purge: ['Purger'],
};

/** What commands ask of objects beside reading and writing them, by the methods of the client of objects. */
const OBJECT_RIGHTS: Readonly<Record<string, readonly string[]>> = {
  release: ['s3:PutObjectTagging'],
  purge: ['s3:ListBucketVersions', 's3:DeleteObjectVersion'],
};

/** Commands of whoever deploys, who has rights of his own. */
const OF_DEPLOYERS = ['deploy'];

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
function rightsByMethod(client: string): Map<string, string[]> {
  const rights = new Map<string, string[]>();
  for (const method of readFileSync(client, 'utf8').split(/^ {2}(?=(?:async )?#?\w+\()/m)) {
    const name = /^(?:async )?#?(\w+)\(/.exec(method)?.[1] ?? '';
    const service = /this\.#(\w+)\.send\(/.exec(method)?.[1];
    const own = [...method.matchAll(/new (\w+)Command\(/g)].flatMap(([, call]) => ACTIONS[call!] ?? [`${service}:${call}`]);
    rights.set(name, [...(rights.get(name) ?? []), ...own]);
  }
  return rights;
}

describe('rights of people', () => {
  const environment = synthesize({ engine: 'lambda' });
  const locked = synthesize({ engine: 'lambda', objectLock: 'governance', objectLockDays: '90' });
  const byMethod = rightsByMethod(CLIENT);
  const ofObjects = rightsByMethod(OBJECTS);

  const granted = (person: string, of = environment) =>
    ofType(of, 'AWS::IAM::ManagedPolicy')
      .filter(([id]) => id.includes(`People${person}Policy`))
      .flatMap(([, { Properties }]) => several(Properties.PolicyDocument.Statement))
      .flatMap(({ Action }) => several<string>(Action));

  it('are looked for wherever AWS is called', () => {
    const calls = readFileSync(CLIENT, 'utf8').match(/new \w+Command\(/g)!;
    const free = Object.values(ACTIONS).filter(({ length }) => length === 0);
    expect([...byMethod.values()].flat().length + free.length).toBeGreaterThanOrEqual(calls.length);
    expect([...ofObjects.values()].flat().sort()).toEqual([
      ...['s3:DeleteObjectVersion', 's3:GetObjectRetention', 's3:ListBucketVersions', 's3:PutObjectTagging'],
    ]);
    const callers = ['cli', 'functions', 'shared']
      .flatMap(sources)
      .filter((path) => /new [A-Z]\w+Command\(/.test(readFileSync(path, 'utf8')));
    // What the store asks for is held to the roles request by request, in access.test.ts and people.test.ts.
    expect(callers.sort()).toEqual([CLIENT, OBJECTS, SIGNER, ...OF_THE_DEPLOYER, 'shared/storage/s3-store.ts'].sort());
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
    wanted.push(...(OBJECT_RIGHTS[command] ?? []));
    for (const person of people) {
      const has = granted(person);
      expect(
        wanted.filter((action) => !has.includes(action)),
        person,
      ).toEqual([]);
    }
  });

  it('hold what is asked of objects by who asks it, and the way past a lock where there is one', () => {
    const asked = Object.values(OBJECT_RIGHTS).flat();
    const all = [...ofObjects.values()].flat();
    expect(all.filter((action) => !asked.includes(action))).toEqual(OF_LOCKS);
    for (const action of [...OF_LOCKS, 's3:BypassGovernanceRetention']) {
      expect(granted('Purger')).not.toContain(action);
      expect(granted('Purger', locked)).toContain(action);
    }
    expect(readFileSync(OBJECTS, 'utf8')).toContain('BypassGovernanceRetention: true');
  });

  it('to sign are in the policy of the key, for the step that signs alone', () => {
    const calls = [...readFileSync(SIGNER, 'utf8').matchAll(/new (\w+)Command\(/g)].map(([, call]) => `kms:${call}`);
    const keys = ofType(environment, 'AWS::KMS::Key').filter(([, { Properties }]) => Properties.KeySpec);
    expect(keys).toHaveLength(1);
    const statements = keys[0]![1].Properties.KeyPolicy.Statement as {
      Effect: string;
      Action: string | string[];
      Principal: { AWS: unknown };
      Condition?: { ArnNotEquals: Record<string, unknown[]> };
    }[];
    const allowed = statements.filter(({ Action, Effect }) => Effect === 'Allow' && Action !== 'kms:*');
    expect(allowed.flatMap(({ Action }) => several(Action))).toEqual(calls);
    expect(flatten(allowed[0]!.Principal.AWS)).toMatch(/ReportRunFunctionRole/);
    const refused = statements.filter(({ Effect }) => Effect === 'Deny');
    expect(refused.flatMap(({ Action }) => several(Action))).toEqual(['kms:CreateGrant', 'kms:Sign']);
    const but = several(refused[0]!.Condition!.ArnNotEquals['aws:PrincipalArn'] as unknown);
    expect(but.map(flatten)).toEqual([flatten(allowed[0]!.Principal.AWS)]);
  });
});
