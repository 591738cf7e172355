import { describe, expect, it } from 'vitest';
import { spreadQuestions } from '../../../../shared/pipeline/synthesizers/cart/spread-questions.ts';

describe('spreadQuestions()', () => {
  it.each([
    [2, 2],
    [16, 16],
    [60, 16],
    [1000, 62],
    [4000, 64],
    [20_000, 64],
  ])('asks nothing twice of %i records, and about %i of them', (records, asked) => {
    for (const places of [1, 2, 4, 40]) {
      const questions = Array.from(spreadQuestions(records, places));
      expect(questions).toHaveLength(asked * places);
      expect(new Set(questions.map(({ record, place }) => `${record}:${place}`)).size).toBe(asked * places);
      expect(new Set(questions.map(({ record }) => record)).size).toBe(asked);
    }
  });

  it('asks about every variable of a record in succession', () => {
    const questions = Array.from(spreadQuestions(4000, 4));
    for (let i = 0; i < questions.length; i += 4) {
      expect(new Set(questions.slice(i, i + 4).map(({ record }) => record)).size).toBe(1);
    }
  });

  it('asks about records all over the table', () => {
    const records = Array.from(spreadQuestions(4000, 1), ({ record }) => record);
    for (let eighth = 0; eighth < 8; eighth++) {
      const within = records.filter((record) => Math.floor(record / 500) === eighth).length;
      expect(Math.abs(within - 8)).toBeLessThanOrEqual(1);
    }
  });

  it('begins with another variable for every record, so that none is left out where time runs out', () => {
    const first = Array.from(spreadQuestions(4000, 4)).filter((_, i) => i % 4 === 0);
    expect(first.slice(0, 8).map(({ place }) => place)).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
  });
});
