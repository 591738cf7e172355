import { decodeCheckedNpy } from '../../arrays/checked-npy.ts';
import { encodeJson, readCheckedJson, readJson } from '../../artifacts/stored-json.ts';
import { readTargets } from '../../artifacts/stored-table.ts';
import { calibrationSettings, candidatesInConfig } from '../../contracts/config/config.ts';
import { replicateRunId, runKeys } from '../../contracts/keys.ts';
import { calibrationSchema, type StoredCalibration, type StoredCalibrationGroup } from '../../contracts/results/calibration.ts';
import { type Plan, planSchema } from '../../contracts/run/plan.ts';
import { openScenario } from '../../contracts/run/scenarios.ts';
import { LN2 } from '../../numeric/portable-math.ts';
import { renderCalibration } from '../../report/render-calibration.ts';
import { formatEstimate, formatPercentEstimate } from '../../report/words/format-number.ts';
import { ESTIMATOR_MEANING } from '../../risk/attribute/attribute-estimators.ts';
import {
  type Calibration,
  calibration,
  calibrationVerdict,
  excessVerdict,
  pooledCalibration,
  targetScores,
} from '../../risk/calibration/calibration.ts';
import {
  type CalibratedTargets,
  flaggedTargets,
  type GroupCalibration,
  groupCalibration,
  groupsByClaim,
  riskiestTargets,
} from '../../risk/calibration/calibration-groups.ts';
import { reliabilityBins } from '../../risk/calibration/reliability.ts';
import type { Store } from '../../storage/store.ts';

/** Puts the scores of a calibration's replicates together: `confidential/calibration.json`. */
export async function calibrateRun(store: Store, { runId }: { runId: string }): Promise<void> {
  const keys = runKeys(runId);
  const plan = await readCheckedJson(store, keys.plan, planSchema);
  const { targets, replicates } = calibrationSettings(plan.config);
  // A calibration is of one scenario.
  const scenario = openScenario(plan, 1);
  const candidates = scenario.candidatesPerCombination;
  // One array for all replicates, so that they are scored one by one and together without a copy.
  const scores = new Float64Array(replicates * targets * candidates);
  const truths = new Uint32Array(replicates * targets);
  const unique = new Uint8Array(replicates * targets);
  const seeds: number[] = [];
  for (let r = 0; r < replicates; r++) {
    const replicate = await readCheckedJson(store, runKeys(replicateRunId(runId, r + 1)).plan, planSchema);
    seeds.push(replicate.config.seed);
    const replaced = await readTargets(store, replicate.runId);
    truths.set(replaced.truths, r * targets);
    unique.set(replaced.unique, r * targets);
    for (const { batch, from } of replicate.batches) {
      const key = runKeys(replicate.runId).scores(batch);
      scores.set(decodeCheckedNpy(await store.get(key), key).data as Float64Array, (r * targets + from) * candidates);
    }
  }
  const each = seeds.map((_, r) =>
    calibration(
      scores.subarray(r * targets * candidates, (r + 1) * targets * candidates),
      truths.subarray(r * targets, (r + 1) * targets),
      candidates,
    ),
  );
  const found = pooledCalibration(calibration(scores, truths, candidates), each);
  const scored = { logLikelihoods: scores, truths, candidates };
  const groups = calibrationGroups({ ...scored, scores: targetScores(scored), replicates }, unique);
  const verdict = explainedVerdict(found, plan);
  const ofGroups = groupWarnings(groups, verdict.code);
  const { attributeRisk, synthesis, seed } = plan.config;
  const { records, variables, combinations } = plan.table;
  const result: StoredCalibration = {
    version: plan.version,
    runId,
    seed,
    table: { records, variables, combinations },
    estimator: attributeRisk.estimator,
    meaning: ESTIMATOR_MEANING[attributeRisk.estimator],
    candidates: candidatesInConfig(scenario.candidates),
    candidatesPerTarget: candidates,
    slopeApplied: attributeRisk.slope,
    datasets: plan.datasets.count,
    synthesisChains: synthesis.chains,
    targets,
    replicates,
    ...inBits(found),
    ...(found.slopeSe === Infinity ? { slopeReason: 'every posterior is uniform, so that every power is as good' } : {}),
    byReplicate: each.map((figures, r) => ({ replicate: r + 1, seed: seeds[r]!, ...inBits(figures) })),
    ...groups,
    reliability: reliabilityBins(scores, truths, candidates),
    verdict: { ...verdict, message: [verdict.message, ...ofGroups.map(({ exception }) => exception)].join(' ') },
    warnings: [...plan.warnings, ...settingsWarnings(plan), ...ofGroups.map(({ code, message }) => ({ code, message }))],
  };
  await store.put(keys.confidential.calibration, encodeJson(result));
}

/** The figures as they are stored: information in bits, and null for a slope that is undefined. */
function inBits({ achieved, achievedSe, claimed, claimedSe, excess, excessSe, slope, slopeSe }: Calibration) {
  const defined = slopeSe < Infinity;
  return {
    achievedBits: achieved / LN2,
    achievedBitsSe: achievedSe / LN2,
    claimedBits: Math.max(0, claimed / LN2),
    claimedBitsSe: claimedSe / LN2,
    excessBits: excess / LN2,
    excessBitsSe: excessSe / LN2,
    slope: defined ? slope : null,
    slopeSe: defined ? slopeSe : null,
  };
}

type Groups = Pick<StoredCalibration, 'byClaim' | 'riskiest' | 'uniqueRecords' | 'otherRecords' | 'groupsReason'>;

/**
 * Calibration where it counts: by what is claimed, and by what the targets were.
 *
 * @param unique 1 for targets whose combination no other record had
 */
