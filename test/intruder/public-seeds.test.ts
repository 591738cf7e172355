import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);

/** Source files below a folder that open a stream by a number, which anybody can repeat. */
function openingBySeed(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .filter((path) => /new RandomStream\(|seededStreams\(/.test(readFileSync(new URL(`${folder}/${path}`, root), 'utf8')))
    .sort();
}

it('no step of a run opens a stream by a public seed: only what measures speed does', () => {
  // One is where streams are opened, one simulates tables that nobody has; the others time a model on made-up draws.
  expect(openingBySeed('shared')).toEqual([
    'estimate/utility-seconds.ts',
    'pipeline/synthesizers/cart/estimate-trees.ts',
    'pipeline/synthesizers/chains/estimate-chains.ts',
    'pipeline/synthesizers/chains/people-seconds.ts',
    'pipeline/synthesizers/chains/scoring-seconds.ts',
    'pipeline/synthesizers/counts/estimate-counts.ts',
    'pipeline/synthesizers/mixed/estimate-mixed.ts',
    'random/streams.ts',
    'risk/privacy/evaluate-privacy.ts',
  ]);
  for (const folder of ['cli', 'functions', 'infra']) expect(openingBySeed(folder), folder).toEqual([]);
});
