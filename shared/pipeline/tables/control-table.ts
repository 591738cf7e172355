import { readOthers } from '../../artifacts/stored-part.ts';
import { type Rows, rowsOf } from '../../artifacts/write-table.ts';
import { double, int32, type ResultTable, text } from '../../contracts/column.ts';
import type { Scenario } from '../../contracts/run/scenarios.ts';
import { keptErrors } from '../../risk/attribute/kept-evaluations.ts';
import type { MembershipPart } from '../../risk/membership/membership-figures.ts';
import type { Store } from '../../storage/store.ts';

/** The people of a control under a scenario, in the order of its file. */
interface ControlRows extends Pick<MembershipPart, 'others' | 'width'> {
  readonly scenario: string;
  /** Whether the run has others beside it. */
  readonly isOneOfSeveral: boolean;
}

const evaluationsOf = ({ others, width }: ControlRows, row: number) => others.subarray(row * width, (row + 1) * width);

/** `confidential/control-membership.csv`. */
export const CONTROL_MEMBERSHIP: ResultTable<ControlRows> = {
  file: 'control-membership',
  row: 'a person of the control, who is not in the table',
  columns: {
    row: int32('Row (of rows with counts: person) of the control file.', (_, row) => row + 1),
    membership_bits: double('log2 likelihood ratio of being in the table.', (of, row) => evaluationsOf(of, row)[0]!),
    membership_bits_se: double('Its Monte Carlo standard error.', (of, row) => keptErrors(evaluationsOf(of, row)).simulationSe),
    scenario: text(
      'Name of the scenario, where there are several.',
      ({ scenario }) => scenario,
      ({ isOneOfSeveral }) => isOneOfSeveral,
    ),
  },
};

/** The rows of {@link CONTROL_MEMBERSHIP} of a scenario, from what the batches of a round have stored. */
export async function controlRows(store: Store, scenario: Scenario, round: number, isOneOfSeveral: boolean): Promise<Rows<ControlRows>> {
  const { others, width } = await readOthers(store, scenario, round);
  return rowsOf(others.length / width, { others, width, scenario: scenario.name, isOneOfSeveral });
}
