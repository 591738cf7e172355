// A program of somebody else's, which a test checks and runs against the installed package.
import { readFile } from 'node:fs/promises';
import { evaluate, FileStore, MemoryStore, type Settings, type Summary, SynthriskError, synthesize, VERSION } from 'synthrisk';

const [table, releaseKey] = await Promise.all(process.argv.slice(2).map((path) => readFile(path)));
const settings: Settings = {
  model: { name: 'dpmpm', classes: 6 },
  mcmc: { chains: 3, burnIn: 10, draws: 4, thin: 2, pairedChains: 2, pairedDraws: 4, pairedThin: 1 },
  synthesis: { datasets: 2 },
  utility: 'off',
};

/** The code with which a call is refused. */
async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof SynthriskError) return error.code;
    throw error;
  }
  throw new Error('it was taken');
}

const input = { table: table!, releaseKey: releaseKey!, settings, store: new FileStore('store') };
const refused = await codeOf(evaluate({ ...input, settings: { seed: -1 } }));
const missing = await codeOf(evaluate({ ...input, settings: { ...settings, synthesis: { structuralZeros: 'zeros.csv' } } }));

// Ended after the first chain, and gone on with.
const ending = new AbortController();
const seen = new Set<string>();
const ended = await codeOf(evaluate({ ...input, signal: ending.signal, onProgress: () => ending.abort() }));
const { runId, summary, store } = await evaluate({ ...input, onProgress: ({ phase, done, total }) => done === total && seen.add(phase) });
if ([...seen].join() !== 'fit,synthesize,augment,assess,report') throw new Error(`phases: ${[...seen]}`);
const records: number = (summary satisfies Summary).table.records;

const alone = await synthesize({ table: table!, settings: { ...settings, synthesis: { datasets: 1 } } });
if (!(alone.store instanceof MemoryStore)) throw new Error('another store');
if ((await alone.store.list(`runs/${alone.runId}/release/`)).length < 1) throw new Error('no dataset');

const placeKey = new TextDecoder().decode(await store.get('place-key'));
process.stdout.write(
  JSON.stringify({ version: VERSION, refused, missing, ended, records, runId, placeKey, settings: JSON.stringify(settings) }),
);
