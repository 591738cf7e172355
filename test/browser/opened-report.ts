import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { LAUNCH } from '../../bench/report/browsers.ts';

/** What axe says is wrong with a page: the rule, and where. */
interface Violation {
  readonly id: string;
  readonly nodes: readonly string[];
}

/** A page of a browser, and what it said and asked for. */
export interface OpenedPage {
  readonly page: Page;
  /** Messages of the console, errors of scripts and dialogs. */
  readonly messages: string[];
  /** Kinds of dialogs that were answered with no. */
  readonly dialogs: string[];
  /** Addresses that were asked for. */
  readonly requests: string[];
}

/** A browser, and a report in a folder of its own. */
export class ReportBrowser {
  readonly #browser: Browser;
  /** Holds the report, and what Firefox saves. */
  readonly folder: string;
  /** Address of the report. */
  readonly address: string;

  private constructor(browser: Browser, folder: string, address: string) {
    this.#browser = browser;
    this.folder = folder;
    this.address = address;
  }

  /** Starts a browser on a report. */
  static async start(report: string, name: keyof typeof LAUNCH = 'chromium'): Promise<ReportBrowser> {
    const folder = mkdtempSync(join(tmpdir(), 'synthrisk-report-'));
    const file = join(folder, 'report.html');
    writeFileSync(file, report);
    const browser = await LAUNCH[name](folder);
    return new ReportBrowser(browser, folder, pathToFileURL(file).href);
  }

  /** Opens the report in a window of its own. */
  async open(options: BrowserContextOptions = {}, hash = ''): Promise<OpenedPage> {
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await context.newPage();
    const opened: OpenedPage = { page, messages: [], dialogs: [], requests: [] };
    context.on('console', (message) => opened.messages.push(message.text()));
    context.on('weberror', (error) => opened.messages.push(error.error().message));
    context.on('dialog', (dialog) => {
      opened.dialogs.push(dialog.type());
      opened.messages.push(dialog.message());
      void dialog.dismiss();
    });
    context.on('request', (request) => opened.requests.push(request.url()));
    await page.goto(`${this.address}${hash}`);
    return opened;
  }

  /** Ends the browser. */
  async stop(): Promise<void> {
    await this.#browser.close();
    rmSync(this.folder, { recursive: true });
  }
}

/** What axe finds wrong with a page as it is. */
export async function axeViolations(page: Page): Promise<Violation[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    interface Found {
      violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
    }
    const loaded = globalThis as unknown as { axe: { run: () => Promise<Found> } };
    const { violations } = await loaded.axe.run();
    return violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes.map(({ html, failureSummary = '' }) => `${html.slice(0, 200)} ${failureSummary}`),
    }));
  });
}
