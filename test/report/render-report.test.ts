import { afterEach, describe, expect, it, vi } from 'vitest';
import { textOf } from '../../shared/report/page/html.ts';
import { renderReport } from '../../shared/report/render-report.ts';
import { headlineIntruder } from '../../shared/report/review/headlines.ts';
import type { ReportInput } from '../../shared/report/review/report-input.ts';
import { verdictLine } from '../../shared/report/review/verdict.ts';
import { riskiestRows } from '../../shared/report/sections/riskiest-section.ts';
import { reportInput, riskTable, valueTable } from './fixture.ts';
import { unboundText } from './page-figures.ts';
import { detailsOf } from './records/details-fixture.ts';
import { wordsOf } from './words-of.ts';

/** A report of the fixture after a change to its input. */
function reportOf(change: (input: ReportInput) => ReportInput = (input) => input): Promise<string> {
  return renderReport(change(reportInput()));
}

/** A value with every number scaled that is no whole one. */
function scaled<T>(value: T, factor: number): T {
  if (typeof value === 'number') return (Number.isInteger(value) ? value : value * factor) as T;
  if (value instanceof Int32Array || value instanceof Uint32Array) return value;
  if (value instanceof Float64Array) return value.map((element) => scaled(element, factor)) as T;
  if (Array.isArray(value)) return value.map((element) => scaled(element, factor)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, scaled(one, factor)])) as T;
}

/** What stands on a page before its scripts run. */
const written = (page: string) => page.replace(/<template.*?<\/template>|<script.*?<\/script>/gs, '');

const occurrences = (page: string, pattern: RegExp) => [...page.matchAll(pattern)].length;

afterEach(() => {
  vi.restoreAllMocks();
});

