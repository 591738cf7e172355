/**
 * Keys of every artifact of a run. No other place builds a key: a store is addressed only through these.
 * Numbers are one-based, as in the file names that users see.
 */
export function runKeys(runId: string) {
  const root = `runs/${runId}/`;
  return {
    root,
    run: `${root}run.json`,
    plan: `${root}plan.json`,
    manifest: `${root}manifest.json`,
    table: {
      schema: `${root}table/schema.json`,
      combinations: `${root}table/combinations.npy`,
      counts: `${root}table/counts.npy`,
    },
    /** Folder of a chain's draws; `chain` is one of the names that `plan.ts` gives. */
    draws: (chain: string) => `${root}draws/${chain}/`,
    /** A synthetic dataset as the pipeline reads it: combinations and counts. */
    synthesis: (dataset: number) => `${root}synthesis/${dataset}/`,
    release: {
      root: `${root}release/`,
      dataset: (dataset: number) => `${root}release/synthetic-${dataset}.csv`,
    },
    part: (batch: number) => `${root}parts/${String(batch).padStart(6, '0')}/`,
    confidential: {
      root: `${root}confidential/`,
      attributeRiskCsv: `${root}confidential/attribute-risk.csv`,
      attributeRiskParquet: `${root}confidential/attribute-risk.parquet`,
      summary: `${root}confidential/summary.json`,
      report: `${root}confidential/report.html`,
    },
    chains: `${root}diagnostics/chains.json`,
  };
}

/** The keys of one run. */
export type RunKeys = ReturnType<typeof runKeys>;
