import { beforeAll, describe, expect, it } from 'vitest';
import { type PublicSummary, publicSummarySchema } from '../../../shared/contracts/release/public-summary.ts';
import { type Summary, summarySchema } from '../../../shared/contracts/results/summary.ts';
import { publishSummary } from '../../../shared/pipeline/public/publish-summary.ts';
import { KeyedStreams } from '../../../shared/random/streams.ts';
import { renderPublic } from '../../../shared/report/public/render-public.ts';
import { TEST_KEYS, testKey } from '../../test-keys.ts';
import { CATEGORY_TREE_SETTINGS, mixedTable, runFigures, smallConfig, smallTable } from '../small-run.ts';

async function summaryOf(table: Uint8Array, sections: object): Promise<Summary> {
  const config = smallConfig({ identification: [], ...sections } as Parameters<typeof smallConfig>[0]);
  const { store, keys } = await runFigures({ ...TEST_KEYS, purpose: 'evaluate', config, table });
  return summarySchema.parse(JSON.parse(new TextDecoder().decode(await store.get(keys.confidential.summary))));
}

/** @param opened takes the names by which noise is opened */
function publish(summary: Summary, key = 3, opened = new Set<string>()): PublicSummary {
  const streams = new KeyedStreams(testKey(key), summary.seed);
  const open = (name: string) => {
    opened.add(name);
    return streams.openReleased(name);
  };
  return publicSummarySchema.parse(publishSummary(summary, open));
}

/** Pages whose noise is compared: figures of two digits make many of them look alike, about 44 of a hundred differ. */
const PAGES = Array.from({ length: 100 }, (_, page) => page);

let full: Summary;
let trees: Summary;

beforeAll(async () => {
  full = await summaryOf(smallTable({ records: 400 }), {});
  trees = await summaryOf(mixedTable({ records: 200 }), CATEGORY_TREE_SETTINGS);
}, 120_000);

describe('what anybody may know', () => {
  it('is the same whenever it is asked for, and has other noise under another key and of other figures', () => {
    expect(publish(full)).toEqual(publish(full));
    const others = PAGES.map((key) => JSON.stringify(publish(full, 10 + key)));
    expect(new Set(others).size).toBeGreaterThan(25);
    const opened = new Set<string>();
    expect(publish({ ...full, runId: 'of another place' }, 3, opened)).toEqual(publish(full, 3, opened));
    const figures = opened.size;
    const [risk] = full.attributeRisk;
    const ofRuns = PAGES.map((run) => {
      const attributeRisk = [{ ...risk!, probabilityTrueAfter: risk!.probabilityTrueAfter! + 1e-9 * run }];
      return JSON.stringify(publish({ ...full, attributeRisk }, 3, opened));
    });
    expect(opened.size).toBe(PAGES.length * figures);
    expect(new Set(ofRuns).size).toBeGreaterThan(25);
  });

  it('has of membership that it was tested, and no figure', () => {
    expect(publish(full).membershipTested).toBe(true);
    expect(publish(trees).membershipTested).toBe(false);
    const [risk] = full.attributeRisk;
    const found = { ...risk!, membership: { ...risk!.membership!, auc: 0.91357, power: 0.1 } };
    expect(publish({ ...full, attributeRisk: [found] })).toEqual(publish(full));
  });

  it('has no field but those that are listed, none with an exact figure, an id, a seed or a name of a scenario', () => {
    const text = JSON.stringify(
      publish({
        ...full,
        seed: 987654321,
        attributeRisk: full.attributeRisk.map((risk) => ({ ...risk, scenario: 'neighbour of record 143' })),
      }),
    );
    for (const told of [full.runId, '987654321', 'neighbour', '143']) expect(text).not.toContain(told);
    const numbers = [...text.matchAll(/(?<=[:[,])-?\d[\d.e-]*/g)].map(([number]) => number);
    // Records, variables, datasets, the scenario, what noise there is, and figures of two digits at most:
    // three with their errors, and the bound that stands for the one with the release.
    expect(numbers.length).toBe(6 + 7);
    expect(numbers.filter((number) => /\d\.\d{4}/.test(number))).toEqual([]);
  });

  it('is of trees what matching finds, since one record can change the probabilities of all', () => {
    const told = publish(trees);
    expect(told.attributeRisk[0]!.probabilityTrueAfter).toMatchObject({ value: null });
    expect(told.attributeRisk[0]!.probabilityTrueAfter).toHaveProperty(
      'reason',
      'one record can change the trees, and with them the probabilities of all others',
    );
    const [matched] = trees.identificationRisk;
    const [public_] = told.identificationRisk;
    const { value, error } = public_!.expectedMatchShare;
    const exact = matched!.applies ? matched!.mean.expectedMatchRisk / 200 : Number.NaN;
    expect(Math.abs(value! - exact)).toBeLessThan(5 * error!);
    expect(told.exactDisclosureShare.value).not.toBeNull();
    // Five numbers, each moved by a record in 200 at most: a standard deviation of 3.5 %.
    expect(told.noise.numbers).toBe(5);
    expect(error).toBe(0.05);
  });

  it('lacks the probabilities of one dataset, whose error nobody knows', () => {
    const told = publish({ ...full, synthesis: { ...full.synthesis, datasets: 1 } });
    expect(told.attributeRisk[0]!.probabilityTrueBefore).toHaveProperty('reason', 'a single dataset does not tell how releases differ');
  });

  it('lacks the probabilities of an intruder who has some of the records', () => {
    const told = publish({ ...full, attributeRisk: full.attributeRisk.map((risk) => ({ ...risk, knows: { share: 0.1 } })) });
    expect(told.attributeRisk[0]).toMatchObject({ probabilityTrueBefore: { value: null } });
    expect(told.attributeRisk[0]!.knows).toBe('a share of 0.1 of the records, drawn at random');
  });
});

// The table's noise is about as large as all that a release could add.
it('never says that a release protects, whichever noise it has and whatever the estimates are', async () => {
  const [risk] = full.attributeRisk;
  for (const adds of [-0.04, 0, 0.02, 0.3]) {
    const summary = {
      ...full,
      attributeRisk: [{ ...risk!, probabilityTrueBefore: 0.5, probabilityTrueAfter: 0.5 + adds, probabilityTrueAfterSe: 0.01 }],
    };
    for (let key = 0; key < 250; key++) {
      const told = publish(summary, key);
      const { probabilityTrueBefore: before, probabilityTrueAfter: after } = told.attributeRisk[0]!;
      const { probabilityTrueAdded: added } = told.attributeRisk[0]!;
      expect(added.atMost).toBeGreaterThan(0);
      if (after.value !== null) expect(after.value).toBeGreaterThan(before.value!);
      if (key % 50 > 0) continue;
      const page = await renderPublic(told);
      expect(page.includes('Probability of the true value with them')).toBe(after.value !== null);
      expect(page).toMatch(added.value === null ? /less than \d+ percentage points/ : /\d ± \d+ percentage points/);
      expect(page).not.toMatch(/<strong>-|nobody can|no risk|protect/);
    }
  }
});

describe('nothing may be known', () => {
  it('of a table so small that every figure would be noise', () => {
    expect(() => publish({ ...full, table: { ...full.table, records: 169 } })).toThrow(
      'Of 169 records every figure would be noise: a page of 6 numbers takes 170 records.',
    );
    expect(() => publish({ ...full, table: { ...full.table, records: 170 } })).not.toThrow();
  });

  it('where no figure is left', () => {
    expect(() => publish({ ...full, utility: null, synthesis: { ...full.synthesis, datasets: 1 } })).toThrow(
      'no figure that anybody may know',
    );
  });
});
