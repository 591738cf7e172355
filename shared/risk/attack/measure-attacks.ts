import type {
  AttackOutcome,
  AttackSummary,
  BeliefFigures,
  CopiesFigures,
  DisclosureFigures,
  LearnedOutcome,
  MembershipOutcome,
} from '../../contracts/results/attack.ts';
import type { Stepwise } from '../../contracts/stepwise.ts';
import { drawDistinct } from '../../random/draw-distinct.ts';
import type { RandomStream } from '../../random/random-stream.ts';
import { bandedRows, type CountedRows, rowsOfRecords } from '../../table/counted-rows.ts';
import { distinctRecords } from '../../table/distinct-rows.ts';
import { chosenRecords, type Table } from '../../table/table.ts';
import { attackOutcome } from './attack-outcome.ts';
import { type ClosestRecords, closestRecords, drawRecords, meanNearest, meanOf } from './closest-records.ts';
import { countPairs, type Disclosure, discloseTarget } from './disclosure.ts';
import { keyBeliefs, membershipProbabilities } from './key-beliefs.ts';
import { type CountedKeys, countKeys } from './key-counts.ts';
import { predictedTargets } from './learned-intruder.ts';
import { LEAST_CONTROL, MEMBERSHIP_TESTS, membershipTests } from './membership-tests.ts';
import {
  type AdversarialAccuracy,
  accuracyFigures,
  adversarialAccuracy,
  identifiabilityRate,
  linkageRisks,
  peerFiles,
  privacyLossError,
} from './near-copies.ts';
import { nearestRecords, valueRanges } from './nearest/nearest-records.ts';
import { inferByChance, inferTarget, linkedByChance, linkedTargets, tieOrder, total } from './neighbour-attacks.ts';
import type { OpenedAttack } from './open-attack.ts';
import { overDatasets } from './over-datasets.ts';
import type { OptimalTests } from './share-of-optimal.ts';
import { singleOut } from './singling-out.ts';
import { targetDiversity } from './target-diversity.ts';

/** What each of the measures says of the records of a table; means over datasets. Arrays have an element a record. */
export interface AttackRecords {
  readonly keys: CountedKeys;
  /** To the closest row, over all variables, by their number; NaN is not drawn, as there are too many. */
  readonly distanceToClosest: Float64Array;
  /** Delta-presence of its keys. */
  readonly membershipProb: Float64Array;
  /** Chance of a link to its own row; NaN is not drawn, or of datasets of other numbers of rows. */
  readonly linkageRisk: Float64Array;
  /** One element a target. */
  readonly targets: readonly TargetRecords[];
}

/** What is said of one target of each record. */
export interface TargetRecords {
  readonly target: string;
  readonly replicated: Float64Array;
  readonly cap: Float64Array;
  readonly disclosed: Float64Array;
  /** Positive information disclosure. */
  readonly pid: Float64Array;
  /** Whether the nearest row tells the value; NaN for a record that was not drawn. */
  readonly inferred: Float64Array;
  /** RAPID: normalized gain of the true category, or relative error of the predicted number; NaN for a record that was not drawn. */
  readonly learned: Float64Array;
}

class RecordMeans {
  readonly distanceToClosest: Float64Array;
  readonly membershipProb: Float64Array;
  readonly linkageRisk: Float64Array;
  readonly targets: readonly TargetRecords[];

  constructor(targets: readonly string[], records: number) {
    const zeros = () => new Float64Array(records);
    this.distanceToClosest = zeros().fill(Number.NaN);
    this.membershipProb = zeros();
    this.linkageRisk = zeros().fill(Number.NaN);
    this.targets = targets.map((target) => ({
      target,
      replicated: zeros(),
      cap: zeros(),
      disclosed: zeros(),
      pid: zeros(),
      inferred: zeros().fill(Number.NaN),
      learned: zeros().fill(Number.NaN),
    }));
  }

  /** Adds what one of `datasets` datasets says of a target. */
  addDisclosure(target: number, { replicated, cap, disclosed }: Disclosure, datasets: number): void {
    const sums = this.targets[target]!;
    for (let record = 0; record < cap.length; record++) {
      sums.replicated[record]! += replicated[record]! / datasets;
      sums.cap[record]! += cap[record]! / datasets;
      sums.disclosed[record]! += disclosed[record]! / datasets;
    }
  }

