import { decodeCheckedNpy } from '../../arrays/checked-npy.ts';
import type { OfScenario, RunContext, ScenarioModel } from '../../artifacts/run-context.ts';
import { NO_ROWS, readDraws } from '../../artifacts/stored-draws.ts';
import { integratesPhi } from '../../contracts/config/config.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { MembershipSummary } from '../../contracts/results/membership.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { eachDraw, type ScoredDraw } from '../../model/chains/chain-draws.ts';
import { synthesizeRecords } from '../../model/dpmpm/dpmpm-synthesis.ts';
import { categoricalFromSums } from '../../random/distributions.ts';
import type { RandomStream } from '../../random/random-stream.ts';
import { type OtherPeople, otherPeople, SIMULATED_OTHERS } from '../../risk/membership/other-people.ts';
import type { Store } from '../../storage/store.ts';
import type { Combinations } from '../../table/combinations.ts';

/** Who the people are with whom members are compared. */
export const othersOf = ({ config }: Plan): MembershipSummary['others'] =>
  config.attributeRisk.control === undefined ? 'simulated' : 'control';

/** The first of so many things, in equal parts, that belongs to a row (from 0) of all. */
const shareAt = (things: number, row: number, rows: number) => Math.floor((things * row) / rows);

/** Rows of a scenario that are assessed together, or people: from `from` up to but without `to` (from 0). */
export type RowRange = { readonly from: number; readonly to: number };

/**
 * The people who are not in the table that belong to a batch of rows: each batch has its part of them, in proportion to its rows. Where
 * the run has a control they are its people, in the order of its file, and else {@link SIMULATED_OTHERS}.
 */
export function othersInBatch({ plan, scenario }: Pick<ScenarioModel, 'plan' | 'scenario'>, { from, to }: RowRange): RowRange {
  const rows = scenario.batches.at(-1)!.to;
  const all = plan.controlRecords ?? SIMULATED_OTHERS;
  return { from: shareAt(all, from, rows), to: shareAt(all, to, rows) };
}

/**
 * The people of {@link othersInBatch} as codes, people x variables.
 *
 * @param simulate draws those that are wanted, of whom the model makes each by itself, where there is no control
 */
export async function otherCodes(
  store: Store,
  context: Pick<ScenarioModel, 'plan' | 'scenario'>,
  range: RowRange,
  simulate: (people: RowRange) => Promise<Uint16Array> | Uint16Array,
): Promise<Uint16Array> {
  const { plan } = context;
  const people = othersInBatch(context, range);
  if (othersOf(plan) === 'simulated') return simulate(people);
  const key = runKeys(plan.runId).table.control;
  const { data, shape } = decodeCheckedNpy(await store.get(key), key);
  const variables = shape[1]!;
  return (data as Uint16Array).subarray(people.from * variables, people.to * variables);
}

/**
 * Simulates some of {@link SIMULATED_OTHERS} people. Each is from one draw of the base chains of the first round, which are taken in
 * turns, so that neither batches nor rounds change who they are.
 *
 * @param make takes the draw that a person is from, and random numbers of their own
 */
export async function simulateOthers(
  store: Store,
  { plan, streams }: Pick<RunContext, 'plan' | 'streams'>,
  people: RowRange,
  make: (draw: ScoredDraw, random: RandomStream, person: number) => void,
): Promise<void> {
  const { chains } = plan.config.mcmc;
  const chainOf = (person: number) => 1 + shareAt(chains, person, SIMULATED_OTHERS);
  let [chain, draws]: [number, ScoredDraw[]] = [0, []];
  for (let person = people.from; person < people.to; person++) {
    if (chain !== chainOf(person)) {
      chain = chainOf(person);
      draws = eachDraw(await readDraws(store, plan.runId, `base/${chain}`, integratesPhi(plan.config) ? NO_ROWS : undefined));
    }
    const random = streams.open(`membership/other/${person + 1}`);
    make(draws[random.below(draws.length)]!, random, person);
  }
}

/** The people of {@link otherCodes} as the chains of a run score them. Those that are simulated miss what a record at random misses. */
export async function readOthers(store: Store, context: RunContext & OfScenario, range: RowRange): Promise<OtherPeople> {
  const { table, support } = context;
  const { sizes, combinations } = table;
  const variables = sizes.length;
  const simulate = async (people: RowRange) => {
    const codes = new Uint16Array((people.to - people.from) * variables);
    const ofRecord = rowsByRecord(combinations, sizes);
    await simulateOthers(store, context, people, (draw, random, person) => {
      const own = synthesizeRecords(draw, sizes, 1, random, support);
      if (ofRecord) {
        const row = categoricalFromSums(random, ofRecord, 0, ofRecord.length);
        for (let k = 0; k < variables; k++) if (combinations.codes[row * variables + k] === sizes[k]) own[k] = sizes[k]!;
      }
      codes.set(own, (person - people.from) * variables);
    });
    return codes;
  };
  return otherPeople(await otherCodes(store, context, range, simulate), sizes, support);
}

/** Running sums of the records of rows, by which a record is drawn; null where no value is missing. */
function rowsByRecord({ codes, counts }: Combinations, sizes: readonly number[]): Float64Array | null {
  if (!codes.some((code, at) => code === sizes[at % sizes.length])) return null;
  let sum = 0;
  return Float64Array.from(counts, (count) => (sum += count));
}
