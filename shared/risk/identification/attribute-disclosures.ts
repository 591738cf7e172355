import type { Radius } from '../../contracts/config/identification-scenario.ts';
import { InvalidConfigError } from '../../contracts/errors.ts';
import { inCommand } from '../../contracts/in-command.ts';
import type { AttributeDisclosureSummary } from '../../contracts/results/attribute-disclosures.ts';
import type { TableSchema } from '../../contracts/schema.ts';
import { standardDeviation } from '../../numeric/spread.ts';
import type { Column, Table } from '../../table/table.ts';
import { widthRule } from '../matching/radius-grid.ts';
import type { OpenedScenario } from './opened-scenario.ts';

/**
 * The radius within which each synthesized variable counts as disclosed: that of the scenarios; undefined for a variable
 * without one, whose values must be equal.
 *
 * @param several what becomes of a variable with several radii: it is refused, or its values must be equal
 * @returns one element for each variable of the schema
 * @throws InvalidConfigError `radii-differ` where several are refused
 */
export function disclosureRadii(
  { variables }: TableSchema,
  scenarios: readonly OpenedScenario[],
  synthesized: readonly number[],
  several: 'refused' | 'equal',
): (Radius | undefined)[] {
  return variables.map(({ name }, variable) => {
    if (!synthesized.includes(variable)) return undefined;
    const radii = scenarios.flatMap(({ radius }) => radius[name] ?? []);
    const texts = new Set(radii.map((radius) => JSON.stringify(radius)));
    if (texts.size <= 1) return radii[0];
    if (several === 'equal') return undefined;
    throw new InvalidConfigError(
      'radii-differ',
      `Variable ${name} has several radii in the scenarios: exact attribute disclosures need one, --radius ${inCommand(`${name}=0.1`)}.`,
    );
  });
}

/** Exact attribute disclosures of one dataset. */
export interface AttributeDisclosures {
  /** Records all of whose synthesized values are disclosed: sum A_i (Hu & Savitsky 2018, eq. 18). */
  readonly count: number;
  readonly countByVariable: number[];
  /** A_i: 1 where all synthesized values of the record are disclosed. */
  readonly disclosed: Uint8Array;
}

/**
 * Records whose synthetic values are the true ones: an equal category, a missing value being one; a number within the
 * variable's radius of the true one, or equal without a radius.
 *
 * @param synthetic with the table's records in the same order, and its codes
 * @param synthesized indices of the synthesized variables, at least one
 * @param radii by variable of the table
 * @throws RangeError for another number of records
 */
export function attributeDisclosures(
  table: Table,
  synthetic: Table,
  synthesized: readonly number[],
  radii: readonly (Radius | undefined)[],
): AttributeDisclosures {
  if (synthetic.records !== table.records) {
    throw new RangeError(`expected ${table.records} synthetic records, found ${synthetic.records}`);
  }
  const disclosed = new Uint8Array(table.records).fill(1);
  const countByVariable = synthesized.map((variable) => {
    const isDisclosed = comparison(table.columns[variable]!, synthetic.columns[variable]!, radii[variable]);
    let count = 0;
    for (let record = 0; record < table.records; record++) {
      if (isDisclosed(record)) count++;
      else disclosed[record] = 0;
    }
    return count;
  });
  return { count: disclosed.reduce((sum, one) => sum + one, 0), countByVariable, disclosed };
}

function comparison(truth: Column, synthetic: Column, radius: Radius | undefined): (record: number) => boolean {
  if (truth.type === 'categorical' && synthetic.type === 'categorical') {
    return (record) => synthetic.codes[record] === truth.codes[record];
  }
  if (truth.type === 'continuous' && synthetic.type === 'continuous') {
    if (radius === undefined) return (record) => synthetic.values[record] === truth.values[record];
    const { scale, offset } = widthRule(radius);
    return (record) => {
      const value = truth.values[record]!;
      return Math.abs(synthetic.values[record]! - value) <= scale * Math.abs(value) + offset;
    };
  }
  throw new RangeError('expected synthetic columns of the types of the table');
}

/** {@link attributeDisclosures} of each dataset of a release, at least one, and their means. */
export function summarizeAttributeDisclosures(
  table: Table,
  datasets: readonly Table[],
  synthesized: readonly number[],
  radii: readonly (Radius | undefined)[],
): AttributeDisclosureSummary {
  const disclosures = datasets.map((dataset) => attributeDisclosures(table, dataset, synthesized, radii));
  const names = synthesized.map((variable) => table.schema.variables[variable]!.name);
  const counts = (byDataset: number[]) => {
    const mean = byDataset.reduce((sum, count) => sum + count, 0) / byDataset.length;
    return {
      byDataset,
      mean,
      meanShare: mean / table.records,
      ...(byDataset.length < 2
        ? { standardDeviation: null, standardDeviationReason: 'there is one dataset' }
        : { standardDeviation: standardDeviation(byDataset) }),
      smallest: Math.min(...byDataset),
      largest: Math.max(...byDataset),
    };
  };
  return {
    records: table.records,
    synthesized: names,
    all: counts(disclosures.map(({ count }) => count)),
    byVariable: names.map((variable, k) => ({ variable, ...counts(disclosures.map(({ countByVariable }) => countByVariable[k]!)) })),
  };
}
