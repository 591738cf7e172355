import { describe, expect, it } from 'vitest';
import type { TermJudgement } from '../../../bench/modes/judge-terms.ts';
import { modeTables } from '../../../bench/modes/mode-tables.ts';
import type { Made } from '../../../bench/modes/two-tables.ts';

const millibits = (achieved: number, claimed: number, more: number) => ({ achieved, claimed, more: { mean: more, se: 2 } });

const judgement = (made: Made, length: number, datasets: number): TermJudgement => ({
  name: 'survey',
  made,
  burnIn: 1000,
  length,
  datasets,
  releases: 60 / datasets,
  targets: 'all',
  paired: { slope: 1.04, se: 0.08 },
  modes: { slope: 0.2, se: 0.1 },
  modesTogether: null,
  millibits: {
    'paired alone': millibits(30, 28, 0),
    'one mode term': millibits(29.9, 33, -0.1),
    'root of m': millibits(31, 35, 1),
    pooled: millibits(20, 60, -10),
  },
});

describe('modeTables()', () => {
  const settings = { classes: 3, concentration: { value: 2 } };
  const tables = modeTables([
    judgement({ by: 'own' }, 150, 5),
    judgement({ by: 'own' }, 750, 5),
    { ...judgement({ by: 'own' }, 750, 5), targets: 'typical' },
    judgement({ by: 'one', datasets: 5 }, 150, 5),
    judgement({ by: 'one', datasets: 5 }, 150, 1),
    judgement({ by: 'elsewhere', settings }, 150, 2),
    judgement({ by: 'partial', synthesized: [0, 2] }, 150, 2),
  ]);
  const rows = (name: string) => tables[name]!.split('\n').slice(2);

  it('has a row for each table and number of datasets, and leaves lengths open that were not run', () => {
    expect(rows('modes-paired')).toEqual(['| survey | 5 | 12 | 30 / 28 (1.04 ± 0.08) | 30 / 28 (1.04 ± 0.08) |  |']);
  });

  it('tells how much more each formula achieves and claims', () => {
    expect(rows('modes-compared')[0]).toContain('| survey | 5 | 0 ± 2 / +5 | +1 ± 2 / +7 | -10 ± 2 / +32 |');
  });

  it('sets datasets that share a chain or were made elsewhere apart', () => {
    expect(rows('modes-made').map((row) => row.split(' | ').slice(0, 4).join(' | '))).toEqual([
      '| survey | 5 | 12 | of one chain',
      '| survey | 2 | 30 | made elsewhere: 3 classes, α = 2',
      '| survey | 2 | 30 | of 2 variables',
    ]);
  });
});
