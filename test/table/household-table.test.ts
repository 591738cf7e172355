import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { householdNumbers, householdTable } from '../../examples/household-table.ts';
import { uniqueCombinations } from '../../shared/table/distinct-rows.ts';
import { readTable } from '../../shared/table/files/read-table.ts';

const read = async (seed: number, records?: number) => (await readTable(householdTable(seed, records), { missing: 'refuse' })).table;

describe('householdTable()', () => {
  it('gives the same bytes for the same seed, others for another', () => {
    const sha256 = createHash('sha256').update(householdTable(1)).digest('hex');
    expect(sha256).toMatchInlineSnapshot(`"42d389f95b8bb34f76abf3f65e11999b84504c98aec47c1dce0202b0800cc345"`);
    expect(householdTable(2)).not.toEqual(householdTable(1));
  });

  it('has 1,500 records of seven categorical variables, several hundred of them unique', async () => {
    const table = await read(1);
    expect(table.records).toBe(1500);
    expect(table.schema.variables.map(({ name, type }) => `${name} ${type}`)).toEqual(
      ['region', 'age_group', 'household_type', 'education', 'employment', 'income_band', 'tenure'].map((name) => `${name} categorical`),
    );
    const { combinations } = uniqueCombinations(table);
    expect(combinations.count).toBe(739);
    expect(combinations.counts.filter((count) => count === 1)).toHaveLength(472);
  });

  it('has as many records as asked for', async () => {
    expect((await read(3, 40)).records).toBe(40);
  });

  it('makes the retired old and the tertiary educated rich', async () => {
    const table = await read(1);
    const share = (of: string, category: string, given: string, where: (text: string) => boolean) => {
      const codes = [of, given].map((name) => {
        const v = table.schema.variables.findIndex((variable) => variable.name === name);
        const variable = table.schema.variables[v]!;
        const column = table.columns[v]!;
        if (variable.type !== 'categorical' || column.type !== 'categorical') return expect.unreachable(name);
        return Array.from(column.codes, (code) => variable.categories[code]!);
      });
      const among = codes[0]!.filter((_, record) => where(codes[1]![record]!));
      return among.filter((text) => text === category).length / among.length;
    };
    expect(share('employment', 'Retired', 'age_group', (age) => age >= '65')).toBeGreaterThan(0.8);
    expect(share('employment', 'Retired', 'age_group', (age) => age < '50')).toBeLessThan(0.02);
    const rich = (education: string) => share('income_band', '70,000 or more', 'education', (text) => text === education);
    expect(rich('Tertiary')).toBeGreaterThan(3 * rich('Secondary'));
  });
});

describe('householdNumbers()', () => {
  const lines = (bytes: Uint8Array) => parse(new TextDecoder().decode(bytes), { columns: true }) as Row[];
  type Row = Record<string, string>;

  it('is the same survey with numbers that lie in its bands', () => {
    const banded = lines(householdTable(1));
    const numbers = lines(householdNumbers(1));
    expect(Object.keys(numbers[0]!)).toEqual(['region', 'age', 'household_type', 'education', 'employment', 'income', 'tenure']);
    const bands = (text: string) => (text.match(/[\d,]+/g) ?? []).map((digits) => Number(digits.replace(',', '')));
    const inBand = (value: number, band: string) => {
      const [first, last] = bands(band);
      if (band.startsWith('under')) return value < first!;
      return value >= first! && (last === undefined || value <= last);
    };
    numbers.forEach(({ age, income, ...others }, i) => {
      const { age_group, income_band, ...same } = banded[i]!;
      expect(others).toEqual(same);
      expect([inBand(Number(age), age_group!), inBand(Number(income), income_band!)]).toEqual([true, true]);
      expect(Number(income) % 100).toBe(0);
    });
    expect(new Set(numbers.map(({ income }) => income)).size).toBeGreaterThan(500);
  });
});
