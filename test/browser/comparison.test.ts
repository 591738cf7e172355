import { afterAll, describe, expect, it } from 'vitest';
import { type Comparison, comparisonSchema } from '../../shared/contracts/results/comparison.ts';
import { renderComparison } from '../../shared/report/render-comparison.ts';
import { ReportBrowser } from './opened-report.ts';

const RISK = 'attributeRisk[0].informationBitsMean';
const UTILITY = 'utility.figures.propensityRatioMain';

/** A run by its name and its figures, of which both have the same error. */
interface MappedRun {
  readonly name: string;
  readonly risk: number;
  readonly utility: number;
  readonly se?: number;
}

const figureOf = (value: number, se: number) => ({ value, se, halfWidth: 2 * se, datasets: null, spread: null });

function comparisonOf(runs: readonly MappedRun[]): Comparison {
  return comparisonSchema.parse({
    version: '0.1.0',
    runs: runs.map(({ name, risk, utility, se = 0.01 }) => ({
      ...{ runId: '0123456789abcdef', name, model: 'dpmpm', datasets: 1, kind: 'full', synthesized: ['AGE'] },
      risk: { [RISK]: figureOf(risk, se) },
      utility: { [UTILITY]: figureOf(utility, se) },
    })),
    measures: [
      { name: RISK, of: 'risk', better: 'smaller', covers: null },
      { name: UTILITY, of: 'utility', better: 'smaller', covers: null },
    ],
    map: { risk: RISK, utility: UTILITY },
    ...{ dominated: [], differences: [] },
  });
}

const browsers: ReportBrowser[] = [];

afterAll(async () => {
  for (const one of browsers) await one.stop();
});

/** The places of the names of runs on the map of a comparison, the picture's and each symbol's, in pixels of the window. */
async function mapOf(runs: readonly MappedRun[], width = 1280) {
  const browser = await ReportBrowser.start(await renderComparison(comparisonOf(runs)));
  browsers.push(browser);
  const opened = await browser.open({ viewport: { width, height: 900 } });
  const found = await opened.page.evaluate(() => {
    const svg = document.querySelector('#map svg')!;
    const boxOf = (element: Element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return { left, right, top, bottom };
    };
    const texts = [...svg.querySelectorAll('text')].filter((text) => text.getAttribute('font-weight') === '600');
    return {
      caption: document.querySelector('#map .note')!.textContent,
      picture: boxOf(svg),
      axes: [...svg.querySelectorAll('.role-axis-label text, .role-axis-title text')].map(boxOf),
      names: texts.map((text) => ({ name: text.textContent, ...boxOf(text) })),
    };
  });
  expect(opened.messages).toEqual([]);
  await opened.page.context().close();
  return found;
}

type Box = Awaited<ReturnType<typeof mapOf>>['picture'];

const overlap = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** Every name once, within the picture, over no other name and over nothing of the axes. */
async function expectNamed(runs: readonly MappedRun[], shown = runs.map(({ name }) => name), width?: number) {
  const { axes, names, picture } = await mapOf(runs, width);
  expect(names.map(({ name }) => name).toSorted()).toEqual(shown.toSorted());
  for (const [i, own] of names.entries()) {
    expect(own.left, own.name!).toBeGreaterThanOrEqual(picture.left);
    expect(own.right, own.name!).toBeLessThanOrEqual(picture.right);
    expect(own.top, own.name!).toBeGreaterThanOrEqual(picture.top);
    expect(own.bottom, own.name!).toBeLessThanOrEqual(picture.bottom);
    const over = [...names.slice(0, i), ...axes.map((axis) => ({ name: 'an axis', ...axis }))].filter((other) => overlap(own, other));
    expect(over.map(({ name }) => `${own.name} over ${name}`)).toEqual([]);
  }
}

describe('the map of a comparison in Chromium', () => {
  it.each([400, 1280])('has the name of each of three runs, at %i pixels', async (width) => {
    const runs = [
      { name: 'baseline', risk: 0.2, utility: 1.2 },
      { name: 'more-classes', risk: 0.5, utility: 1.1 },
      { name: 'fewer', risk: 0.1, utility: 2.4 },
    ];
    await expectNamed(runs, undefined, width);
  });

  it('has them at its corners', async () => {
    const corners = [0, 1].flatMap((risk) => [1, 2].map((utility) => ({ name: `risk ${risk}, utility ${utility}`, risk, utility, se: 0 })));
    await expectNamed(corners);
  });

  it.each([0.01, 0])('has those of runs with equal figures beside each other, with an error of %d', async (se) => {
    await expectNamed(
      ['baseline', 'again', 'once more', 'and again', 'a fifth', 'a sixth'].map((name) => ({ name, risk: 0.2, utility: 1.2, se })),
    );
  });

  it('has those of runs that are near each other, where a wide box puts them at an edge', async () => {
    const runs = ['first', 'second', 'third', 'fourth', 'fifth'].map((name, i) => ({
      name: `a run called the ${name}`,
      risk: 2 + i / 50,
      utility: 1.9 + i / 100,
    }));
    await expectNamed([...runs, { name: 'wide', risk: 2, utility: 1, se: 2 }]);
  });

  it('shortens a long name between its ends, by which runs of a sweep differ', async () => {
    const long = (end: string) => `survey-2026-household-income-classes-${end}`;
    const runs = ['20', '40'].map((end, i) => ({ name: long(end), risk: 0.2 + i / 10, utility: 1 + i }));
    await expectNamed(runs, ['survey-2026…e-classes-20', 'survey-2026…e-classes-40']);
  });

  it('leaves out the names for which there is no room, and says so', async () => {
    const runs = Array.from({ length: 80 }, (_, i) => ({ name: `run-${i + 1}`, risk: 0.2, utility: 1.2 }));
    const { caption, names } = await mapOf(runs);
    expect(names.length).toBeGreaterThan(20);
    expect(names.length).toBeLessThan(80);
    expect(caption).toMatch(new RegExp(`There is no room for ${80 - names.length}\\snames`));
  });
});
