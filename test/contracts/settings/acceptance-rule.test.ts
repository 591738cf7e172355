import { beforeAll, describe, expect, it } from 'vitest';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { InvalidConfigError } from '../../../shared/contracts/errors.ts';
import { type Summary, summarySchema } from '../../../shared/contracts/results/summary.ts';
import {
  applyAcceptanceRule,
  parseAcceptanceRule,
} from '../../../shared/contracts/settings/acceptance-rule.ts';
import { runInMemory, smallConfig, smallTable } from '../../pipeline/small-run.ts';
import { TEST_KEYS } from '../../test-keys.ts';

let summary: Summary;

beforeAll(async () => {
  const { store, keys } = await runInMemory({
    ...TEST_KEYS,
    purpose: 'evaluate',
    config: smallConfig(),
    table: smallTable(),
  });
  summary = await readJson(store, keys.confidential.summary, summarySchema);
});

const apply = (rule: string, to: Summary = summary) => applyAcceptanceRule(parseAcceptanceRule(rule, 1), to);
const codeOf = (rule: string) => {
  try {
    parseAcceptanceRule(rule, 1);
  } catch (error) {
    if (error instanceof InvalidConfigError) return error.code;
    throw error;
  }
  return null;
};

describe('parseAcceptanceRule()', () => {
  it.each([
    ['attributeRisk.truthRankedFirstShare <= 0.05', '<=', 0.05],
    ['  table.records>=100  ', '>=', 100],
    ['attributeRisk.probabilityMax < 5e-1', '<', 0.5],
    ['model.occupiedClassesMax > -1', '>', -1],
    ['attributeRisk.privacyLossMax <= 1', '<=', 1],
  ])('reads %j', (rule, operator, bound) => {
    expect(parseAcceptanceRule(rule, 1)).toMatchObject({ rule, operator, bound });
  });

  it.each([
    '',
    'attributeRisk.probabilityMax',
    'attributeRisk.probabilityMax <=',
    'attributeRisk.probabilityMax = 0.5',
    'attributeRisk.probabilityMax ≤ 0.5',
    'attributeRisk.probabilityMax <= 0,5',
    'attributeRisk.probabilityMax <= 0.5.1',
    'attributeRisk.probabilityMax <= half',
    '0.5 >= attributeRisk.probabilityMax',
  ])('refuses %j as malformed', (rule) => {
    expect(codeOf(rule)).toBe('malformed-rule');
  });

  it.each([
    'attributeRisk.risk <= 0.05',
    'attributeRisk <= 1',
    'attributeRisk..probabilityMax <= 1',
    'attributeRisk.estimator <= 1',
    'attributeRisk.rankHistogram <= 1',
    'attributeRisk.probabilityMax.value <= 1',
    'identificationRisk.applies <= 1',
    'utility.propensity <= 1',
    'seconds.total <= 60',
    'constructor.length <= 1',
  ])('refuses %j, which names no number of the summary', (rule) => {
    expect(codeOf(rule)).toBe('unknown-figure');
  });
});

describe('applyAcceptanceRule()', () => {
  it('does not meet a rule on what the run does not measure', () => {
    expect(apply('attributeRisk.epsilon <= 1000')).toMatchObject({ value: null, met: false });
  });

  it('compares with the bound, which itself belongs to <= and >= alone', () => {
    const { records } = summary.table;
    expect(apply(`table.records <= ${records}`)).toEqual({
      rule: `table.records <= ${records}`,
      value: records,
      met: true,
    });
    expect(apply(`table.records >= ${records}`).met).toBe(true);
    expect(apply(`table.records < ${records}`).met).toBe(false);
    expect(apply(`table.records > ${records}`).met).toBe(false);
    expect(apply(`table.records < ${records + 1}`).met).toBe(true);
    expect(apply(`table.records > ${records - 1}`).met).toBe(true);
  });

  it('holds every element of a list to the rule and gives the worst', () => {
    const [risk] = summary.attributeRisk;
    const two: Summary = {
      ...summary,
      attributeRisk: [
        { ...risk!, probabilityMax: 0.2 },
        { ...risk!, probabilityMax: 0.6 },
      ],
    };
    expect(apply('attributeRisk.probabilityMax <= 0.5', two)).toMatchObject({ value: 0.6, met: false });
    expect(apply('attributeRisk.probabilityMax <= 0.6', two)).toMatchObject({ value: 0.6, met: true });
    expect(apply('attributeRisk.probabilityMax >= 0.3', two)).toMatchObject({ value: 0.2, met: false });
    expect(apply('attributeRisk.probabilityMax >= 0.2', two)).toMatchObject({ value: 0.2, met: true });
  });

  it('does not take what is undefined for met', () => {
    const [risk] = summary.attributeRisk;
    const unmet = { value: null, met: false };
    const some: Summary = {
      ...summary,
      attributeRisk: [
        { ...risk!, reproducibility: 0.99 },
        { ...risk!, reproducibility: null },
      ],
    };
    expect(apply('attributeRisk.reproducibility >= 0.9', some)).toMatchObject(unmet);
    expect(apply('attributeRisk.reproducibility <= 1', { ...summary, attributeRisk: [] })).toMatchObject(
      unmet,
    );
    // Neither applies to fully synthetic data.
    expect(apply('identificationRisk.mean.expectedMatchRisk <= 1')).toMatchObject(unmet);
    expect(apply('attributeDisclosures.all.meanShare <= 1')).toMatchObject(unmet);
  });
});
