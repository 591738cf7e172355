import { decodeCheckedNpy } from '../../arrays/checked-npy.ts';
import type { OfScenario, RunContext } from '../../artifacts/run-context.ts';
import { readDraws } from '../../artifacts/stored-draws.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { MembershipSummary } from '../../contracts/results/membership.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { eachDraw } from '../../model/chains/chain-draws.ts';
import { synthesizeRecords } from '../../model/dpmpm/dpmpm-synthesis.ts';
import { categoricalFromSums } from '../../random/distributions.ts';
import { type OtherPeople, otherPeople } from '../../risk/membership/other-people.ts';
import type { Store } from '../../storage/store.ts';
import type { Combinations } from '../../table/combinations.ts';

/** People who are not in the table and are drawn from the model, where there is no control of real ones. */
export const SIMULATED_OTHERS = 1000;

/** Who the people are whom members are told from. */
export const othersOf = ({ config }: Plan): MembershipSummary['others'] =>
  config.attributeRisk.control === undefined ? 'simulated' : 'control';

/** The first of so many things, in equal parts, that belongs to a row (from 0) of all. */
const shareAt = (things: number, row: number, rows: number) => Math.floor((things * row) / rows);

/**
 * A scorer of the people who are not in the table that belong to a batch of rows: each batch has its part of them, in proportion to
 * its rows.
 *
 * Where the run has a control they are its people, in the order of its file. Where it has none they are drawn from the predictive
 * distribution given the table: each from one draw of the base chains of the first round, which are taken in turns, so that neither
 * batches nor rounds change who they are. They miss what a record at random misses.
 */
export async function readOthers(
  store: Store,
  { plan, table, streams, support }: RunContext & OfScenario,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<OtherPeople> {
  const { sizes, combinations } = table;
  const variables = sizes.length;
  const rows = combinations.counts.length;
  if (othersOf(plan) === 'control') {
    const key = runKeys(plan.runId).table.control;
    const { data, shape } = decodeCheckedNpy(await store.get(key), key);
    const [first, end] = [from, to].map((row) => variables * shareAt(shape[0]!, row, rows));
    return otherPeople((data as Uint16Array).subarray(first, end), sizes, support);
  }
  const { chains } = plan.config.mcmc;
  const first = shareAt(SIMULATED_OTHERS, from, rows);
  const end = shareAt(SIMULATED_OTHERS, to, rows);
  const codes = new Uint16Array((end - first) * variables);
  const chainOf = (person: number) => 1 + shareAt(chains, person, SIMULATED_OTHERS);
  const ofRecord = rowsByRecord(combinations, sizes);
  let [chain, draws]: [number, ReturnType<typeof eachDraw>] = [0, []];
  for (let person = first; person < end; person++) {
    if (chain !== chainOf(person)) {
      chain = chainOf(person);
      draws = eachDraw(await readDraws(store, plan.runId, `base/${chain}`));
    }
    const random = streams.open(`membership/other/${person + 1}`);
    const own = synthesizeRecords(draws[random.below(draws.length)]!, sizes, 1, random, support);
    if (ofRecord) {
      const row = categoricalFromSums(random, ofRecord, 0, rows);
      for (let k = 0; k < variables; k++) if (combinations.codes[row * variables + k] === sizes[k]) own[k] = sizes[k]!;
    }
    codes.set(own, (person - first) * variables);
  }
  return otherPeople(codes, sizes, support);
}

/** Running sums of the records of rows, by which a record is drawn; null where no value is missing. */
function rowsByRecord({ codes, counts }: Combinations, sizes: readonly number[]): Float64Array | null {
  if (!codes.some((code, at) => code === sizes[at % sizes.length])) return null;
  let sum = 0;
  return Float64Array.from(counts, (count) => (sum += count));
}
