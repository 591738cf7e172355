import { decodeCheckedNpy } from '../../arrays/checked-npy.ts';
import type { OfScenario, RunContext, ScenarioModel } from '../../artifacts/run-context.ts';
import { readDraws } from '../../artifacts/stored-draws.ts';
import { runKeys } from '../../contracts/keys.ts';
import type { MembershipSummary } from '../../contracts/results/membership.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import { eachDraw } from '../../model/chains/chain-draws.ts';
import { synthesizeRecords } from '../../model/dpmpm/dpmpm-synthesis.ts';
import { categoricalFromSums } from '../../random/distributions.ts';
import { type OtherPeople, otherPeople, SIMULATED_OTHERS } from '../../risk/membership/other-people.ts';
import type { Store } from '../../storage/store.ts';
import type { Combinations } from '../../table/combinations.ts';

/** Who the people are with whom members are compared. */
export const othersOf = ({ config }: Plan): MembershipSummary['others'] =>
  config.attributeRisk.control === undefined ? 'simulated' : 'control';

/** The first of so many things, in equal parts, that belongs to a row (from 0) of all. */
const shareAt = (things: number, row: number, rows: number) => Math.floor((things * row) / rows);

/** Rows of a scenario that are assessed together: from `from` up to but without `to` (from 0). */
type Range = { readonly from: number; readonly to: number };

/**
 * The people who are not in the table that belong to a batch of rows, as codes, people x variables: each batch has its part of them,
 * in proportion to its rows. Where the run has a control they are its people, in the order of its file.
 *
 * @param simulate draws those of {@link SIMULATED_OTHERS} people that are wanted, of whom the model makes each by itself, where there
 * is no control
 */
export async function otherCodes(
  store: Store,
  { plan, scenario }: Pick<ScenarioModel, 'plan' | 'scenario'>,
  { from, to }: Range,
  simulate: (people: Range) => Promise<Uint16Array> | Uint16Array,
): Promise<Uint16Array> {
  const rows = scenario.batches.at(-1)!.to;
  const people = (all: number) => ({ from: shareAt(all, from, rows), to: shareAt(all, to, rows) });
  if (othersOf(plan) === 'simulated') return simulate(people(SIMULATED_OTHERS));
  const key = runKeys(plan.runId).table.control;
  const { data, shape } = decodeCheckedNpy(await store.get(key), key);
  const [all, variables] = shape as [number, number];
  const own = people(all);
  return (data as Uint16Array).subarray(own.from * variables, own.to * variables);
}

/**
 * The people of {@link otherCodes} as the chains of a run score them. Without a control each is from one draw of the base chains of
 * the first round, which are taken in turns, so that neither batches nor rounds change who they are. They miss what a record at
 * random misses.
 */
export async function readOthers(store: Store, context: RunContext & OfScenario, range: Range): Promise<OtherPeople> {
  const { plan, table, streams, support } = context;
  const { sizes, combinations } = table;
  const variables = sizes.length;
  const { chains } = plan.config.mcmc;
  const chainOf = (person: number) => 1 + shareAt(chains, person, SIMULATED_OTHERS);
  const simulate = async (people: Range) => {
    const codes = new Uint16Array((people.to - people.from) * variables);
    const ofRecord = rowsByRecord(combinations, sizes);
    let [chain, draws]: [number, ReturnType<typeof eachDraw>] = [0, []];
    for (let person = people.from; person < people.to; person++) {
      if (chain !== chainOf(person)) {
        chain = chainOf(person);
        draws = eachDraw(await readDraws(store, plan.runId, `base/${chain}`));
      }
      const random = streams.open(`membership/other/${person + 1}`);
      const own = synthesizeRecords(draws[random.below(draws.length)]!, sizes, 1, random, support);
      if (ofRecord) {
        const row = categoricalFromSums(random, ofRecord, 0, ofRecord.length);
        for (let k = 0; k < variables; k++) if (combinations.codes[row * variables + k] === sizes[k]) own[k] = sizes[k]!;
      }
      codes.set(own, (person - people.from) * variables);
    }
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
