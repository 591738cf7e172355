import { describe, expect, it } from 'vitest';
import { readJson } from '../../shared/artifacts/stored-json.ts';
import { summarySchema } from '../../shared/contracts/results/summary.ts';
import { refuseMisfits } from '../../shared/contracts/settings/refuse-misfits.ts';
import { refuseUnreadRecords } from '../../shared/contracts/settings/refuse-unread-files.ts';
import { estimateRun } from '../../shared/estimate/estimate-run.ts';
import { measuredWork, remainingWork } from '../../shared/estimate/measured-work.ts';
import { planReassessment } from '../../shared/pipeline/plan/plan-reassessment.ts';
import { planRun } from '../../shared/pipeline/plan/plan-run.ts';
import { predictMemory } from '../../shared/pipeline/plan/predict-memory.ts';
import { firstRound } from '../../shared/pipeline/rounds/chains-needed.ts';
import { roundTasks } from '../../shared/pipeline/synthesizers/round-tasks.ts';
import { candidateTable } from '../../shared/pipeline/tables/candidate-table.ts';
import { encodeCsv } from '../../shared/table/files/write-csv.ts';
import { TEST_KEYS } from '../test-keys.ts';
import { csvRows, runFigures, smallConfig, smallTable } from './small-run.ts';

const RECORDS = 60;
const table = smallTable({ records: RECORDS });
const PATH = '/somewhere/secret-list.csv';
const knownFile = (records: readonly (number | string)[], column = 'record') =>
  new Map([
    [
      PATH,
      encodeCsv(
        [column],
        records.map((record) => [record]),
      ),
    ],
  ]);

const knowing = (knows: unknown) => ({ attributeRisk: { scenarios: [{ name: 'less', knows }] } });
const request = (sections: Parameters<typeof smallConfig>[0], files?: Map<string, Uint8Array>) => ({
  ...TEST_KEYS,
  purpose: 'evaluate' as const,
  config: smallConfig(sections),
  table,
  ...(files ? { knownFiles: files } : {}),
});

