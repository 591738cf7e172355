import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig, readReleaseKey } from '../../../cli/run/read-config.ts';
import { readRunFiles } from '../../../cli/run/read-run-files.ts';
import { hexadecimal } from '../../../shared/contracts/secret-key.ts';
import { completeConfig } from '../../../shared/contracts/settings/complete-config.ts';
import { testKey } from '../../test-keys.ts';

const rank = (target: number) => ({ of: 'rank', target });
const earlier = (mcmc: object) => ({ ...completeConfig({ mcmc }) });

it('readReleaseKey() refuses a key in place of its file, and does not repeat it', async () => {
  const key = hexadecimal(testKey(3));
  for (const given of [key, key.toUpperCase(), ` ${key}\n`]) {
    const refusal = await readReleaseKey(given).catch((error) => error);
    expect(refusal).toMatchObject({ name: 'InvalidConfigError', code: 'key-on-command-line' });
    expect(`${refusal.message} ${JSON.stringify(refusal)}`.toLowerCase()).not.toContain(key.slice(0, 8));
  }
});

describe('readConfig() after an earlier run', () => {
  it.each([
    [{}, {}, { chains: 32, reproducibility: rank(0.97), maxChains: { times: 4 } }],
    [{ reproducibility: 0.9, maxChains: 80 }, {}, { reproducibility: rank(0.9), maxChains: 80 }],
    [{ reproducibility: 0.9 }, { maxChains: 90 }, { reproducibility: rank(0.9), maxChains: 90 }],
    // Named chains are what is wanted, whatever decided those of the earlier run.
    [{}, { chains: 64 }, { chains: 64, pairedChains: 24, reproducibility: 'off' }],
    [{ maxChains: 80 }, { pairedChains: 4 }, { chains: 32, pairedChains: 4, reproducibility: 'off' }],
    [{ chains: 5 }, {}, { chains: 5, reproducibility: 'off' }],
    [{ chains: 5 }, { draws: 9 }, { chains: 5, draws: 9, reproducibility: 'off' }],
    // A new target is not held to the earlier limit.
    [{ chains: 5 }, { reproducibility: 0.9 }, { chains: 5, reproducibility: rank(0.9), maxChains: 1000 }],
    [{ chains: 5 }, { precision: 'high' }, { chains: 64, reproducibility: rank(0.99) }],
    [{ reproducibility: 0.9 }, { precision: 'quick' }, { chains: 12, reproducibility: 'off' }],
  ])('of %j, given %j, decides on %j', async (before, given, mcmc) => {
    const config = await readConfig(undefined, { mcmc: given }, earlier(before));
    expect(config.mcmc).toMatchObject(mcmc);
  });

  it('decides anew whether phi can be integrated out, unless it was drawn', async () => {
    const phiOf = async (before: object, estimator: string) =>
      (await readConfig(undefined, { attributeRisk: { estimator } }, { ...completeConfig({ attributeRisk: before }) })).attributeRisk.phi;
    expect(await phiOf({}, 'augmented')).toBe('integrated');
    expect(await phiOf({}, 'importance')).toBe('drawn');
    expect(await phiOf({ phi: 'drawn' }, 'augmented')).toBe('drawn');
  });

  it('refuses a limit on chains that are not added', async () => {
    const config = readConfig(undefined, { mcmc: { maxChains: 90 } }, earlier({ chains: 5 }));
    await expect(config).rejects.toMatchObject({ code: 'no-rounds' });
  });
});

describe('a file of known records', () => {
  it('is named relative to the config, and read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'synthrisk-'));
    const file = join(folder, 'run.yaml');
    await writeFile(file, 'table: table.csv\nattributeRisk: { scenarios: [{ name: some, knows: { file: known.csv } }] }\n');
    await writeFile(join(folder, 'table.csv'), 'a\nx\n');
    const config = await readConfig(file, {});
    await expect(readRunFiles(config)).rejects.toMatchObject({ code: 'unreadable-file' });
    await writeFile(join(folder, 'known.csv'), 'record\n1\n');
    const { knownFiles } = await readRunFiles(config);
    expect([...knownFiles!.keys()]).toEqual([join(folder, 'known.csv')]);
    expect(Buffer.from(knownFiles!.get(join(folder, 'known.csv'))!).toString()).toBe('record\n1\n');
  });

  it('leaves an unknown kind of knowledge to be refused', async () => {
    const scenarios = [{ name: 'some', knows: 'everything' }];
    await expect(readConfig(undefined, { attributeRisk: { scenarios } })).rejects.toMatchObject({ exitCode: 2 });
  });
});