describe('the page', () => {
  it('asks nothing of a network', async () => {
    const page = await reportOf();
    const addresses = page.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, '').match(/(?:https?:)?\/\/[^"'\s<>]+/g) ?? [];
    expect(addresses.filter((address) => !address.startsWith('http://www.w3.org/'))).toEqual([]);
    expect(page).not.toMatch(/<script[^>]* src|<link|<img|<iframe|@import|url\(/);
    expect(page).toContain(`default-src 'none'`);
  });

  it('has the same bytes for the same input', async () => {
    expect(await reportOf()).toBe(await reportOf());
  });

  it('stays below three megabytes with as many combinations as a survey has, and below nine with ten times as many', async () => {
    const bytesOf = async (rows: number) => {
      const table = riskTable(rows);
      const page = await reportOf((input) => ({ ...input, table, values: null, details: detailsOf(table) }));
      return Buffer.byteLength(page);
    };
    expect(await bytesOf(2_500)).toBeLessThan(3_000_000);
    expect(await bytesOf(25_000)).toBeLessThan(9_000_000);
  });

  it('is drawn without a message to the console, which would land in logs', async () => {
    const calls = (['log', 'info', 'warn', 'error'] as const).map((method) => vi.spyOn(console, method));
    await reportOf();
    for (const call of calls) expect(call).not.toHaveBeenCalled();
  });

  it('has one first heading, no level skipped, and no identifier twice', async () => {
    const page = await reportOf();
    const levels = [...page.matchAll(/<h([1-6])/g)].map((match) => Number(match[1]));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    levels.forEach((level, index) => {
      expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
    });
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(page).toContain('<html lang="en">');
  });

  it('gives every table a caption and every chart a role and words', async () => {
    const page = written(await reportOf());
    expect(occurrences(page, /<table/g)).toBe(occurrences(page, /<caption/g));
    expect(occurrences(page, /<svg/g)).toBe(11);
    expect(occurrences(page, /<svg role="img" aria-label="[^"]{40,}"/g)).toBe(11);
    expect(occurrences(page, /<details class="behind">/g)).toBe(11);
    expect(occurrences(page, /<div class="table-scroll" role="region" aria-label(?:ledby)?="[^"]+" tabindex="0">/g)).toBe(
      occurrences(page, /<table/g),
    );
    expect(page).not.toMatch(/NaN|Infinity|\[object/);
  });

  it('escapes every label that comes from the table', async () => {
    const label = `<script>alert("x")</script>&'`;
    const page = await reportOf((input) => ({
      ...input,
      summary: {
        ...input.summary,
        synthesis: { ...input.summary.synthesis, synthesized: [label] },
        identificationRisk: [{ scenario: label, known: [label], synthesized: [label], applies: false, reason: label }],
        warnings: [{ code: label, message: label }],
        acceptance: [{ rule: label, scenario: label, value: null, met: false }],
      },
      table: {
        ...riskTable(30, { first_guess_variable: () => label, first_guess_value: () => label }),
        variables: [{ name: label, text: () => label }],
      },
      values: valueTable(label),
    }));
    // The data of the page's script, and the script.
    expect(occurrences(page, /<script/g)).toBe(2);
    expect(page).not.toContain('alert("x")');
    expect(page).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;');
  });

  it('refuses a run without attribute risk', async () => {
    await expect(reportOf((input) => ({ ...input, table: null }))).rejects.toThrow(RangeError);
    await expect(reportOf((input) => ({ ...input, table: riskTable(0) }))).rejects.toThrow(RangeError);
  });
});

describe('the words of the report', () => {
  it('say what is confidential, and the verdict with its numbers', async () => {
    const words = wordsOf(await reportOf());
    expect(words).toContain('This page discloses: it names records an intruder could find.');
    expect(words).toContain('first guess at the record is right for 123 of 1,194 records (10.3 %)');
    expect(words).toContain('guessing at random among the candidates would be right for 3.8 %');
    expect(words).toContain('rank correlation 0.983');
    expect(words).toContain('1 of 2 acceptance rules is not met. By the rules that were set for this run it may not be released');
    expect(words).toContain('what an intruder learns from the released datasets');
    expect(words).toContain('synthrisk 0.1.0 · run b1946ac92492d234 · seed 1');
  });

  it('come to one line for a terminal', () => {
    const { summary } = reportInput();
    const right =
      'Knowing everything else about a person, an intruder guesses 76.2\u00a0% of values correctly with the release and 75.1\u00a0% without it. That difference is within its errors. A finer measure, the gain in bits, is above its errors: the release reveals something about the records.';
    expect(verdictLine(summary)).toBe(`1 of 2\u00a0acceptance rules is not met. ${right}`);
    expect(verdictLine({ ...summary, acceptance: [] })).toBe(`No acceptance rule was set: a person must judge the numbers. ${right}`);
    const met = summary.acceptance.map((rule) => ({ ...rule, met: true }));
    expect(verdictLine({ ...summary, acceptance: met })).toBe(`All 2\u00a0acceptance rules are met. ${right}`);
    const apart = summary.attributeRisk.map((risk) => ({ ...risk, gainBitsExcess: 9, gainBitsExcessHalfWidth: 1 }));
    expect(verdictLine({ ...summary, acceptance: [], attributeRisk: apart })).toMatch(
      /judge the numbers\. No figure of attribute risk can be relied upon\. The release reveals less than the estimate claims/,
    );
    const two = summary.attributeRisk.flatMap((risk) => [risk, { ...risk, scenario: 'other' }]);
    expect(verdictLine({ ...summary, attributeRisk: two })).toContain(
      `Under the scenario ${two[0]!.scenario}, an intruder who knows everything else about a person guesses 76.2`,
    );
  });

  it('name the scenario of the largest gain where that is not the first', () => {
    const { summary } = reportInput();
    const [risk] = summary.attributeRisk;
    const intruder = (...gains: number[]) =>
      textOf(
        headlineIntruder({ ...summary, attributeRisk: gains.map((gain, s) => ({ ...risk!, scenario: `s${s}`, gainBitsMean: gain })) }),
      );
    expect(intruder(0.2, 0.1)).toMatch(/of the scenario s0, one of 2, .*record\.$/);
    expect(intruder(0.1, 0.2, 0.3)).toMatch(
      / More is gained under the scenario s2: 0\.300\s±\s0\.041 bits a record, where this one has 0\.100/,
    );
  });

  it('begin with what the release tells of the records that are there', async () => {
    const words = wordsOf(await reportOf());
    const headline = 'Values guessed correctly 76.2 ± 0.5 % 75.1 % without the release';
    expect(words).toContain(headline);
    expect(words.indexOf(headline)).toBeLessThan(words.indexOf('gains 0.351'));
    expect(words).toContain('gains 0.351 ± 0.041 bits, 1.23 ± 0.23 about those of the riskiest 1 %; 12.0 ± 3.1 values are newly disclosed');
    expect(words).toContain('The estimate itself expects 0.364 bits, a difference of 0.012 ± 0.041');
    expect(words).toMatch(/the 10 values with the largest gains/);
  });

  it('say why there is no headline on real records, and why an error is missing', async () => {
    const without = (change: object) =>
      reportOf(({ summary, ...input }) => ({
        ...input,
        summary: { ...summary, attributeRisk: [{ ...summary.attributeRisk[0]!, ...change }] },
        values: null,
      }));
    const none = wordsOf(await without({ gainBitsMean: null, gainBitsReason: 'cells are not listed one by one' }));
    expect(none).not.toContain('About the true values of a record');
    expect(none).toContain('Single values were not asked for: cells are not listed one by one.');
    expect(none).not.toContain('; 12 values are newly disclosed');
    const one = { gainBitsMeanSe: null, gainBitsExcessSe: null, gainBitsSeReason: 'a single dataset' };
    expect(wordsOf(await without(one))).toContain('The error of the difference is not known: a single dataset.');
  });

  it('give figures as many digits as their errors support', async () => {
    const [noisy] = reportInput().summary.attributeRisk;
    const page = await reportOf(({ summary, ...input }) => ({
      ...{ ...input, summary: { ...summary, attributeRisk: [{ ...noisy!, truthRankedFirstShareSe: 0.11 }] } },
    }));
    expect(wordsOf(page)).toContain('is right for 120 of 1,194 records (10 %)');
  });

  it('tell no digits beyond: figures that differ there give the same page', async () => {
    const page = await reportOf();
    expect(await reportOf((input) => scaled(input, 1 + 1e-11))).toBe(page);
    expect(wordsOf(await reportOf((input) => scaled(input, 1 + 1e-7)))).toBe(wordsOf(page));
    expect(wordsOf(await reportOf((input) => scaled(input, 1.01)))).not.toBe(wordsOf(page));
  });

  it('name the place of every figure of the tables: the rest of the page is the same whatever these hold', async () => {
    const text = unboundText(await reportOf());
    const other = await reportOf(({ table, values, ...input }) => ({
      ...input,
      table: scaled(table, 1.37),
      values: { ...values!, row: (row) => scaled(values!.row(row), 0.71) },
    }));
    expect(unboundText(other)).toBe(text);
    expect(wordsOf(other)).not.toBe(wordsOf(await reportOf()));
  });

  it('say what keeps the random numbers unknown, and what follows if they are not', async () => {
    const own = await reportOf();
    expect(own).toContain('to whom the random numbers of the release are unknown');
    expect(own).toContain('If the key was lost to someone, this page no longer holds');
    const foreign = await reportOf(({ summary, ...input }) => ({
      ...{ ...input, summary: { ...summary, synthesis: { ...summary.synthesis, chains: 'foreign' } } },
    }));
    expect(foreign).toContain('They were made elsewhere: whoever knows the seed');
    expect(foreign).not.toContain('release key');
  });

  it('give every warning once, or say that there are none', async () => {
    const page = await reportOf();
    expect(occurrences(page, /Chain 7 has a mean of alpha far from the others/g)).toBe(1);
    expect(page).toContain('3 combinations rest on fewer than 400 effective draws.');
    const quiet = await reportOf((input) => ({ ...input, summary: { ...input.summary, warnings: [] }, chains: null }));
    expect(quiet).toContain('There are no warnings.');
  });

  it('have what chains warn of by themselves among the warnings of the verdict, once', async () => {
    const told = 'Chain 7 has a mean of alpha far from the others.';
    const page = await reportOf((input) => ({ ...input, summary: { ...input.summary, warnings: [] } }));
    expect(page.indexOf(told)).toBeLessThan(page.indexOf('id="decision"'));
    const both = await reportOf(({ summary, ...input }) => ({
      ...input,
      summary: { ...summary, warnings: [{ code: 'chain-alpha-outlier', message: told }] },
    }));
    expect(occurrences(both, new RegExp(told, 'g'))).toBe(1);
  });

  it('say above the space for a decision when the run was, and of how large a table, and leave its names to be filled in', async () => {
    const boxOf = (page: string) => /<dl id="decision".*?<\/dl>/s.exec(page)![0];
    const box = boxOf(await reportOf());
    expect(wordsOf(box)).toContain('Run on 2026-03-09 (UTC) by');
    expect(wordsOf(box)).toContain('Table (1,194 records, 8 variables)');
    expect(occurrences(box, /<dd><\/dd>/g)).toBe(7);
    const older = boxOf(await reportOf((input) => ({ ...input, heading: {} })));
    expect(wordsOf(older)).toContain('Run by, on');
    const named = boxOf(
      await reportOf((input) => ({ ...input, heading: { ...input.heading, table: 'Households <2026>', by: 'A. Officer' } })),
    );
    expect(wordsOf(named)).toMatch(/8 variables\) Households &lt;2026&gt; Run on 2026-03-09 \(UTC\) by A\. Officer Decision/);
    expect(occurrences(named, /<dd><\/dd>/g)).toBe(5);
  });

  it('mention a slope only when it changes the likelihood', async () => {
    expect(await reportOf()).not.toContain('likelihood is raised');
    const page = await reportOf((input) => ({
      ...input,
      summary: { ...input.summary, attributeRisk: input.summary.attributeRisk.map((risk) => ({ ...risk, slope: 0.85 })) },
    }));
    expect(wordsOf(page)).toContain('the likelihood is raised to the power 0.85');
  });

  it('give the reason when reproducibility is undefined', async () => {
    const page = await reportOf((input) => ({
      ...input,
      summary: {
        ...input.summary,
        attributeRisk: input.summary.attributeRisk.map((risk) => ({
          ...risk,
          reproducibility: null,
          reproducibilityReason: 'only one combination',
        })),
      },
    }));
    expect(page).toContain('could not be determined: only one combination.');
  });

  it('say why identification risk does not apply', async () => {
    expect(wordsOf(await reportOf())).toContain(
      'SEX, AGEP known; WKL synthesized does not apply: fully synthetic data have no rows that belong to a record',
    );
  });

  it('set the posterior beside the prior, and say what the release adds to the model without the record', async () => {
    const prior = (name: string) =>
      reportOf((input) => ({
        ...input,
        summary: {
          ...input.summary,
          attributeRisk: input.summary.attributeRisk.map((risk) => ({
            ...risk,
            prior: name,
            priorProbabilityMean: 0.345,
            priorFirstShare: 0.456,
          })),
        },
      }));
    const model = wordsOf(await prior('model'));
    expect(model).toContain('Beyond what everybody could model without the record, the release changes');
    expect(model).toContain('gives the truth a probability of 0.345 on average');
    expect(model).toContain('the first guess by that prior alone would be right for 45.6 %');
    const empirical = wordsOf(await prior('empirical'));
    expect(empirical).toContain('Under the prior from the other records, the intruder’s first guess');
    expect(empirical).not.toContain('Beyond what everybody could model');
  });

  it('name the records that break an acceptance region, and for which weights', async () => {
    const page = await reportOf((input) => ({
      ...input,
      summary: {
        ...input.summary,
        attributeRisk: input.summary.attributeRisk.map((risk) => ({
          ...risk,
          acceptanceRegion: {
            rules: [{ rule: 'R <= 0.5 or RR <= 1.5', brokenShare: 0.125 }],
            brokenShare: 0.125,
            brokenSurelyShare: 0.0625,
            brokenWeightMean: 0.03,
            brokenWeightMax: 0.25,
            worst: [{ row: 17, bayesFactor: 3, bayesFactorSe: 0.1, brokenWeight: 0.25, broken: [[0.25, 0.5]] }],
          },
        })),
      },
    }));
    const words = wordsOf(page);
    expect(words).toContain('12.5 % of the records break the acceptance region');
    expect(words).toContain('combination 17: w from 0.250 to 0.500');
    expect(words).toContain('Bounds of the acceptance region');
  });

  it('leave out the charts of chains that were not kept or whose alpha was fixed', async () => {
    expect(occurrences(written(await reportOf((input) => ({ ...input, chains: null }))), /<svg/g)).toBe(9);
    const fixed = await reportOf((input) => ({
      ...input,
      chains: {
        ...input.chains!,
        quantities: input.chains!.quantities.map((quantity) =>
          quantity.quantity === 'alpha' ? { ...quantity, standardDeviation: 0, rHat: null } : quantity,
        ),
      },
    }));
    expect(occurrences(written(fixed), /<svg/g)).toBe(10);
    expect(wordsOf(fixed)).toContain('not defined');
  });
});

describe('the combinations most at risk', () => {
  it('are records, by their numbers, where every record has a row', async () => {
    const input = reportInput();
    const ones = new Int32Array(40).fill(1);
    const record = ones.map((_, row) => row + 1);
    const table = { ...riskTable(40, { record, combination: ones, count: ones }), ofRecords: true };
    const page = await renderReport({ ...input, table });
    expect(page).toContain('Records most at risk, with their values');
    expect(page).toContain('of the record. Records with equal values have risks of their own');
    expect(page).toContain('Middle half (bar) and middle 90 % (thin line) of the records');
  });

  it('are the 15 with the largest ratio to uniform, ties by combination', () => {
    const table = riskTable();
    const ratios = table.columns.ratio_to_uniform;
    const riskiest = riskiestRows(table);
    expect(riskiest).toHaveLength(15);
    const least = ratios[riskiest[14]!]!;
    expect(ratios.filter((ratio) => ratio > least)).toHaveLength(14);
    const tied = riskiestRows(riskTable(table.rows, { ratio_to_uniform: ratios.map(() => 1) }));
    expect(tied).toEqual(Array.from({ length: 15 }, (_, row) => row));
  });

  it('show no rank where the simulation cannot tell it', async () => {
    const one = (distinguishable: boolean) =>
      reportOf((input) => ({
        ...input,
        table: riskTable(1, {
          rank: Float64Array.of(7),
          rank_low: Float64Array.of(2),
          rank_high: Float64Array.of(25),
          distinguishable: () => distinguishable,
        }),
      })).then(wordsOf);
    expect(await one(false)).toContain('not distinguishable (2 to 25)');
    expect(await one(true)).toContain('1 7 (2 to 25)');
  });

  it('name the first guess, and missing values', async () => {
    const words = wordsOf(
      await reportOf((input) => ({
        ...input,
        table: {
          ...riskTable(2, { first_guess_variable: (row) => ['AGEP', null][row]!, first_guess_value: (row) => ['3', null][row]! }),
          variables: [
            { name: 'SEX', text: (row) => ['1', '2'][row]! },
            { name: 'AGEP', text: (row) => [null, '4'][row]! },
          ],
        },
      })),
    );
    expect(words).toContain('AGEP = 3');
    expect(words).toContain('SEX 1 AGEP missing');
    expect(words).toContain('the truth');
  });
});
