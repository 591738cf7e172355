import type { ErrorReport, SynthriskError } from '../../shared/contracts/errors.ts';

/** What the page shows of an error: it has no flags, so that those of the command line, which stand in brackets, are left out. */
export function reportInPage({ report }: SynthriskError): ErrorReport {
  return { ...report, message: report.message.replaceAll(/ \(--[^)]*\)/g, '') };
}
