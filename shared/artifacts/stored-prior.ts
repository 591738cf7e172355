import { decodeCheckedNpy, encodeCheckedNpy } from '../arrays/checked-npy.ts';
import { priorFiles } from '../contracts/config/config.ts';
import { runKeys } from '../contracts/keys.ts';
import type { Scenario } from '../contracts/run/scenarios.ts';
import type { PriorWeights } from '../risk/prior/prior-weights.ts';
import type { Store } from '../storage/store.ts';

/** The files of a prior's weights. Of each the first row of the codes names the variables (from 0), the others are cells x variables. */
export function encodePrior(runId: string, files: readonly PriorWeights[]): Map<string, Uint8Array> {
  return new Map(
    files.flatMap(({ variables, codes, weights }, f): [string, Uint8Array][] => {
      const keys = runKeys(runId).table.prior(f + 1);
      const rows = new Uint16Array(variables.length + codes.length);
      rows.set(variables);
      rows.set(codes, variables.length);
      return [
        [keys.codes, encodeCheckedNpy(rows, [1 + weights.length, variables.length])],
        [keys.weights, encodeCheckedNpy(weights, [weights.length])],
      ];
    }),
  );
}

/** Reads what {@link encodePrior} wrote for a scenario; nothing where its prior is from no files. */
export function readPrior(store: Store, { runId, prior, priorFilesBefore }: Scenario): Promise<PriorWeights[]> {
  return Promise.all(
    priorFiles(prior).map(async (_, f) => {
      const keys = runKeys(runId).table.prior(priorFilesBefore + f + 1);
      const { data, shape } = decodeCheckedNpy(await store.get(keys.codes), keys.codes);
      const rows = data as Uint16Array;
      return {
        variables: rows.slice(0, shape[1]),
        codes: rows.slice(shape[1]),
        weights: decodeCheckedNpy(await store.get(keys.weights), keys.weights).data as Float64Array,
      };
    }),
  );
}
