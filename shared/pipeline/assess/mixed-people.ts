import type { MixedTable, OfScenario, RunContext } from '../../artifacts/run-context.ts';
import { readControlTable } from '../../artifacts/stored-table.ts';
import { drawNormals } from '../../model/mixed/draw-normals.ts';
import { synthesizeMixed } from '../../model/mixed/mixed-synthesis.ts';
import { columnsOf, mixedRows } from '../../model/mixed/mixed-view.ts';
import { normalPriorOf } from '../../model/mixed/normal-prior.ts';
import type { RandomSource } from '../../random/random-source.ts';
import type { OtherPeople } from '../../risk/membership/other-people.ts';
import { outsidePeople } from '../../risk/mixed/outside-people.ts';
import type { Store } from '../../storage/store.ts';
import { chosenRecords, isMissing, stackedTables, type Table } from '../../table/table.ts';
import { othersInBatch, othersOf, type RowRange, simulateOthers } from './other-people.ts';

/** Of a person with values of all variables, leaves out those that a record at random misses. */
function leaveOutMissing({ schema, records, columns }: Table, person: Table, random: RandomSource): void {
  const record = random.below(records);
  for (const [v, column] of person.columns.entries()) {
    if (!isMissing({ schema, columns }, v, record)) continue;
    const variable = schema.variables[v]!;
    if (column.type === 'continuous') column.values[0] = Number.NaN;
    else if (variable.type === 'categorical') column.codes[0] = variable.categories.length;
  }
}

/** Some of the people whom {@link simulateOthers} simulates: synthetic records, numbers rounded as they are. */
async function simulate(store: Store, run: RunContext, { view, records }: MixedTable, people: RowRange): Promise<Table> {
  const prior = normalPriorOf(run.plan.config.model);
  const simulated: Table[] = [chosenRecords(records, new Uint32Array(0))];
  await simulateOthers(store, run, people, ({ weights, probabilities, allocation }, random) => {
    const latent = drawNormals(allocation!.valueSums!, weights.length, view.continuous, prior, random);
    const drawn = synthesizeMixed({ weights, probabilities, latent }, view, 1, random);
    const columns = columnsOf(view, drawn, [...records.columns.keys()]);
    const person: Table = { schema: records.schema, records: 1, columns: [...columns.values()] };
    leaveOutMissing(records, person, random);
    simulated.push(person);
  });
  return stackedTables(simulated);
}

/** The people who are not in the table that belong to a batch of a run by the model `mixed`, as its chains score them. */
export async function readMixedOthers(store: Store, context: RunContext & OfScenario, range: RowRange): Promise<OtherPeople> {
  const { plan, densities } = context;
  if (densities === undefined) throw new RangeError('the run has no densities');
  const { view } = densities;
  const people = othersInBatch(context, range);
  const numbers = () => Uint32Array.from({ length: people.to - people.from }, (_, i) => people.from + i);
  const table =
    othersOf(plan) === 'control'
      ? chosenRecords(await readControlTable(store, plan), numbers())
      : await simulate(store, context, densities, people);
  const model = { sizes: view.sizes, continuous: view.continuous, prior: normalPriorOf(plan.config.model) };
  return outsidePeople(model, mixedRows(view, [table]));
}
