import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../shared/contracts/sha256.ts';
import { planPriors } from '../../../shared/pipeline/plan/planned-files.ts';
import { combinationsFromCodes } from '../../../shared/table/distinct-rows.ts';
import { smallConfig } from '../small-run.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const schema = {
  variables: [
    { name: 'A', type: 'categorical' as const, categories: ['x', 'y', 'z'] },
    { name: 'B', type: 'categorical' as const, categories: ['0', '1'] },
  ],
};
const { combinations } = combinationsFromCodes(Uint16Array.of(0, 0, 1, 1), 2, 2);
const candidates = { unknown: ['A'] };
const configOf = (...priors: unknown[]) =>
  smallConfig({ attributeRisk: { scenarios: priors.map((prior, s) => ({ name: `s${s}`, candidates, prior })) } });
const plan = (config: ReturnType<typeof configOf>, ...files: string[]) => planPriors(config, files.map(utf8), schema, combinations);

describe('planPriors()', () => {
  const ofA = 'A,weight\nx,1\ny,2\n';
  const ofB = 'B,weight\n0,1\n1,3\n';
  const withoutY = 'A,weight\nx,1\nz,2\n';

  it('reads the files of all scenarios, each with its digest', async () => {
    const config = configOf({ file: ['a.csv', 'b.csv'] }, 'uniform', { file: 'b.csv' });
    const planned = await plan(config, ofA, ofB, ofB);
    expect(planned.map((file) => file.sha256)).toEqual([await sha256(utf8(ofA)), await sha256(utf8(ofB)), await sha256(utf8(ofB))]);
    expect(planned.map(({ weights }) => [...weights.variables])).toEqual([[0], [1], [1]]);
  });

  it('holds the table to each scenario', async () => {
    const config = configOf({ file: 'a.csv' }, { file: 'b.csv' });
    await expect(plan(config, ofA, withoutY)).rejects.toMatchObject({ code: 'prior-excludes-records' });
    await expect(plan(config, withoutY, ofA)).rejects.toMatchObject({ code: 'prior-excludes-records' });
    await expect(plan(config, ofA, ofA)).resolves.toHaveLength(2);
  });

  it('names a file that it refuses by its number', async () => {
    const config = configOf({ file: 'a.csv' }, { file: 'b.csv' });
    await expect(plan(config, ofA, 'A,weight\nx,-1\n')).rejects.toThrow(/^file 2 of the prior: /);
  });

  it('refuses files that are named and not read, and others than are named', async () => {
    const config = configOf({ file: 'a.csv' });
    await expect(planPriors(config, undefined, schema, combinations)).rejects.toMatchObject({ code: 'prior-unread' });
    await expect(plan(config, ofA, ofB)).rejects.toThrow(RangeError);
    expect(await planPriors(configOf('uniform'), undefined, schema, combinations)).toEqual([]);
  });
});
