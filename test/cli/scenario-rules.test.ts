import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { SMALL_SETTINGS, smallTable } from '../pipeline/small-run.ts';
import { wordsOf } from '../report/words-of.ts';
import { errorOf, synthrisk, temporaryFolder } from '../run-command.ts';

const directory = temporaryFolder();

/** Two intruders of whom the second has far more candidates, and each a rule that the other breaks or has not. */
const scenarios = [
  {
    name: 'knows all but one value',
    candidates: 'one-change',
    acceptance: ['candidatesPerCombinationMax <= 20', 'probabilityMean <= 0'],
    acceptanceRegion: ['RR <= 1e6'],
  },
  { name: 'lacks "two"', candidates: { unknown: ['region', 'age_group', 'education'] } },
];

const acceptance = [
  'attributeRisk["lacks \\"two\\""].candidatesPerCombinationMax >= 20',
  'attributeRisk.candidatesPerCombinationMax <= 20',
  'table.records >= 1',
];

const acceptanceRegion = ['attributeRisk["lacks \\"two\\""]: R <= 0 or RR <= 1', 'RR <= 1e9'];

beforeAll(async () => {
  writeFileSync(join(directory, 'table.csv'), smallTable());
  const settings = { ...SMALL_SETTINGS, acceptance, attributeRisk: { acceptanceRegion, scenarios } };
  writeFileSync(join(directory, 'run.yaml'), stringify(settings));
});

interface Result {
  readonly rule: string;
  readonly scenario: string | null;
  readonly met: boolean;
}

const resultsOf = (stdout: string) => (JSON.parse(stdout).acceptance as Result[]).map(({ rule, scenario, met }) => [rule, scenario, met]);

describe('acceptance rules on one scenario', () => {
  it('judge that one alone; exit code, terminal and report say which', async () => {
    const args = ['evaluate', 'table.csv', '--config', 'run.yaml', '--out', 'run'];
    const first = await synthrisk(directory, [...args, '--json']);
    expect(first.code, first.stderr).toBe(4);
    const [one, two] = scenarios.map(({ name }) => name) as [string, string];
    expect(resultsOf(first.stdout)).toEqual([
      [acceptance[0], two, true],
      [acceptance[1], two, false],
      [acceptance[2], null, true],
      [`attributeRisk["${one}"].candidatesPerCombinationMax <= 20`, one, true],
      [`attributeRisk["${one}"].probabilityMean <= 0`, one, false],
      // Its chains are too short to converge, so that no estimate of it meets a rule.
      ['RR <= 1e9', one, false],
      ['RR <= 1e6', one, false],
      ['R <= 0 or RR <= 1', two, false],
      ['RR <= 1e9', two, false],
    ]);
    const again = await synthrisk(directory, [...args, '--details']);
    expect(again.code).toBe(4);
    expect(again.stdout).toContain(`candidatesPerCombinationMax <= 20: met (`);
    expect(again.stdout).toMatch(/Acceptance: R <= 0 or RR <= 1: NOT MET \([\d.]+, scenario "lacks "two""\)/);
    const page = readFileSync(join(directory, 'run', 'confidential', 'report.html'), 'utf8');
    expect(page).toMatch(/<code>R &lt;= 0 or RR &lt;= 1<\/code><\/th>\s*<td class="words"><bdi>lacks &quot;two&quot;<\/bdi><\/td>/);
    expect(wordsOf(page)).toContain('6 of 9 acceptance rules are not met.');
  });

  it('decide the exit code of a reassessment too, where rules go with the scenarios that they are of', async () => {
    const reassess = (...args: string[]) => synthrisk(directory, ['reassess', 'run', '--json', ...args]);
    const same = await reassess('--out', 'same');
    expect(same.code, same.stderr).toBe(4);
    expect(resultsOf(same.stdout)).toHaveLength(9);
    const other = await reassess('--unknown', 'region', '--out', 'other');
    expect(other.code, other.stderr).toBe(4);
    expect(resultsOf(other.stdout)).toEqual([
      [acceptance[1], 'unknown: region', true],
      [acceptance[2], null, true],
      ['RR <= 1e9', 'unknown: region', false],
    ]);
    const strict = 'attributeRisk["unknown: region"].probabilityMean <= 0';
    const judged = await reassess('--unknown', 'region', '--accept', strict, '--out', 'judged');
    expect(judged.code, judged.stderr).toBe(4);
    expect(resultsOf(judged.stdout)[0]).toEqual([strict, 'unknown: region', false]);
  });

  it.each([
    ['evaluate', 'table.csv', '--config', 'run.yaml'],
    ['plan', 'table.csv', '--config', 'run.yaml'],
    ['reassess', 'run'],
  ])('are refused by %s where nobody could meet them, or the name is of no scenario', async (...args) => {
    for (const [flag, rule, code] of [
      ['--accept', 'attributeRisk["knows all but one valeu"].probabilityMean <= 0.5', 'unknown-scenario'],
      ['--acceptance-region', 'attributeRisk["knows all but one valeu"]: RR <= 2', 'unknown-scenario'],
      ['--accept', 'attributeRisk["lacks \\"two\\""].probabilityMean < 0', 'unmeetable-rule'],
      ['--acceptance-region', 'attributeRisk["lacks \\"two\\""]: R <= 0.5', 'unmeetable-region'],
    ] as const) {
      // `plan` has no such flags: what it plans is judged by the config.
      const given = args[0] === 'plan' ? inConfig(flag, rule) : [...args, flag, rule];
      const refused = await synthrisk(directory, [...given, '--json']);
      expect([refused.code, errorOf(refused).code]).toEqual([2, code]);
      if (code === 'unknown-scenario') expect(refused.stderr).toContain('did you mean "knows all but one value"?');
    }
  });
});

/** `plan` with a config that has one more rule. */
function inConfig(flag: string, rule: string): string[] {
  const settings =
    flag === '--accept' ? { attributeRisk: { scenarios }, acceptance: [rule] } : { attributeRisk: { scenarios, acceptanceRegion: [rule] } };
  writeFileSync(join(directory, 'refused.yaml'), stringify({ ...SMALL_SETTINGS, ...settings }));
  return ['plan', 'table.csv', '--config', 'refused.yaml'];
}