describe('a run with intruders who know less', () => {
  const scenarios = [
    { name: 'all but one' },
    { name: 'nothing', knows: 'nothing' },
    { name: 'a tenth', knows: { share: 0.1 } },
    { name: 'a list', knows: { file: PATH } },
    { name: 'the same tenth', knows: { share: 0.1 }, candidates: 'two-changes' },
  ];
  const listed = [1, 2, 3, 7, 60];

  it('has rows of the records that each does not have, and says nothing of a file in the open', async () => {
    const { store, plan, keys } = await runFigures(request({ attributeRisk: { scenarios } }, knownFile(listed)));
    const { attributeRisk } = await readJson(store, keys.confidential.summary, summarySchema);
    expect(attributeRisk.map(({ records }) => records)).toEqual([60, 60, 54, 55, 54]);
    expect(attributeRisk.map(({ knows }) => knows)).toEqual([undefined, 'nothing', { share: 0.1 }, 'file', { share: 0.1 }]);
    const [header, ...rows] = csvRows(await store.get(keys.confidential.table('attribute-risk').csv)) as [string[], ...string[][]];
    const column = (of: string, name: string) =>
      rows.filter((row) => row[header.indexOf('scenario')] === of).map((row) => Number(row[header.indexOf(name)]));
    for (const [s, { name }] of scenarios.entries()) {
      expect(column(name, 'count').reduce((sum, count) => sum + count, 0)).toBe(attributeRisk[s]!.records);
    }
    // The numbers of combinations are those of the whole table.
    const valuesOf = (row: string[]) => ['region', 'age_group', 'education', 'employment'].map((name) => row[header.indexOf(name)]).join();
    const all = new Map(rows.map((row) => [row[header.indexOf('combination')], valuesOf(row)]));
    for (const row of rows) expect(valuesOf(row)).toBe(all.get(row[header.indexOf('combination')]));
    expect(column('the same tenth', 'combination')).toEqual(column('a tenth', 'combination'));

    const open = new TextDecoder().decode(await store.get(keys.openPlan));
    const stored = plan.config.attributeRisk.scenarios[3]!.knows as { file: string };
    expect(stored.file).toMatch(/^[0-9a-f]{64}$/);
    expect(open).not.toContain(stored.file);
    expect(open).not.toContain('secret-list');
    expect(JSON.stringify(plan)).not.toContain('secret-list');
    expect(JSON.parse(open).config.attributeRisk.scenarios.map(({ knows }: { knows?: unknown }) => knows)).toEqual([
      undefined,
      'nothing',
      { share: 0.1 },
      'file',
      { share: 0.1 },
    ]);

    // Keys can be listed by those who may not read what they name.
    for (const key of await store.list(keys.root)) {
      expect(key).not.toContain(stored.file);
      expect(key).not.toContain('secret-list');
    }
    expect(await store.list(keys.root)).toContain(keys.table.known('file-1'));

    // The candidates of a row are those of its combination.
    const place = column('a list', 'combination').findIndex((number) => number > 3);
    const combination = column('a list', 'combination')[place]!;
    const candidates = csvRows(await candidateTable(store, { runId: plan.runId, combination, scenario: 'a list' }));
    const truth = candidates.find((row) => row[2] === 'true')!;
    expect(Number(truth[1])).toBe(column('a list', 'probability')[place]);
    // A combination of which he has every record has no row.
    const missing = column('all but one', 'combination').find((number) => !column('a list', 'combination').includes(number))!;
    await expect(candidateTable(store, { runId: plan.runId, combination: missing, scenario: 'a list' })).rejects.toMatchObject({
      code: 'known-combination',
    });

    // Nothing is left to do, and every chain is known to have been run.
    const left = await remainingWork(store, { runId: plan.runId, round: 1 });
    expect(Object.values(left.tasks).flat()).toEqual([]);
  });

  it('plans chains that scenarios of the same knowledge share, and counts them where it estimates', async () => {
    const planned = await planRun(request({ attributeRisk: { scenarios } }, knownFile(listed)));
    const { augment } = roundTasks(planned.plan, firstRound(planned.plan));
    const lessons = augment.filter(({ step }) => step === 'learn');
    // Two datasets with two chains each for three intruders, and three chains alone for two of them.
    expect(lessons).toHaveLength(3 * 2 * 2 + 2 * 3);
    const alone = await planRun(request({}));
    const [estimate, without] = [estimateRun(planned, 2), estimateRun(alone, 2)];
    expect(estimate.chains - without.chains).toBe(lessons.length);
    expect(estimate.iterations - without.iterations).toBe(lessons.length * (10 + 4 * 2));
    expect(predictMemory(planned, 2).phases.assess).toBeGreaterThan(0);
    const [work, less] = [measuredWork(planned.plan, estimate), measuredWork(alone.plan, without)];
    const tasks = ({ phases }: typeof work) => phases.reduce((sum, phase) => sum + phase.tasks, 0);
    expect(tasks(work) - tasks(less)).toBe(lessons.length);
    expect(work.part.objects).toBe(less.part.objects + 1);
  });

  it('adds chains in rounds to theirs as to others', async () => {
    const { store, plan, keys } = await runFigures(
      request({ ...knowing({ share: 0.3 }), mcmc: { reproducibility: { of: 'rank', target: 0.999 }, maxChains: 12 } }),
    );
    const { rounds } = await readJson(store, keys.confidential.summary, summarySchema);
    expect(rounds.length).toBeGreaterThan(1);
    const { chains, pairedChains } = rounds.at(-1)!;
    const weak = (await store.list(keys.allDraws)).filter((key) => key.includes('/weak/'));
    expect(weak).toHaveLength(chains + plan.datasets.count * pairedChains);
  });

  it('numbers files in the order of the scenarios, the same bytes alike', async () => {
    const paths = ['/a.csv', '/b.csv', '/copy-of-a.csv'];
    const [first, second] = [[1, 2], [3]].map((records) => knownFile(records).get(PATH)!);
    const files = new Map([
      [paths[0]!, first!],
      [paths[1]!, second!],
      [paths[2]!, first!],
    ]);
    const asked = paths.map((file) => ({ name: file, knows: { file } }));
    const { plan, known } = await planRun(request({ attributeRisk: { scenarios: asked } }, files));
    expect(plan.config.attributeRisk.scenarios.map(({ knows }) => knows)).toMatchObject([{ number: 1 }, { number: 2 }, { number: 1 }]);
    expect([...known.keys()]).toEqual(['file-1', 'file-2']);
    await expect(planRun(request(knowing({ file: PATH, number: 2 }), knownFile([1])))).rejects.toMatchObject({ code: 'numbered-file' });
  });

  it('draws a share by the release key alone', async () => {
    const known = async (key: number) => {
      const { known } = await planRun({
        ...request(knowing({ share: 0.5 })),
        releaseKey: async () => new Uint8Array(32).map((_, i) => i * key),
      });
      return [...known.get('share-0.5')!];
    };
    expect(await known(3)).toEqual(await known(3));
    expect(await known(3)).not.toEqual(await known(5));
    expect((await known(3)).reduce((sum, count) => sum + count, 0)).toBe(RECORDS / 2);
  });
});

