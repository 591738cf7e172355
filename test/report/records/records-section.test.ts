import { describe, expect, it } from 'vitest';
import type { RankedRisk } from '../../../shared/contracts/results/ranked-figures.ts';
import { ROWS_HELD } from '../../../shared/contracts/results/record-details.ts';
import type { AttributeRiskTable } from '../../../shared/contracts/results/tables/attribute-risk-table.ts';
import { renderScript } from '../../../shared/report/page/page-script.ts';
import { groupPosition, position } from '../../../shared/report/records/browser/marks.ts';
import type { RecordData } from '../../../shared/report/records/browser/record-data.ts';
import { recordsPart } from '../../../shared/report/records/records-section.ts';
import { reportInput, riskTable } from '../fixture.ts';
import { detailsOf, matchedDetailsOf } from './details-fixture.ts';

const partOf = async (table: AttributeRiskTable, details = detailsOf(table)) => {
  const { summary, values } = reportInput();
  const part = (await recordsPart(summary.attributeRisk[0] as RankedRisk, { table, values, continuous: null, details }))!;
  return { ...part, data: part.script.data[0]!.value as RecordData };
};

describe('recordsPart()', () => {
  it('names the files that hold the same for whoever has no scripts', async () => {
    const { section, data } = await partOf(riskTable());
    expect(section.id).toBe('records');
    expect(section.body.markup).toContain('<noscript>');
    expect(section.body.markup).toContain('<code>attribute-risk.csv</code> has a row for each combination');
    expect(section.body.markup).toContain('All 400\u00a0combinations.');
    expect(data.detailed).toBe(400);
    expect(section.body.markup.match(/<template id="record-chart-/g)).toHaveLength(5);
  });

  it('holds the details of those most at risk alone where there are many rows, and says so', async () => {
    const table = riskTable(20_000);
    const { section, data } = await partOf(table, matchedDetailsOf(table));
    expect(data.rows).toBe(20_000);
    expect(data.detailed).toBeLessThan(20_000);
    expect(data.candidates!.after).toHaveLength(data.detailed);
    expect(data.matches[0]!.matches).toHaveLength(data.detailed);
    expect(section.body.markup).toContain('most at risk have all details');
    const risk = data.columns.ratio_to_uniform as number[];
    expect(risk[0]).toBeCloseTo(Math.max(...table.columns.ratio_to_uniform), 0);
  });

  it('holds so many rows and no more', async () => {
    const table = riskTable(ROWS_HELD + 1);
    const { section, data } = await partOf(table);
    expect([data.rows, data.rowsOfRun]).toEqual([ROWS_HELD, ROWS_HELD + 1]);
    expect(section.body.markup).toContain('The 50,000\u00a0combinations most at risk, of 50,001.');
  });

  it('is not there where a run has no rows', async () => {
    const details = { rows: null, candidates: null, densities: [], scenarios: [], matches: [] };
    expect(await recordsPart(null, { table: null, values: null, continuous: null, details })).toBeNull();
  });

  it('has data that no label can end, and a script that no page refuses', async () => {
    const table = riskTable();
    const label = '</script><script>alert(1)</script>';
    const { script } = await partOf(
      { ...table, variables: [{ name: label, text: () => label }] },
      { ...detailsOf(table), candidates: null },
    );
    expect(renderScript(script).markup.match(/<\/script/g)).toHaveLength(2);
  });
});

describe('position()', () => {
  it('is on the scale, at its ends beyond them', () => {
    const scale = { type: 'linear', domain: [0, 10], range: [100, 0] } as const;
    expect([0, 2.5, 10, 12, -1].map((value) => position(scale, value))).toEqual([100, 75, 0, 0, 100]);
    const log = { type: 'log', domain: [1, 100], range: [0, 50] } as const;
    expect(position(log, 10)).toBeCloseTo(25, 12);
  });
});

describe('groupPosition()', () => {
  it('finds the group of a count by its name', () => {
    const scale = { type: 'point', domain: ['1|(9)', '3–5|(2)', '101+|(1)'], range: [10, 20, 30] } as const;
    expect([1, 2, 3, 5, 6, 101, 5000].map((count) => groupPosition(scale, count))).toEqual([...[10, null, 20, 20], ...[null, 30, 30]]);
  });
});