  /** Adds what one of `datasets` datasets says of every record. */
  add(sums: Float64Array, values: Float64Array, datasets: number): void {
    for (let record = 0; record < values.length; record++) sums[record]! += values[record]! / datasets;
  }

  /** Adds what one of `datasets` datasets says of the records at some places. */
  addAt(sums: Float64Array, places: Uint32Array, values: ArrayLike<number>, datasets: number): void {
    for (const [i, record] of places.entries()) {
      const before = sums[record]!;
      sums[record] = (Number.isNaN(before) ? 0 : before) + values[i]! / datasets;
    }
  }
}

/** What sdcMicro's `suda2` takes for the share of the population that is in a sample, where nothing is said. */
const DEFAULT_DIS_FRACTION = 0.01;

/** Why there is nothing to say where a control is needed. */
const NO_CONTROL = 'It needs records that the release was not made from: --control FILE.';

const OTHER_LENGTH = 'A dataset has more or fewer rows than the table has records, so that row i is not made from record i.';

const TOO_FEW = `It needs a control of ${LEAST_CONTROL} records or more, of which a half is its reference, and a table of two.`;

/** Why figures have no standard error, by where they are. */
const ONE_DATASET = 'One dataset does not tell how datasets differ: give all datasets of the release.';
const OF_DATASET = 'They are counted in one dataset as it is. How datasets differ is in the errors of their means.';
const OF_KEYS = 'They are counted in each file as it is, without sampling. For individual risk, DIS and scores sdcMicro gives no error.';

const STEPS = 6;

/** What is attacked by means of what. All have the variables of one schema, and at least one record. */
export interface AttackInput {
  readonly table: Table;
  readonly datasets: readonly Table[];
  readonly control: Table | null;
  readonly optimal: OptimalTests;
}

/** What was measured: the figures, and what each measure says of every record. */
export interface MeasuredAttacks {
  readonly summary: AttackSummary;
  readonly records: AttackRecords;
}

/** Steps that {@link measureAttacks} takes at most. */
export const attackSteps = ({ datasets, control }: AttackInput, { targets }: OpenedAttack): number =>
  STEPS * datasets.length + 1 + targets.length + (control === null ? 0 : MEMBERSHIP_TESTS);

/**
 * Measures a release as synthpop, Anonymeter and sdcMicro do, and how close it is to the table
 * (docs/explanation/compared.md). Which records are attacked, and which of equally near ones comes first, is drawn from
 * streams: equal ones give equal bytes.
 *
 * @param open opens a stream that is not published by its name
 */
