import { describe, expect, it } from 'vitest';
import { discloseTarget } from '../../../shared/risk/attack/disclosure.ts';
import { overDatasets } from '../../../shared/risk/attack/over-datasets.ts';
import { tableOf } from '../../utility/table-of.ts';
import { attackTables } from './reference-tables.ts';

describe('disclosure of a target', () => {
  // Keys 0: two records, one value; 1: one record, replicated and wrong; 2: one record, nowhere in the dataset.
  const table = tableOf(
    [4, 2],
    [
      [0, 0],
      [0, 0],
      [1, 1],
      [2, 1],
    ],
  );
  const dataset = tableOf(
    [4, 2],
    [
      [0, 0],
      [0, 0],
      [1, 0],
      [3, 1],
    ],
  );
  const found = discloseTarget(table, dataset, [0], 1);

  it('counts by hand', () => {
    expect(found.figures).toEqual({
      ...{ UiO: 0.5, UiS: 0.5, UiOiS: 0.25, repU: 0.25, Dorig: 1, Dsyn: 1, iS: 0.75, DiS: 0.75 },
      ...{ DiSCO: 0.5, DiSDiO: 0.5, maxDenom: 2, meanDenom: 2, baseCAPd: 0.5, CAPd: 1, CAPs: 1 },
      // Of three records found, all with keys of one value, it is right for two.
      ...{ DCAP: 0.5, TCAP_alt: 2 / 3, TCAP: 2 / 3 },
    });
  });

  it('has the TCAP of the records whose keys decide some value, and TCAP_alt of all that are found', () => {
    // Keys 0, 1: one value in the dataset, true for two records of three. Keys 2: two values there, nothing disclosed.
    const rows = tableOf(
      [4, 2],
      [
        [0, 0],
        [1, 0],
        [2, 0],
        [2, 1],
      ],
    );
    const { figures } = discloseTarget(table, rows, [0], 1);
    expect(figures).toMatchObject({ iS: 1, DiS: 0.75, DiSCO: 0.5, TCAP_alt: 0.5, TCAP: 2 / 3 });
    const undecided = tableOf(
      [4, 2],
      [
        [2, 0],
        [2, 1],
      ],
    );
    expect(discloseTarget(table, undecided, [0], 1).figures).toMatchObject({ iS: 0.25, TCAP_alt: 0, TCAP: null });
  });

  it('says which records', () => {
    expect([...found.cap]).toEqual([1, 1, 0, 0]);
    expect([...found.disclosed]).toEqual([1, 1, 0, 0]);
    expect([...found.replicated]).toEqual([0, 0, 1, 0]);
  });

  it('has no TCAP where no keys are found, and no mean of what nothing discloses', () => {
    const other = tableOf([4, 2], [[3, 1]]);
    const { figures } = discloseTarget(table, other, [0], 1);
    expect(figures).toMatchObject({ iS: 0, DCAP: 0, TCAP_alt: null, TCAP: null, meanDenom: null, UiS: 1 });
    const { mean, errors } = overDatasets([found.figures, figures]);
    expect(mean).toMatchObject({ TCAP_alt: null, TCAP: null, iS: 0.375, meanDenom: null });
    expect(errors).toMatchObject({ TCAP_alt: null, iS: expect.closeTo(0.375, 12), UiO: 0 });
    expect(overDatasets([figures]).errors).toBeNull();
  });

  it('adds up over records to the figures of the file', () => {
    const { table: own, dataset: other } = attackTables();
    const { figures, cap, disclosed, replicated } = discloseTarget(own, other, [0, 1, 2], 3);
    const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, one) => sum + one, 0) / own.records;
    expect(mean(cap)).toBeCloseTo(figures.DCAP, 12);
    expect(mean(disclosed)).toBeCloseTo(figures.DiSCO, 12);
    expect(mean(replicated)).toBeCloseTo(figures.repU, 12);
  });

  it('of the table by itself is what the table discloses', () => {
    const { figures } = discloseTarget(table, table, [0], 1);
    expect(figures.DiSCO).toBe(figures.Dorig);
    expect(figures.repU).toBe(figures.UiO);
    expect(figures.iS).toBe(1);
  });
});
