import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { householdNumbers, householdTable } from '../../../examples/household-table.ts';
import { synthrisk, temporaryFolder } from '../../run-command.ts';

const directory = temporaryFolder();
const read = (...path: string[]) => new Uint8Array(readFileSync(join(directory, ...path)));

describe('example', () => {
  it('writes both tables of the documentation, in a folder that it makes', async () => {
    const { code, stdout, stderr } = await synthrisk(directory, ['example', 'new/folder']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(join('new/folder', 'household.csv'));
    expect(read('new/folder/household.csv')).toEqual(householdTable(1));
    expect(read('new/folder/household-numbers.csv')).toEqual(householdNumbers(1));
  });

  it('names its tables with --json', async () => {
    const { stdout } = await synthrisk(directory, ['example', 'named', '--json']);
    const tables = ['household.csv', 'household-numbers.csv'].map((name) => join('named', name));
    expect(JSON.parse(stdout)).toEqual({ tables });
  });

  it('may be repeated, and leaves a file with other contents as it is', async () => {
    expect((await synthrisk(directory, ['example'])).code).toBe(0);
    expect((await synthrisk(directory, ['example'])).code).toBe(0);
    const longer = `${readFileSync(join(directory, 'household.csv'), 'utf8')}mine\n`;
    for (const mine of ['mine\n', longer]) {
      writeFileSync(join(directory, 'household.csv'), mine);
      const { code, stderr } = await synthrisk(directory, ['example']);
      expect(code).toBe(2);
      expect(stderr).toContain('household.csv is already there and holds something else');
      expect(readFileSync(join(directory, 'household.csv'), 'utf8')).toBe(mine);
    }
  });
});
