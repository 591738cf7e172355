import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import { publicSummarySchema } from '../../shared/contracts/release/public-summary.ts';
import { encodeKey } from '../../shared/contracts/secret-key.ts';
import { smallTable } from '../pipeline/small-run.ts';
import { errorOf, FLAGS_WITH_UTILITY, fileStates, synthrisk, temporaryFolder } from '../run-command.ts';
import { testKey } from '../test-keys.ts';

const directory = temporaryFolder();
const read = (name: string) => readFileSync(join(directory, 'run', 'confidential', name), 'utf8');
const report = (...flags: string[]) => synthrisk(directory, ['report', 'run', '--public', ...flags]);

beforeAll(async () => {
  writeFileSync(join(directory, 'table.csv'), smallTable({ records: 200 }));
  writeFileSync(join(directory, 'other-key'), encodeKey(testKey(9)));
  const evaluate = ['evaluate', 'table.csv', '--out', 'run', '--datasets', '2', '--quiet', ...FLAGS_WITH_UTILITY];
  const { code, stderr } = await synthrisk(directory, evaluate);
  expect({ code, stderr }).toMatchObject({ code: 0 });
}, 120_000);

describe('report --evidence', () => {
  it('writes a page and a document into confidential, with no category, digest or key in them', async () => {
    const { code, stdout } = await synthrisk(directory, ['report', 'run', '--evidence']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'run/confidential/evidence.html\nrun/confidential/evidence.docx\n' });
    const document = strFromU8(unzipSync(readFileSync(join(directory, 'run/confidential/evidence.docx')))['word/document.xml']!);
    const manifest = read('manifest.json');
    expect(manifest).toContain('confidential/evidence.docx');
    const categories = readFileSync(join(directory, 'table.csv'), 'utf8')
      .split(/[\r\n,]+/)
      .slice(4)
      .filter((category) => category.length > 2);
    const secrets = [...manifest.matchAll(/[0-9a-f]{64}/g)].map(([digest]) => digest);
    for (const text of [read('evidence.html').replace(/<style>.*<\/style>/s, ''), document]) {
      for (const secret of [...secrets, read('release-key').trim(), ...new Set(categories)]) expect(text).not.toContain(secret);
      for (const section of ['Singling out', 'Linkability', 'Inference', 'Membership', 'Utility', 'Label', 'Five Safes', 'ISO/IEC 20889']) {
        expect(text).toContain(section);
      }
    }
    for (const name of ['evidence.html', 'evidence.docx']) rmSync(join(directory, 'run/confidential', name));
    expect(errorOf(await synthrisk(directory, ['report', 'run', '--evidence', '--public', '--json']))).toMatchObject({
      code: 'public-evidence',
    });
  });
});

describe('report --public', () => {
  it('writes one page and its figures, beside the report and nowhere else, and the same bytes again', async () => {
    const before = Object.keys(fileStates(join(directory, 'run')));
    const { code, stdout, stderr } = await report();
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'run/confidential/public.html\n', stderr: '' });
    const after = Object.keys(fileStates(join(directory, 'run')));
    const added = after.filter((path) => !before.includes(path)).sort();
    expect(added).toEqual(['confidential/public.html', 'confidential/public.json']);
    const pages = [read('public.html'), read('public.json')];
    const { stdout: told } = await report('--json');
    expect(JSON.parse(told)).toEqual({ page: 'run/confidential/public.html', document: 'run/confidential/public.json' });
    expect([read('public.html'), read('public.json')]).toEqual(pages);
  });

  it('bounds what the release adds, where noise is larger, and never says that it protects', () => {
    const [risk] = publicSummarySchema.parse(JSON.parse(read('public.json'))).attributeRisk;
    const { probabilityTrueBefore: before, probabilityTrueAfter: after, probabilityTrueAdded: added } = risk!;
    // 200 records: one standard deviation of the noise of each of the two is 8 points.
    expect(before.error).toBeGreaterThan(0.08);
    expect(after.value).toBeNull();
    expect(added.atMost).toBeGreaterThan(0.2);
    const page = read('public.html');
    expect(page).toContain(`less than ${Math.round(100 * added.atMost!)} percentage points`);
    expect(page).not.toContain('Probability of the true value with them');
  });

  it('tells no category, no id, no seed, no digest and no key', () => {
    const { runId } = JSON.parse(read('summary.json'));
    const manifest = read('manifest.json');
    expect(manifest).toContain('confidential/public.json');
    const digests = [...manifest.matchAll(/[0-9a-f]{64}/g)].map(([digest]) => digest);
    const categories = readFileSync(join(directory, 'table.csv'), 'utf8')
      .split(/[\r\n,]+/)
      .slice(4)
      .filter((category) => category.length > 2);
    for (const page of [read('public.html'), read('public.json')]) {
      for (const told of [runId, read('release-key').trim(), ...digests, ...new Set(categories)]) {
        expect(page).not.toContain(told);
      }
    }
    expect(publicSummarySchema.parse(JSON.parse(read('public.json'))).noise.numbers).toBe(6);
  });

  it('refuses another key, what it does not include, and a folder without the key unless its file is named', async () => {
    const refused = async (flags: string[], code: string) => {
      const outcome = await report(...flags, '--json');
      expect([outcome.code, errorOf(outcome).code]).toEqual([2, code]);
    };
    await refused(['--release-key', 'other-key'], 'other-release-key');
    for (const beside of ['calibration', 'attack', 'remedies']) await refused([`--${beside}`, 'run'], `public-${beside}`);
    const page = read('public.json');
    renameSync(join(directory, 'run', 'confidential', 'release-key'), join(directory, 'kept-key'));
    await refused([], 'no-release-key');
    expect((await report('--release-key', 'kept-key')).code).toBe(0);
    expect(read('public.json')).toBe(page);
    const plain = await synthrisk(directory, ['report', 'run', '--release-key', 'kept-key']);
    expect(plain.stderr).toContain('The release key is of use with --public alone.');
  });
});