function calibrationGroups(of: CalibratedTargets, unique: Uint8Array): Groups {
  const figures = (chosen: Uint32Array) => storedGroup(groupCalibration(of, chosen));
  const [ofUnique, ofOthers] = flaggedTargets(unique);
  const ofRiskiest = riskiestTargets(of);
  const riskiest = ofRiskiest && figures(ofRiskiest);
  const uniqueRecords = ofUnique && figures(ofUnique);
  const otherRecords = ofOthers && figures(ofOthers);
  return {
    byClaim: groupsByClaim(of).map((chosen, g) => ({ group: g + 1, ...figures(chosen) })),
    riskiest,
    uniqueRecords,
    otherRecords,
    ...(riskiest && uniqueRecords && otherRecords
      ? {}
      : { groupsReason: 'a group of fewer than 20 targets is null, since its errors would not be known' }),
  };
}

/** A group's figures as they are stored: shares of first guesses as they are, the rest as those of all targets. */
function storedGroup(group: GroupCalibration): StoredCalibrationGroup {
  const { achieved, achievedSe, claimed, claimedSe, excess, excessSe, slope, slopeSe, ...rest } = group;
  return { ...inBits(group), ...rest };
}

/** A warning for each group that counts and is wrong in another way than the estimate as a whole, and a word on it. */
function groupWarnings(
  { riskiest, uniqueRecords }: Groups,
  verdict: StoredCalibration['verdict']['code'],
): { code: string; message: string; exception: string }[] {
  const groups = [
    ['riskiest', 'the 5 % of targets for which it claims most', riskiest],
    ['unique-records', 'targets that alone had their combination', uniqueRecords],
  ] as const;
  return groups.flatMap(([name, whom, group]) => {
    const found = group && excessVerdict({ excess: group.excessBits, excessSe: group.excessBitsSe });
    if (!group || !found || found === verdict) return [];
    const figures = `For ${whom} the estimate claims ${formatEstimate(group.claimedBits, group.claimedBitsSe)} bits a record and achieves ${formatEstimate(group.achievedBits, group.achievedBitsSe)}`;
    const guesses = `their first guesses have a probability of ${formatPercentEstimate(group.firstGuessClaimed, group.firstGuessClaimedSe)} and are right for ${formatPercentEstimate(group.firstGuessRight, group.firstGuessRightSe)}`;
    const meaning =
      found === 'overclaims'
        ? 'the probabilities are overconfident there, although the mean over all targets may not show it'
        : 'the release reveals more about them than the probabilities say, although the mean over all targets may not show it';
    return [
      {
        code: `${name}-${found === 'overclaims' ? 'overclaimed' : 'underclaimed'}`,
        message: `${figures}; ${guesses}: ${meaning}.`,
        exception: `Not so for ${whom}, where it ${found}.`,
      },
    ];
  });
}

/** The verdict with what it means, and what to do about it. */
function explainedVerdict(found: Calibration, { config }: Plan): StoredCalibration['verdict'] {
  const { targets, replicates } = calibrationSettings(config);
  const { code, moreTargets } = calibrationVerdict(found, replicates * targets);
  const bits = (nats: number) => (nats / LN2).toFixed(3);
  const figures = `claims ${bits(found.claimed)} bits a record and achieves ${bits(found.achieved)} ± ${bits(found.achievedSe)}`;
  const suggested = Math.round(100 * config.attributeRisk.slope * found.slope) / 100;
  const advised = (code === 'overclaims' || code === 'underclaims') && suggested > 0;
  const advice = advised
    ? `The power ${suggested} of the likelihood would repair it on these targets: set attributeRisk.slope (--slope ${suggested}), and calibrate that with another seed.`
    : 'No positive power of the likelihood repairs it: do not rely on this estimate for this table.';
  const messages: Record<typeof code, string> = {
    calibrated: `Calibrated within error: the estimate ${figures}.`,
    overclaims: `The estimate overclaims: it ${figures}, so that its probabilities are overconfident. ${advice}`,
    underclaims: `The estimate underclaims: it ${figures}, so that the release reveals more than the probabilities say. ${advice}`,
    'cannot-tell':
      moreTargets === null
        ? 'Cannot tell: every posterior is uniform or nearly so, the estimate claims nothing, and there is nothing to judge.'
        : `Cannot tell: the estimate ${figures}, and the slope ${found.slope.toFixed(2)} ± ${found.slopeSe.toFixed(2)} is too uncertain. About ${moreTargets} more targets are needed, as with --replicates ${Math.ceil((replicates * targets + moreTargets) / targets)}.`,
  };
  return { code, message: messages[code], moreTargets, suggestedSlope: advised ? suggested : null };
}

function settingsWarnings({ config }: Plan): StoredCalibration['warnings'] {
  const { mcmc, attributeRisk } = config;
  const warnings: StoredCalibration['warnings'] = [];
  if (attributeRisk.estimator === 'importance') {
    warnings.push({
      code: 'draws-know-the-truth',
      message:
        'The published importance estimator rests on draws that were made given the truth itself: it may achieve more than the release reveals, and a good score does not speak for it.',
    });
  }
  if (mcmc.reproducibility !== 'off') {
    warnings.push({
      code: 'no-rounds',
      message: `A calibration adds no chains in rounds, whatever mcmc.reproducibility says: this one is of the estimate from ${mcmc.chains} base chains and ${mcmc.pairedChains} paired chains. To calibrate a run that came to more, name them (--chains, --paired-chains).`,
    });
  }
  return warnings;
}

/** Writes the HTML page of a calibration from its file. */
export async function reportCalibration(store: Store, { runId }: { runId: string }): Promise<void> {
  const keys = runKeys(runId).confidential;
  const page = await renderCalibration(await readJson(store, keys.calibration, calibrationSchema));
  await store.put(keys.calibrationReport, new TextEncoder().encode(page));
}
