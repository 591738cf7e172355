import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { Engine } from '../../../page/engine/engine.ts';
import type { Said, Verb } from '../../../page/engine/questions.ts';
import { WITHOUT_UTILITY } from '../../pipeline/small-run.ts';
import { ACCEPTED_SETTINGS, CANARY, GOOD_TABLE, PLANTED, REFUSED_CONFIGS, REFUSED_TABLES } from '../../planted-values.ts';
import { filesBelow } from '../../run-command.ts';

/** What the engine answered, and what came to the console while a test ran. */
let said: Said[];
let told: unknown[];

beforeEach(() => {
  said = [];
  told = [];
  vi.stubGlobal('postMessage', (one: Said) => void said.push(one));
  for (const method of ['debug', 'error', 'info', 'log', 'warn'] as const) {
    vi.spyOn(console, method).mockImplementation((...args) => void told.push(args));
  }
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((text) => told.push(String(text)) > 0);
  }
  vi.spyOn(process, 'emitWarning').mockImplementation((warning) => void told.push(String(warning)));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const chosen = (table: string, settings: string) => ({
  ...{ name: 'table.csv', table: new TextEncoder().encode(table), settings, files: new Map(), synthetic: [] },
});

/** Asks every question that the page asks of a table before a run, and gives the answers by their verbs. */
async function ask(table: string, settings = ''): Promise<Record<string, Said>> {
  const engine = new Engine();
  const verbs = ['describe', 'plan', 'suggest'] as const satisfies readonly Verb[];
  for (const [number, verb] of verbs.entries()) await engine.hear(number, verb, { ...chosen(table, settings), jobs: 1 });
  return Object.fromEntries(verbs.map((verb, number) => [verb, said.find((one) => 'number' in one && one.number === number)!]));
}

const errorOf = (one: Said) => ('error' in one ? one.error : null);

it.each([...REFUSED_TABLES, ...REFUSED_CONFIGS])('says no value where it refuses $what ($code)', async ({ table, config, code }) => {
  const { plan, describe: described, suggest } = await ask(table, config);
  expect(errorOf(plan!)).toMatchObject({ code });
  for (const one of [plan!, suggest!, described!]) expect(JSON.stringify(errorOf(one))).not.toMatch(PLANTED);
  const { answer } = described as { answer?: { refused: unknown } };
  expect(JSON.stringify(answer?.refused ?? null)).not.toMatch(PLANTED);
  expect(JSON.stringify(told)).not.toMatch(PLANTED);
});

it('says none where it refuses a file that is not what it is chosen for', async () => {
  const engine = new Engine();
  const bytes = new TextEncoder().encode(`${CANARY}\n`);
  await engine.hear(0, 'open', { name: 'run.zip', bytes } as never);
  await engine.hear(1, 'verify', { files: [{ name: 'manifest.json', bytes }] } as never);
  await engine.hear(2, 'mask', { ...chosen(GOOD_TABLE, ''), flags: { noise: CANARY } } as never);
  await engine.hear(3, 'evaluate', { ...chosen(GOOD_TABLE, stringify(WITHOUT_UTILITY)), jobs: 1, releaseKey: bytes });
  expect(said.map(errorOf)).not.toContain(null);
  expect(JSON.stringify([said, told])).not.toMatch(PLANTED);
});

it('keeps declared categories and rules out of what it says before a run', async () => {
  const { plan } = await ask(GOOD_TABLE, stringify({ ...WITHOUT_UTILITY, ...ACCEPTED_SETTINGS }));
  expect(errorOf(plan!)).toBeNull();
  expect(JSON.stringify([plan, told])).not.toMatch(PLANTED);
});

it('leaves nothing where a browser remembers or logs: no message, title, address or stored key is written anywhere in the page', () => {
  const remembered =
    /\bconsole\s*\.|document\.(title|cookie)|\b(local|session)Storage\b|\bindexedDB\b|\bcaches\b|\bhistory\.|\blocation\b|\bwindow\.(name|open)\b/;
  const sources = filesBelow('page')
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => `page/${path}`);
  expect(sources.length).toBeGreaterThan(20);
  expect(sources.filter((path) => remembered.test(readFileSync(path, 'utf8')))).toEqual([]);
  // Files are named by the id of their run alone.
  const names = sources.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/(?<!function )\bsave\(([^,]+),/g)].map(([, name]) => name),
  );
  expect(names.filter((name) => !/^(file|'[\w.-]+'|`\$\{[\w.]*runId\}.*`)$/.test(name!))).toEqual([]);
});
