import { beforeAll, describe, expect, it } from 'vitest';
import { readJson } from '../../../shared/artifacts/stored-json.ts';
import { InvalidConfigError } from '../../../shared/contracts/errors.ts';
import { type Summary, summarySchema } from '../../../shared/contracts/results/summary.ts';
import { acceptanceRules, applyAcceptanceRule, parseAcceptanceRule } from '../../../shared/contracts/settings/acceptance-rule.ts';
import { completeConfig } from '../../../shared/contracts/settings/complete-config.ts';
import type { Settings } from '../../../shared/contracts/settings/settings.ts';
import { runFigures, smallConfig, smallTable } from '../../pipeline/small-run.ts';
import { TEST_KEYS } from '../../test-keys.ts';

let summary: Summary;

beforeAll(async () => {
  const { store, keys } = await runFigures({ ...TEST_KEYS, purpose: 'evaluate', config: smallConfig(), table: smallTable() });
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
    'attributeRisk..probabilityMax <= 1',
    'attributeRisk[one].probabilityMax <= 1',
    'attributeRisk["one].probabilityMax <= 1',
    'attributeRisk["\\q"].probabilityMax <= 1',
    'attributeRisk["one"]["two"].probabilityMax <= 1',
  ])('refuses %j as malformed', (rule) => {
    expect(codeOf(rule)).toBe('malformed-rule');
  });

  it.each([
    'attributeRisk.risk <= 0.05',
    'attributeRisk <= 1',
    'attributeRisk.estimator <= 1',
    'attributeRisk.rankHistogram <= 1',
    'attributeRisk.probabilityMax.value <= 1',
    'identificationRisk.applies <= 1',
    'utility.propensity <= 1',
    'seconds.total <= 60',
    'constructor.length <= 1',
    // Their elements are of no scenario.
    'rounds["one"].round >= 1',
    'table["one"].records >= 1',
    'attributeRisk.variables["one"].gainBitsMean <= 1',
  ])('refuses %j, which names no number of the summary', (rule) => {
    expect(codeOf(rule)).toBe('unknown-figure');
  });
});

describe('a rule that no run could meet', () => {
  it.each([
    'attributeRisk.truthRankedFirstShare < 0',
    'attributeRisk.truthRankedFirstShare <= -0.1',
    'attributeRisk.probabilityMean > 1',
    'attributeRisk.probabilityMean >= 1.01',
    'attributeRisk.informationBitsMean < 0',
    'attributeRisk["one"].privacyLossMax <= -1',
    'attributeRisk.epsilon <= 0',
    'identificationRisk.mean.trueMatchRate < 0',
  ])('is refused: %s', (rule) => {
    expect(codeOf(rule)).toBe('unmeetable-rule');
  });

  it.each([
    'attributeRisk.truthRankedFirstShare <= 0',
    'attributeRisk.probabilityMean >= 1',
    'attributeRisk.informationBitsMean >= 1e6',
    'attributeRisk.gainBitsMean < -5',
    'attributeRisk.epsilon < 1e-9',
    'table.records >= 0',
  ])('is none that some run could: %s', (rule) => {
    expect(codeOf(rule)).toBeNull();
  });
});

