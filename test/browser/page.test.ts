import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderReport } from '../../shared/report/render-report.ts';
import { reportInput } from '../report/fixture.ts';
import { detailsOf, incomeDensities, incomeRows } from '../report/records/details-fixture.ts';
import { PDF_TO_TEXT } from './find-browsers.ts';
import { axeViolations, ReportBrowser } from './opened-report.ts';

const WIDTHS = [400, 1280, 1600];
const VIEWS = ['', '#record=143'];

let browser: ReportBrowser;

beforeAll(async () => {
  const input = reportInput();
  browser = await ReportBrowser.start(
    await renderReport({
      ...input,
      continuous: incomeRows(input.table!.rows),
      details: { ...detailsOf(input.table!), densities: [incomeDensities()] },
    }),
  );
});

afterAll(async () => browser?.stop());

describe('the report in Chromium', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const view of VIEWS) {
      it(`has no violation of axe, says nothing and asks for nothing: ${colorScheme}${view}`, async () => {
        const { page, messages, requests } = await browser.open({ colorScheme }, view);
        expect(await axeViolations(page)).toEqual([]);
        expect(messages).toEqual([]);
        expect(requests).toEqual([browser.address]);
        await page.context().close();
      });
    }
  }

  it('is dark where the reader wants it', async () => {
    const brightness = async (colorScheme: 'light' | 'dark', selector: string) => {
      const { page } = await browser.open({ colorScheme }, '#record=143');
      const colour = await page.locator(selector).evaluate((element) => getComputedStyle(element).backgroundColor);
      await page.context().close();
      return colour
        .match(/\d+/g)!
        .slice(0, 3)
        .reduce((sum, part) => sum + Number(part), 0);
    };
    for (const selector of ['body', 'dialog']) {
      expect(await brightness('light', selector)).toBeGreaterThan(600);
      expect(await brightness('dark', selector)).toBeLessThan(150);
    }
  });

  it.each(WIDTHS)('does not scroll sideways at %i pixels', async (width) => {
    for (const view of VIEWS) {
      const { page } = await browser.open({ viewport: { width, height: 800 } }, view);
      const [content, dialog] = await page.evaluate(() => {
        const own = document.querySelector('dialog');
        return [document.documentElement.scrollWidth, own ? own.scrollWidth - own.clientWidth : 0];
      });
      expect(content).toBeLessThanOrEqual(width);
      expect(dialog).toBe(0);
      await page.context().close();
    }
  });

  it.each(VIEWS)('prints that it is confidential on every page %s', async (view) => {
    const { page } = await browser.open({}, view);
    const printedPage = await page.pdf({ format: 'A4' });
    const text = execFileSync(PDF_TO_TEXT, ['-layout', '-', '-'], { input: printedPage, encoding: 'utf8' });
    // Each page ends with a form feed.
    const pages = text.split('\f').slice(0, -1);
    expect(pages.length).toBeGreaterThan(view === '' ? 3 : 1);
    for (const [index, printed] of pages.entries()) expect(printed, `page ${index + 1}`).toMatch(/confidential/i);
    if (view !== '') expect(text).toContain('Combination 143');
    await page.context().close();
  });
});