describe('refused', () => {
  it.each([0, 1, -0.1, 1.5])('a share of %s', (share) => {
    expect(() => smallConfig(knowing({ share }))).toThrow();
  });

  it('a share that comes to no record, or to all', async () => {
    for (const share of [0.001, 0.999]) {
      await expect(planRun(request(knowing({ share })))).rejects.toMatchObject({ code: 'share-of-none' });
    }
  });

  it.each([
    ['a number past the last record', [61], 'record', 'no-such-record'],
    ['a number that is none', ['Ann'], 'record', 'no-such-record'],
    ['record 0', [0], 'record', 'no-such-record'],
    ['a record twice', [5, 5], 'record', 'repeated-record'],
    ['no record', [], 'record', 'no-known-records'],
    ['all records', Array.from({ length: RECORDS }, (_, i) => i + 1), 'record', 'nobody-outside'],
    ['another column', [1], 'person', 'no-record-column'],
  ] as const)('a file with %s', async (_, records, column, code) => {
    const refused = planRun(request(knowing({ file: PATH }), knownFile(records, column)));
    await expect(refused).rejects.toMatchObject({ code, exitCode: 2 });
    await expect(refused).rejects.toThrow(/^(?!.*(Ann|secret-list))/);
  });

  it('a file that nobody has read', async () => {
    await expect(planRun(request(knowing({ file: PATH })))).rejects.toMatchObject({ code: 'known-records-unread' });
    expect(() => refuseUnreadRecords(smallConfig(knowing({ file: PATH })))).toThrow(/expected as known-1\.csv/);
  });

  it.each([
    ['kept variables', { synthesis: { synthesized: ['region'] } }],
    ['structural zeros', { synthesis: { structuralZeros: 'zeros.csv' } }],
    ['missing values to impute', { synthesis: { missing: 'impute' } }],
    ['counts', { model: { name: 'dirichlet-multinomial', epsilon: 2 } }],
    ['trees', { model: { name: 'cart' }, synthesis: { synthesized: ['region'] } }],
  ])('%s', (_, sections) => {
    const config = smallConfig({ ...knowing('nothing'), ...sections });
    expect(() => refuseMisfits({}, config)).toThrow(expect.objectContaining({ code: 'lesser-knowledge' }));
  });

  it.each([
    ['importance', { estimator: 'importance' }],
    ['parameters', { estimator: 'parameters' }],
  ])('the estimator %s', (_, risk) => {
    const { attributeRisk } = knowing('nothing');
    const config = smallConfig({ attributeRisk: { ...attributeRisk, ...risk } });
    expect(() => refuseMisfits({}, config)).toThrow(expect.objectContaining({ code: 'lesser-knowledge' }));
  });

  it('all cells', () => {
    const config = smallConfig({ attributeRisk: { scenarios: [{ name: 'less', knows: 'nothing', candidates: 'all-cells' }] } });
    expect(() => refuseMisfits({}, config)).toThrow(expect.objectContaining({ code: 'lesser-knowledge' }));
  });

  it('a calibration, and a reassessment, which has no chains for them', async () => {
    await expect(
      planRun({ ...request({ ...knowing('nothing'), calibration: { targets: 5, replicates: 1 } }), purpose: 'calibrate' }),
    ).rejects.toMatchObject({ code: 'lesser-knowledge' });
    const run = await runFigures(request({}));
    await expect(planReassessment(run, smallConfig(knowing('nothing')), TEST_KEYS)).rejects.toMatchObject({ code: 'lesser-knowledge' });
  });
});