export function* measureAttacks(
  { table, datasets, control, optimal }: AttackInput,
  opened: OpenedAttack,
  open: (name: string) => RandomStream,
): Stepwise<MeasuredAttacks> {
  const { settings, keys, targets, halves, subsetSize } = opened;
  const names = table.schema.variables.map(({ name }) => name);
  const samplingFraction = settings.samplingFraction ?? null;
  const disFraction = samplingFraction ?? DEFAULT_DIS_FRACTION;
  const weighed = { samplingFraction, disFraction, subsetSize };
  const counted = countedFiles(table, datasets, settings.bands);
  const tableKeys = countKeys(counted.table, keys, weighed);
  const diversityOf = (file: Table) =>
    targets.map((target) => {
      const isOrdered = table.columns[target]!.type === 'continuous';
      return { target: names[target]!, ...targetDiversity(file, keys, target, isOrdered) };
    });
  let done = 1;
  yield done;

  const disclosed: DisclosureFigures[][] = targets.map(() => []);
  const release: AttackSummary['keyCounts']['release'] = [];
  const singlingOut: AttackOutcome[] = [];
  const linkability: AttackOutcome[] = [];
  const inference: AttackOutcome[] = [];
  const nearest: ClosestRecords[] = [];
  const targetNames = targets.map((target) => names[target]!);
  const means = new RecordMeans(targetNames, table.records);
  const drawn = drawDistinct(open('attack/records'), table.records, Math.min(settings.records, table.records));
  const records = chosenRecords(table, drawn);
  const all = [...names.keys()];
  const fewestRows = datasets.reduce((fewest, { records: rows }) => Math.min(fewest, rows), settings.records);
  const peers = peerFiles({ table, control }, fewestRows, open('attack/peers'));
  const isAligned = datasets.every(({ records: rows }) => rows === table.records);
  const accuracies: AdversarialAccuracy[] = [];
  const copies: CopiesFigures[] = [];
  const beliefs: BeliefFigures[][] = targets.map(() => []);
  const distinct = { table: distinctRecords(table).distinct, control: control && distinctRecords(control).distinct };
  for (const [l, dataset] of datasets.entries()) {
    const stream = (what: string) => open(`attack/${what}/${l + 1}`);
    for (const [t, target] of targets.entries()) {
      const disclosure = discloseTarget(counted.table, counted.datasets[l]!, keys, target);
      disclosed[t]!.push(disclosure.figures);
      means.addDisclosure(t, disclosure, datasets.length);
      const { figures, pid } = keyBeliefs(countPairs(counted.table, counted.datasets[l]!, keys, target));
      beliefs[t]!.push(figures);
      means.add(means.targets[t]!.pid, pid, datasets.length);
    }
    release.push({ ...countKeys(counted.datasets[l]!, keys, weighed).figures, diversity: diversityOf(counted.datasets[l]!) });
    yield ++done;

    const files = { ...distinct, dataset: distinctRecords(dataset).distinct };
    for (const attack of ['univariate', 'multivariate'] as const) {
      const asked = { attack, dataset: l + 1, attempts: settings.attempts, columns: settings.columns };
      singlingOut.push(singleOut(files, asked, stream(attack)));
    }
    yield ++done;

    const attacked = chooseTargets(table, settings.attempts, stream('targets'));
    const held = control && chooseTargets(control, settings.attempts, stream('control-targets'));
    const priority = tieOrder(dataset.records, stream('ties'));
    const linked = (file: Table) => ({ attempts: file.records, successes: linkedTargets(dataset, file, halves, priority) });
    const byChance = linkedByChance(dataset.records, attacked.records, stream('linkability'));
    const links = { table: linked(attacked), baseline: byChance, control: held && linked(held) };
    linkability.push(attackOutcome({ attack: 'linkability', dataset: l + 1 }, links));
    yield ++done;

    for (const [t, target] of targets.entries()) {
      const inferred = (file: Table) => ({ attempts: file.records, successes: total(inferTarget(dataset, file, keys, target, priority)) });
      const table = inferred(attacked);
      const baseline = inferByChance(dataset, attacked, target, stream(`inference/${t + 1}`));
      const asked = { attack: 'inference', dataset: l + 1, target: names[target]! } as const;
      inference.push(attackOutcome(asked, { table, baseline, control: held && inferred(held) }));
      const right = inferTarget(dataset, records, keys, target, priority);
      means.addAt(means.targets[t]!.inferred, drawn, right, datasets.length);
    }
    yield ++done;

    const rows = drawRecords(dataset, settings.records, stream('rows'));
    nearest.push(closestRecords(rows, table, control, stream('closest')));
    const search = { variables: all, ranges: valueRanges([table], all) };
    const distances = nearestRecords(dataset, records, search).distance.map((distance) => distance / all.length);
    means.addAt(means.distanceToClosest, drawn, distances, datasets.length);
    yield ++done;

    const accuracy = adversarialAccuracy(peers, dataset, stream('peers'));
    const presence = membershipProbabilities(countPairs(counted.table, counted.datasets[l]!, keys, targets[0]!));
    const ownRows = isAligned ? linkageRisks(dataset, table, drawn, keys) : null;
    accuracies.push(accuracy);
    copies.push({
      ...accuracyFigures(accuracy),
      identifiabilityRate: identifiabilityRate(rows, table),
      membershipProbMean: meanOf(presence),
      membershipProbMin: presence.reduce((least, one) => Math.min(least, one), 1),
      membershipProbMax: presence.reduce((most, one) => Math.max(most, one), 0),
      linkageRisk: ownRows && meanOf(ownRows),
    });
    means.add(means.membershipProb, presence, datasets.length);
    if (ownRows !== null) means.addAt(means.linkageRisk, drawn, ownRows, datasets.length);
    yield ++done;
  }
  const rapid: LearnedOutcome[] = [];
  const others = control && drawRecords(control, settings.records, open('attack/rapid/control'));
  for (const { outcome, scores } of predictedTargets({ table, datasets, members: records, others }, opened, open)) {
    means.addAt(means.targets[rapid.length]!.learned, drawn, scores, 1);
    rapid.push(outcome);
    yield ++done;
  }
  const membership: MembershipOutcome[] = [];
  const membershipReason = control === null ? NO_CONTROL : control.records < LEAST_CONTROL || table.records < 2 ? TOO_FEW : undefined;
  if (control !== null && membershipReason === undefined) {
    for (const outcome of membershipTests({ table, datasets, control }, optimal.tests, open)) {
      membership.push(outcome);
      yield ++done;
    }
  }
  const { distanceToClosest, membershipProb, linkageRisk, targets: targetRecords } = means;
  const ofCopies = overDatasets(copies);
  return {
    summary: {
      records: table.records,
      controlRecords: control?.records ?? null,
      ...(control === null ? { controlReason: NO_CONTROL } : {}),
      datasets: datasets.length,
      ...(datasets.length === 1 ? { releaseSeReason: ONE_DATASET } : {}),
      datasetSeReason: OF_DATASET,
      keyCountsSeReason: OF_KEYS,
      keys: keys.map((key) => names[key]!),
      target: targetNames,
      banded: [...keys, ...targets].filter((v) => table.columns[v]!.type === 'continuous').map((v) => names[v]!),
      samplingFraction,
      disFraction,
      disclosure: targets.map((target, t) => {
        const { mean, errors } = overDatasets(disclosed[t]!);
        return { target: names[target]!, keys: keys.map((key) => names[key]!), datasets: disclosed[t]!, mean, meanSe: errors };
      }),
      singlingOut,
      linkability,
      inference,
      rapid,
      nearestNeighbour: {
        ...meanNearest(nearest),
        ...(control === null ? { reason: NO_CONTROL } : {}),
        datasets: nearest.map(({ figures }) => figures),
      },
      riskutility: {
        records: peers.table.people.records,
        datasets: copies,
        mean: ofCopies.mean,
        meanSe: { ...(ofCopies.errors ?? nothing(ofCopies.mean)), privacyLoss: privacyLossError(accuracies) },
        ...(control === null ? { reason: NO_CONTROL } : {}),
        ...(isAligned ? {} : { linkageReason: OTHER_LENGTH }),
        targets: targetNames.map((target, t) => {
          const { mean, errors } = overDatasets(beliefs[t]!);
          return { target, datasets: beliefs[t]!, mean, meanSe: errors };
        }),
      },
      membership: membershipReason === undefined ? membership : null,
      ...(membershipReason === undefined ? {} : { membershipReason }),
      optimal: optimal.tests && [...optimal.tests],
      ...(optimal.reason === undefined ? {} : { optimalReason: optimal.reason }),
      keyCounts: { ...tableKeys.figures, diversity: diversityOf(counted.table), release },
    },
    records: { keys: tableKeys, distanceToClosest, membershipProb, linkageRisk, targets: targetRecords },
  };
}

/** Null for each of some figures. */
const nothing = <Name extends string>(figures: Readonly<Record<Name, unknown>>) =>
  Object.fromEntries(Object.keys(figures).map((name) => [name, null])) as Record<Name, null>;

/** A table and its datasets with bands in place of continuous variables. */
function countedFiles(table: Table, datasets: readonly Table[], bands: number): { table: Table; datasets: Table[] } {
  const banded = bandedRows(rowsOfRecords(table), datasets.map(rowsOfRecords), bands);
  const asTable = ({ schema, records, columns }: CountedRows): Table => ({ schema, records, columns: [...columns] });
  return { table: asTable(banded.table), datasets: banded.datasets.map(asTable) };
}

/** Records that are attacked, drawn by chance, in the order in which they are drawn. */
function chooseTargets(table: Table, attempts: number, random: RandomStream): Table {
  return chosenRecords(table, drawDistinct(random, table.records, Math.min(attempts, table.records)));
}