describe('a rule on one scenario', () => {
  const names = ['holds only the release', 'knows "all" but .one]'] as const;
  const [first] = names;
  const two = (): Summary => ({
    ...summary,
    warnings: [],
    attributeRisk: names.map((scenario, s) => ({ ...summary.attributeRisk[0]!, scenario, probabilityMax: [0.2, 0.6][s]! })),
  });

  it('is held against that one, however it is called', () => {
    expect(apply(`attributeRisk["${first}"].probabilityMax <= 0.5`, two())).toEqual({
      rule: `attributeRisk["${first}"].probabilityMax <= 0.5`,
      scenario: first,
      value: 0.2,
      met: true,
    });
    const other = `attributeRisk[${JSON.stringify(names[1])}].probabilityMax <= 0.5`;
    expect(apply(other, two())).toEqual({ rule: other, scenario: names[1], value: 0.6, met: false });
  });

  it('without a name is held against all, and names the worst', () => {
    expect(apply('attributeRisk.probabilityMax <= 0.5', two())).toMatchObject({ scenario: names[1], met: false });
    expect(apply('attributeRisk.probabilityMax >= 0.5', two())).toMatchObject({ scenario: first, met: false });
  });

  it('is not met where the run has none of that name', () => {
    expect(apply('attributeRisk["nobody"].probabilityMax <= 1', two())).toMatchObject({ scenario: 'nobody', value: null, met: false });
  });

  it('of a config says which one it is of, and asks back where the name is no scenario', () => {
    const scenarios = [
      { name: first, candidates: 'one-change', acceptance: [' probabilityMax <= 0.5'] },
      { name: 'lacks the income', candidates: 'two-changes' },
    ];
    const config = completeConfig({ acceptance: ['table.records > 1'], attributeRisk: { scenarios } });
    expect(acceptanceRules(config).map(({ rule }) => rule)).toEqual([
      'table.records > 1',
      `attributeRisk["${first}"].probabilityMax <= 0.5`,
    ]);
    const slip = 'lacks teh income';
    const refused = (settings: object) => () =>
      completeConfig({ ...settings, attributeRisk: { scenarios, ...((settings as Settings).attributeRisk as object) } });
    for (const settings of [
      { acceptance: [`attributeRisk["${slip}"].probabilityMax <= 0.5`] },
      { attributeRisk: { acceptanceRegion: [`attributeRisk["${slip}"]: RR <= 2`] } },
    ]) {
      expect(refused(settings)).toThrow(expect.objectContaining({ code: 'unknown-scenario' }));
      expect(refused(settings)).toThrow('did you mean "lacks the income"?');
      expect(refused(settings)).not.toThrow(slip);
    }
    expect(refused({ acceptance: ['attributeRisk["quite another"].probabilityMax <= 0.5'] })).not.toThrow('did you mean');
    // Its figures are those of attribute risk.
    expect(() => completeConfig({ attributeRisk: { scenarios: [{ name: 'a', acceptance: ['table.records > 1'] }] } })).toThrow(
      expect.objectContaining({ code: 'unknown-figure' }),
    );
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
      scenario: null,
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
      warnings: [],
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
    expect(apply('attributeRisk.reproducibility <= 1', { ...summary, attributeRisk: [] })).toMatchObject(unmet);
    // Neither applies to fully synthetic data.
    expect(apply('identificationRisk.mean.expectedMatchRisk <= 1')).toMatchObject(unmet);
    expect(apply('attributeDisclosures.all.meanShare <= 1')).toMatchObject(unmet);
  });

  describe('of a figure that cannot be relied upon', () => {
    const warned = (code: string) => [{ code, message: '' }];
    const risk = () => ({
      ...summary.attributeRisk[0]!,
      ...{ gainBitsExcess: 0.1, gainBitsExcessHalfWidth: 0.2, reproducibility: 0.99, rankReproducibility: 0.99 },
    });
    const rule = 'attributeRisk.gainBitsMean <= 100';
    const judged = (changes: object, warnings: Summary['warnings'] = [], text = rule) =>
      apply(text, { ...summary, warnings, attributeRisk: [{ ...risk(), ...changes }] });

    it('is not met, and says why, where gain and claim differ by more than errors allow, either way', () => {
      expect(judged({})).toEqual(expect.objectContaining({ met: true }));
      expect(judged({}).reason).toBeUndefined();
      expect(judged({ gainBitsExcess: 0.2 }).met).toBe(true);
      expect(judged({ gainBitsExcess: 0.21 })).toMatchObject({
        met: false,
        reason: expect.stringContaining('reveals less than the estimate claims'),
      });
      // Of datasets made elsewhere the model may be another; the run's own have its model.
      const reasonOf = (chains: 'own' | 'foreign') =>
        apply(rule, { ...summary, synthesis: { ...summary.synthesis, chains }, attributeRisk: [{ ...risk(), gainBitsExcess: 0.21 }] })
          .reason;
      expect(reasonOf('own')).toContain('different fits of the table');
      expect(reasonOf('foreign')).toContain('not the one that made it');
      expect(judged({ gainBitsExcess: -0.21 })).toMatchObject({
        met: false,
        reason: expect.stringContaining('reveals more than the estimate claims'),
      });
      expect(judged({ gainBitsExcess: 9, gainBitsExcessHalfWidth: null }).met).toBe(true);
      expect(judged({ gainBitsExcess: 9, estimator: 'exact' }).met).toBe(true);
    });

    it('is not met where chains differ and what they find is not reproduced', () => {
      const low = { rankReproducibility: 0.79 };
      expect(judged(low).met).toBe(true);
      expect(judged({}, warned('chains-differ')).met).toBe(true);
      expect(judged(low, warned('chains-differ'))).toMatchObject({ met: false, reason: expect.stringContaining('have not converged') });
      // What follows from settings, or is itself about reliability, stands.
      for (const field of ['records', 'reproducibility']) {
        expect(judged(low, warned('chains-differ'), `attributeRisk.${field} >= 0`).met).toBe(true);
      }
    });

    it('is not met where copies are unexplained or the datasets are not assessable', () => {
      expect(judged({}, warned('copies-unexplained'))).toMatchObject({ met: false });
      const not = { ...summary, assessable: false, assessableReason: 'The dataset is the table.' };
      expect(apply('table.records >= 0', not)).toMatchObject({ met: false, reason: expect.any(String) });
    });

    it('gives the reason that stands beside a figure which is absent', () => {
      const without = { ...summary, attributeRisk: [], attributeRiskReason: 'It was not asked for.' };
      expect(apply(rule, without)).toMatchObject({ value: null, met: false, reason: 'It was not asked for.' });
    });
  });
});
