import { calibrationSchema } from '../contracts/calibration.ts';
import { runKeys } from '../contracts/keys.ts';
import { chainDiagnosticsSchema, summarySchema } from '../contracts/results.ts';
import { renderReport } from '../report/render-report.ts';
import type { Store } from '../storage/store.ts';
import { attributeRiskRows } from './attribute-risk-table.ts';
import { readRunContext } from './run-context.ts';
import { readJson } from './stored-json.ts';
import { readFigures } from './stored-part.ts';

/** Writes the HTML report of an assessed run from its files, with a calibration where one was put beside them. */
export async function reportRun(store: Store, { runId }: { runId: string }): Promise<void> {
  const keys = runKeys(runId);
  const context = await readRunContext(store, runId);
  const summary = await readJson(store, keys.confidential.summary, summarySchema);
  const figures = await readFigures(store, context.plan, summary.rounds.length);
  const html = await renderReport({
    summary,
    rows: await attributeRiskRows(store, context, figures),
    variables: context.table.schema.variables.map(({ name }) => name),
    chains: await readJson(store, keys.chains, chainDiagnosticsSchema),
    calibration: (await store.head(keys.confidential.calibration))
      ? await readJson(store, keys.confidential.calibration, calibrationSchema)
      : null,
  });
  await store.put(keys.confidential.report, new TextEncoder().encode(html));
}
