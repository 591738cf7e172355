import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AttributeRiskTable } from '../../shared/contracts/results/tables/attribute-risk-table.ts';
import { renderReport } from '../../shared/report/render-report.ts';
import { reportInput, valueTable } from '../report/fixture.ts';
import { detailsOf } from '../report/records/details-fixture.ts';
import { axeViolations, ReportBrowser } from './opened-report.ts';

/** Categories that would do something if they were anything but text. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '</script><script>alert(2)</script>',
  '"><img src=x onerror=alert(3)>',
  '<svg onload=alert(4)><circle r=9/></svg>',
  '=HYPERLINK("https://example.org","x")',
  '\u202egnp.egami\u202c',
  '\u2028\u2029\u0000\\u003c&lt;',
  'javascript:alert(5) {{alert(6)}}',
  'x'.repeat(10_000),
];

let browser: ReportBrowser;

beforeAll(async () => {
  const input = reportInput();
  const plain = input.table!;
  const hostile = (row: number, variable: number) => HOSTILE[(row + variable) % HOSTILE.length]!;
  const table: AttributeRiskTable = {
    ...plain,
    columns: {
      ...plain.columns,
      first_guess_variable: () => HOSTILE[1]!,
      first_guess_value: (row) => hostile(row, 4),
      scenario: () => HOSTILE[0]!,
    },
    variables: plain.variables.map(({ name }, v) => ({ name: v === 0 ? HOSTILE[1]! : name, text: (row) => hostile(row, v) })),
  };
  const report = await renderReport({ ...input, table, values: valueTable(HOSTILE[3]), details: detailsOf(table) });
  browser = await ReportBrowser.start(report);
});

afterAll(async () => browser?.stop());

describe('hostile categories in Chromium', () => {
  it('are text everywhere', async () => {
    const { page, messages, requests } = await browser.open();
    // A zero character is no text of HTML, which shows what stands for one.
    for (const label of HOSTILE.filter((text) => !text.includes('\u0000') && text.length < 48)) {
      const cells = page.locator('.records-table').getByText(label, { exact: true });
      expect(await cells.count(), label).toBeGreaterThan(0);
    }
    for (let row = 1; row <= HOSTILE.length; row++) {
      await page.goto(`${browser.address}#record=${row}`);
      await page.locator('dialog[open]').waitFor();
      const own = await page.locator('.record-own bdi').allTextContents();
      const expected = Array.from({ length: 8 }, (_, v) => HOSTILE[(row - 1 + v) % HOSTILE.length]!);
      expect(own).toEqual(expected);
    }
    const made = await page.evaluate(() => [
      document.querySelectorAll('img, iframe, [onerror], [onload], svg[onload]').length,
      document.querySelectorAll('script').length,
    ]);
    expect(made).toEqual([0, 2]);
    expect(messages).toEqual([]);
    expect(requests.every((address) => address.startsWith(browser.address))).toBe(true);
  });

  it.each([400, 1280])('break neither the width of %i pixels nor a rule of axe', async (width) => {
    const { page } = await browser.open({ viewport: { width, height: 800 } }, '#record=9');
    const overflow = await page.evaluate(() => {
      const dialog = document.querySelector('dialog')!;
      return [document.documentElement.scrollWidth - innerWidth, dialog.scrollWidth - dialog.clientWidth];
    });
    expect(Math.max(...overflow)).toBeLessThanOrEqual(0);
    expect(await axeViolations(page)).toEqual([]);
  });
});
