import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { configSchema } from '../../shared/contracts/config/config.ts';
import { VERSION } from '../../shared/contracts/version.ts';
import { smallTable } from '../pipeline/small-run.ts';
import { errorOf, FLAGS_WITH_UTILITY, fileStates, synthrisk, temporaryFolder } from '../run-command.ts';

const directory = temporaryFolder();

beforeAll(() => {
  writeFileSync(join(directory, 'table.csv'), smallTable());
});

describe('--help', () => {
  it.each(['evaluate', 'synthesize', 'assess', 'plan', 'report', 'schema'])('of %s shows examples of it', async (command) => {
    const { code, stdout, stderr } = await synthrisk(directory, [command, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [, examples] = stdout.split(/^Examples?:$/m);
    expect(examples).toContain(`  synthrisk ${command}`);
  });

  it('of the program lists every command and the exit codes', async () => {
    const { code, stdout } = await synthrisk(directory, ['--help']);
    expect(code).toBe(0);
    for (const command of ['evaluate', 'synthesize', 'assess', 'plan', 'report', 'schema']) {
      expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    }
    expect(stdout).toContain('Exit codes: 0 done, 2 bad input or config, 3');
    expect(stdout).toContain('synthrisk evaluate table.csv');
  });

  it('is not needed to learn the version', async () => {
    expect((await synthrisk(directory, ['--version'])).stdout).toBe(`${VERSION}\n`);
  });
});

interface JsonSchema {
  readonly type?: string;
  readonly properties?: Record<string, JsonSchema>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

/** Paths of the fields in a value for which a JSON Schema has no place. */
function unknownFields(schema: JsonSchema, value: unknown, path = ''): string[] {
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) {
    const ofAlternatives = alternatives.map((alternative) => unknownFields(alternative, value, path));
    return ofAlternatives.reduce((a, b) => (b.length < a.length ? b : a));
  }
  if (Array.isArray(value)) return value.flatMap((item) => unknownFields(schema.items ?? {}, item, path));
  if (typeof value !== 'object' || value === null) return schema.type === 'object' ? [path] : [];
  return Object.entries(value).flatMap(([name, field]) => {
    const rest = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
    const below = schema.properties?.[name] ?? rest;
    return below ? unknownFields(below, field, `${path}/${name}`) : [`${path}/${name}`];
  });
}

describe('schema', () => {
  let schema: JsonSchema & { $schema?: string };

  beforeAll(async () => {
    const { code, stdout, stderr } = await synthrisk(directory, ['schema']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    schema = JSON.parse(stdout);
  });

  it('is a JSON Schema that has a place for every field of the config that the documentation shows', () => {
    expect(schema.$schema).toContain('json-schema.org');
    const page = readFileSync(fileURLToPath(new URL('../../docs/how-to/your-table.md', import.meta.url)), 'utf8');
    const configs = [...page.matchAll(/^```yaml\n([\s\S]*?)^```/gm)].map(([, block]) => parse(block!));
    // One shows them all, others a few.
    expect(Math.max(...configs.map((config) => Object.keys(config).length))).toBeGreaterThan(4);
    for (const config of configs) {
      expect(unknownFields(schema, config)).toEqual([]);
      expect(configSchema.safeParse(config).success).toBe(true);
    }
  });

  it('has no place for an unknown field, at any depth', () => {
    expect(
      unknownFields(schema, {
        sead: 1,
        model: { clases: 2, concentration: { valeu: 1 } },
        mcmc: { burnin: 1 },
        synthesis: { structuralZero: 'z.csv' },
        attributeRisk: { candidates: { known: ['A'] } },
        variables: { A: { kind: 'x' } },
      }),
    ).toEqual([
      '/sead',
      '/model/clases',
      '/model/concentration/valeu',
      '/mcmc/burnin',
      '/synthesis/structuralZero',
      '/attributeRisk/candidates/known',
      '/variables/A/kind',
    ]);
    const closed = [schema, schema.properties!.mcmc!, ...schema.properties!.model!.oneOf!];
    expect(closed.map(({ additionalProperties }) => additionalProperties)).toEqual(Array(8).fill(false));
  });

  it('requires no field: every one has a default', () => {
    expect(JSON.stringify(schema.properties)).toContain('"default":"augmented"');
    expect(schema).not.toHaveProperty('required');
  });
});

describe('plan', () => {
  it('says in JSON what the evaluation with these settings would do and need', async () => {
    const args = ['table.csv', ...FLAGS_WITH_UTILITY, '--datasets', '2'];
    const before = fileStates(directory);
    const { code, stdout, stderr } = await synthrisk(directory, ['plan', ...args, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(fileStates(directory)).toEqual(before);
    const plan = JSON.parse(stdout);
    expect(Object.keys(plan)).toEqual([
      'table',
      'grouped',
      'candidatesPerCombination',
      'candidates',
      'batches',
      'chains',
      'iterations',
      'trees',
      'draws',
      'jobs',
      'minutes',
      'memoryMiB',
      'diskMiB',
      'secondsPer',
      'memoryLimitMiB',
      'rounds',
      'warnings',
    ]);
    expect(plan).toMatchObject({
      // The numbers of chains are named.
      rounds: null,
      table: { records: 60, variables: 4 },
      candidates: plan.table.combinations * plan.candidatesPerCombination,
      // 3 base, 2 synthesis, 2 sides of 2 pairs for each of 2 datasets.
      chains: 3 + 2 + 2 * 2 * 2,
      iterations: 3 * (10 + 4 * 2) + 2 * (10 + 2) + 2 * 2 * 2 * 4,
      // Base chains keep five more up to half their burn-in.
      draws: 3 * (5 + 4) + 2 * 2 * 2 * 4,
      jobs: 2,
      warnings: [],
    });
    for (const figure of ['minutes', 'memoryMiB', 'diskMiB']) expect(plan[figure]).toBeGreaterThan(0);
    const evaluated = await synthrisk(directory, ['evaluate', ...args, '--json', '--quiet']);
    expect(JSON.parse(evaluated.stdout).table).toEqual(plan.table);
  });

  it('says which numbers would be grouped into which bands', async () => {
    const ages = Array.from({ length: 120 }, (_, i) => `${i % 80},${i % 3}`);
    writeFileSync(join(directory, 'ages.csv'), `AGE,JOB\n${ages.join('\n')}\n`);
    writeFileSync(join(directory, 'bands.yaml'), 'variables: { AGE: { breaks: [0, 18, 65] } }\n');
    const refused = await synthrisk(directory, ['plan', 'ages.csv', '--json']);
    expect({ code: refused.code, error: errorOf(refused).code }).toEqual({ code: 2, error: 'continuous-variable' });
    expect(refused.stderr).toMatch(/^Error: Column `AGE` is numeric.*--breaks AGE=/m);
    const args = ['plan', 'ages.csv', ...FLAGS_WITH_UTILITY, '--config', 'bands.yaml'];
    const { stdout } = await synthrisk(directory, args);
    expect(stdout).toContain('AGE grouped into 3 bands: [0,18), [18,65), [65,Inf)\n');
    // Nothing follows where no rounds do.
    expect(stdout).toMatch(/ of memory; .* of disk\n$/);
    const { grouped, table } = JSON.parse((await synthrisk(directory, [...args, '--json'])).stdout);
    expect(grouped).toEqual([{ variable: 'AGE', bands: ['[0,18)', '[18,65)', '[65,Inf)'] }]);
    expect(table).toMatchObject({ records: 120, cells: 9 });
  });

  it('says which part of the time is for utility, where there is any', async () => {
    const line = /^ {2}of which .+ for utility \(--no-utility leaves it out\)$/m;
    const args = ['plan', 'table.csv', ...FLAGS_WITH_UTILITY];
    expect((await synthrisk(directory, args)).stdout).toMatch(line);
    expect((await synthrisk(directory, [...args, '--no-utility'])).stdout).not.toMatch(line);
  });

  it('says the same to a person', async () => {
    const { code, stdout, stderr } = await synthrisk(directory, ['plan', 'table.csv', ...FLAGS_WITH_UTILITY]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^60 records, 4 variables, [\d,]+ cells\n/);
    expect(stdout).toMatch(/^about [\d.]+ (s|min)( \d+ s)? with 2 jobs/m);
    expect(stdout).not.toContain('rounds of chains');
  });

  it.each([
    [['--reproducibility', '0.97', '--max-chains', '4x'], 0.97, 28],
    [['--reproducibility', 'rank=0.9', '--max-chains', '32'], 0.9, 32],
  ])('states with %j how many chains rounds may come to, and what they would take', async (goal, target, most) => {
    const flags = [...FLAGS_WITH_UTILITY, '--datasets', '2', ...goal, '--cloud'];
    const { stdout } = await synthrisk(directory, ['plan', 'table.csv', ...flags, '--json']);
    const { rounds, minutes, diskMiB, cloud } = JSON.parse(stdout);
    expect(rounds).toMatchObject({ of: 'rank', target, firstChains: 3 + 2 * 2, mostChains: most });
    // Utility is measured once, however many chains there are.
    expect(rounds.minutes).toBeGreaterThan(minutes);
    expect(rounds.diskMiB).toBeGreaterThan(diskMiB);
    expect(rounds.cloud.minutes).toBeGreaterThan(cloud.minutes.total);
    expect(rounds.cloud.dollars).toBeGreaterThan(cloud.dollars);
    const told = (await synthrisk(directory, ['plan', 'table.csv', ...flags])).stdout;
    expect(told).toContain(
      `rounds of chains until ranks are expected to correlate by ${target} between two evaluations: 7 base chains and pairs, and up to ${most} where`,
    );
    expect(told).toMatch(/^ {2}all of them would take about [\d.]+ (s|min) .*, in AWS [\d.]+ (s|min)( \d+ s)? and \$/m);
  });
});
