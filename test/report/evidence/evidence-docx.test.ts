import { strFromU8, unzipSync } from 'fflate';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ReportHeading } from '../../../shared/contracts/run/plan.ts';
import { evidenceDocx } from '../../../shared/report/evidence/evidence-docx.ts';
import { reportInput } from '../fixture.ts';

afterEach(() => {
  vi.useRealTimers();
});

describe('evidenceDocx()', () => {
  it('has the same bytes for the same input on another day, and no date but that of the run', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 0, 1) });
    const first = await evidenceDocx(reportInput());
    vi.setSystemTime(new Date(2027, 5, 2));
    expect(Buffer.from(await evidenceDocx(reportInput())).equals(first)).toBe(true);
    const properties = strFromU8(unzipSync(first)['docProps/core.xml']!);
    expect(properties).toContain('<cp:lastModifiedBy>synthrisk 0.1.0</cp:lastModifiedBy>');
    expect(properties).not.toContain('dcterms:W3CDTF');
  });

  it('asks who ran the run on its day, as the report does', async () => {
    const text = async (heading: ReportHeading) =>
      strFromU8(unzipSync(await evidenceDocx({ ...reportInput(), heading }))['word/document.xml']!);
    expect(await text({ startedOn: '2026-03-09' })).toContain('Run on 2026-03-09 (UTC) by');
    expect(await text({})).toContain('Run by, on');
    const named = await text({ table: 'Household survey', by: 'A. Officer' });
    expect(named.replace(/<[^>]*>/g, ' ')).toMatch(/Table and release\s+Household survey\s.*Run by, on\s+A\. Officer\s/s);
  });
});
