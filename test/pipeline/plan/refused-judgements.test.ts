import { describe, expect, it } from 'vitest';
import { SynthriskError } from '../../../shared/contracts/errors.ts';
import { completeConfig } from '../../../shared/contracts/settings/complete-config.ts';
import { planRun } from '../../../shared/pipeline/plan/plan-run.ts';
import { TEST_KEYS } from '../../test-keys.ts';
import { COUNT_SETTINGS, SMALL_SETTINGS } from '../small-run.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const TABLE = utf8(
  `age,status,work\n${['adult,married,full', 'adult,single,part', 'child,single,none', 'adult,widowed,none'].join('\n')}\n`,
);
const CATEGORIES = {
  age: { categories: ['adult', 'child'] },
  status: { categories: ['married', 'single', 'widowed'] },
  work: { categories: ['full', 'part', 'none'] },
};

/** Plans a run as every command does, from its settings on. */
async function plan(settings: object, files: { prior?: string; known?: string } = {}) {
  const config = completeConfig({ ...SMALL_SETTINGS, ...settings });
  return planRun({
    ...TEST_KEYS,
    purpose: 'evaluate',
    config,
    table: TABLE,
    ...(files.prior === undefined ? {} : { priorFiles: [utf8(files.prior)] }),
    ...(files.known === undefined ? {} : { knownFiles: new Map([['known.csv', utf8(files.known)]]) }),
  });
}

/** Holds that a run is refused before any work by a named error, for which a command ends with code 2. */
async function expectRefusal(planned: Promise<unknown>, name: string, code: string) {
  const error = await planned.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SynthriskError);
  expect(error).toMatchObject({ name, code, exitCode: 2 });
}

const unknown = { unknown: ['status', 'work'] };
const prior = { attributeRisk: { candidates: unknown, prior: { file: 'prior.csv' } } };
const counts = (model: object, more: object = {}) => ({
  ...COUNT_SETTINGS,
  mcmc: undefined,
  variables: CATEGORIES,
  model: { name: 'dirichlet-multinomial', epsilon: 2, ...model },
  ...more,
});

it('what fits is planned', async () => {
  const weights = 'status,weight\nmarried,1\nsingle,2\nwidowed,1\n';
  const scenarios = [{ name: 'a', knows: { share: 0.5 }, candidates: unknown }];
  const planned = [plan(prior, { prior: weights }), plan({ attributeRisk: { scenarios } }), plan(counts({}))];
  for (const one of planned) expect((await one).plan.runId).toMatch(/^[0-9a-f]{16}$/);
});

describe('a prior that does not fit is refused', () => {
  it.each([
    ['a negative weight', 'status,weight\nmarried,1\nsingle,-1\nwidowed,1\n', 'negative-weight'],
    ['weights that are all zero', 'status,weight\nmarried,0\nsingle,0\nwidowed,0\n', 'no-weight'],
    ['no weights', 'status,weight\n', 'no-weight'],
    ['a truth of weight zero', 'status,weight\nmarried,1\nsingle,0\nwidowed,1\n', 'prior-excludes-records'],
    ['a truth without a weight', 'status,weight\nmarried,1\nsingle,1\n', 'prior-excludes-records'],
    ['an unknown category', 'status,weight\nmarried,1\nsingle,1\nwidower,1\n', 'value-outside-categories'],
    ['an unknown variable', 'income,weight\n1,1\n', 'unknown-variable'],
    ['a weight that is no number', 'status,weight\nmarried,1\nsingle,some\n', 'malformed-weight'],
    ['an infinite weight', 'status,weight\nmarried,1\nsingle,Infinity\nwidowed,1\n', 'malformed-weight'],
    ['a cell named twice', 'status,weight\nmarried,1\nsingle,1\nmarried,1\n', 'repeated-cell'],
    ['no column of weights', 'status,mass\nmarried,1\n', 'no-weight-column'],
  ])('%s', async (_, file, code) => {
    await expectRefusal(plan(prior, { prior: file }), 'InvalidTableError', code);
    const cells = { attributeRisk: { candidates: 'all-cells', prior: { file: 'prior.csv' } } };
    await expectRefusal(plan(cells, { prior: file }), 'InvalidTableError', code);
  });

  it('and one on candidates that depend on the truth', async () => {
    const of = (candidates: unknown) => plan({ attributeRisk: { candidates, prior: 'empirical' } });
    await expectRefusal(of('one-change'), 'InvalidConfigError', 'prior-of-changes');
    await expectRefusal(of('two-changes'), 'InvalidConfigError', 'prior-of-changes');
  });
});

describe('an intruder who cannot be is refused', () => {
  it('who does not know what the release keeps', async () => {
    const settings = { synthesis: { datasets: 2, synthesized: ['work'] } };
    for (const scenario of [{ candidates: unknown }, { scenarios: [{ name: 'a' }, { name: 'b', candidates: unknown }] }]) {
      await expectRefusal(plan({ ...settings, attributeRisk: scenario }), 'InvalidConfigError', 'unknown-but-kept');
    }
  });

  it.each([0, 1, -0.1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '0.1'])('who knows a share of %s', async (share) => {
    const scenarios = [{ name: 'a', knows: { share } }];
    await expectRefusal(plan({ attributeRisk: { scenarios } }), 'InvalidConfigError', 'invalid-config');
  });

  it.each([
    ['a record that there is not', 'record\n5\n'],
    ['a record 0', 'record\n0\n'],
    ['a record twice', 'record\n2\n2\n'],
    ['all records', 'record\n1\n2\n3\n4\n'],
  ])('who has %s', async (_, known) => {
    const scenarios = [{ name: 'a', knows: { file: 'known.csv' }, candidates: unknown }];
    const refused = plan({ attributeRisk: { scenarios } }, { known });
    await expect(refused).rejects.toMatchObject({ exitCode: 2, code: expect.any(String) });
    await expect(refused).rejects.toBeInstanceOf(SynthriskError);
  });
});

describe('a guarantee that is none is refused', () => {
  it.each([0, -1, Number.POSITIVE_INFINITY, Number.NaN])('epsilon %s', async (epsilon) => {
    await expectRefusal(plan(counts({ epsilon })), 'InvalidConfigError', 'invalid-config');
  });

  it('of cells that are not declared, in whole or for one variable', async () => {
    await expectRefusal(plan(counts({}, { variables: {} })), 'InvalidConfigError', 'undeclared-categories');
    const { work: _, ...some } = CATEGORIES;
    await expectRefusal(plan(counts({}, { variables: some })), 'InvalidConfigError', 'undeclared-categories');
  });
});

describe('a rule that nobody can meet is refused', () => {
  it.each([
    [{ acceptance: ['attributeRisk.truthRankedFirstShare < 0'] }, 'unmeetable-rule'],
    [{ attributeRisk: { acceptanceRegion: ['R <= 0.1'] } }, 'unmeetable-region'],
    [{ attributeRisk: { scenarios: [{ name: 'a', acceptance: ['probabilityMean > 1'] }] } }, 'unmeetable-rule'],
    [{ attributeRisk: { scenarios: [{ name: 'a', acceptanceRegion: ['R <= 0.1 and RR <= 2'] }] } }, 'unmeetable-region'],
  ])('%j', async (settings, code) => {
    await expectRefusal(plan(settings), 'InvalidConfigError', code);
  });
});
