import { isRanked } from '../../contracts/results/ranked-figures.ts';
import { type AttributeRiskSummary, FEWEST_EFFECTIVE_DRAWS, GOOD_REPRODUCIBILITY } from '../../contracts/results/summary.ts';
import type { Plan } from '../../contracts/run/plan.ts';
import type { Judgement } from '../../contracts/run/round.ts';
import type { Warning } from '../../contracts/run/warning.ts';
import { claimDiffers, membershipDiffers, rulesTruthsOut } from '../../contracts/settings/trusted-figures.ts';
import { formatEstimate, formatMeasured, formatPercent, formatSupported } from '../../report/words/format-number.ts';
import type { ChainNumbers } from '../rounds/chain-growth.ts';
import { mostChains } from '../rounds/chain-limit.ts';
import { chainsNeeded } from '../rounds/chains-needed.ts';

/** What the attribute risk of a run gives to think about. */
export function riskWarnings(
  plan: Plan,
  risks: readonly AttributeRiskSummary[],
  rounds: readonly Judgement[],
  ofChains: readonly Warning[],
): Warning[] {
  const isOwn = plan.datasets.origin !== 'elsewhere';
  const ofRisks = [...ofScenarios(risks, isOwn), ...targetWarnings(plan, risks, rounds)];
  return [...notableOfChains(ofChains, [...plan.warnings, ...ofRisks]), ...ofRisks];
}

/** What says that chains do not agree on the risk itself. */
const UNREPRODUCED = ['low-reproducibility', 'reproducibility-not-reached'];

/** What fewer classes are the remedy of. */
const TOO_MANY_CLASSES = ['truths-ruled-out', 'crowded-classes'];

/**
 * Warnings of chains that matter for a figure of the run. Chains of these models nearly always differ, each in a mode of
 * its own, which the estimator allows for: that is left to the diagnostics unless the risks are not reproduced either. Nobody is
 * told to raise the classes where fewer are the remedy.
 */
function notableOfChains(ofChains: readonly Warning[], others: readonly Warning[]): Warning[] {
  const has = (...codes: readonly string[]) => others.some(({ code }) => codes.includes(code));
  const without = [...(has(...UNREPRODUCED) ? [] : ['chains-differ']), ...(has(...TOO_MANY_CLASSES) ? ['classes-near-limit'] : [])];
  return ofChains.filter(({ code }) => !without.includes(code));
}

/** Warnings that say, where there are several scenarios, which they are of: what holds of several is said once. */
function ofScenarios(risks: readonly AttributeRiskSummary[], isOwn: boolean): Warning[] {
  if (risks.length === 1) return warningsOf(risks[0]!, isOwn);
  const all = risks.flatMap((risk) => warningsOf(risk, isOwn).map((warning) => ({ ...warning, scenario: `"${risk.scenario}"` })));
  const first = all.filter(({ message }, at) => all.findIndex((other) => other.message === message) === at);
  return first.map(({ code, message }) => {
    const names = all.filter((other) => other.message === message).map(({ scenario }) => scenario);
    return { code, message: `${names.length > 1 ? 'Scenarios' : 'Scenario'} ${names.join(', ')}: ${message}` };
  });
}

/** A change by half the length of paired chains that is pointed out, in errors of simulation. */
const NOTABLE_CHANGE = 3;

/** What evaluations are to agree on, in words. */
const FIGURES = { rank: 'ranks', probability: 'probabilities' } as const;

const chainsInWords = ({ chains, pairedChains }: ChainNumbers) => `${chains} base chains and ${pairedChains} paired chains of each dataset`;

/** Says that the reproducibility that was asked for was not reached. */
function targetWarnings(plan: Plan, risks: readonly AttributeRiskSummary[], rounds: readonly Judgement[]): Warning[] {
  const last = rounds.at(-1)!;
  if (last.outcome !== 'max-chains') return [];
  const next = last.next!;
  const figures = risks.some(isRanked) ? FIGURES[last.of] : 'probabilities near true values';
  const wanted = next.chains + (chainsNeeded(plan).pairs > 0 ? plan.datasets.count * next.pairedChains : 0);
  return [
    {
      code: 'reproducibility-not-reached',
      message: `The ${figures} of two evaluations were to correlate by ${last.target}; ${chainsInWords(last)} reach ${last.reproducibility!.toFixed(3)}, and no more than ${mostChains(plan)} base chains and pairs of chains are allowed. ${chainsInWords(next)} are expected to reach ${next.reproducibility.toFixed(3)}, for ${Math.round(100 * next.work)} % more work (mcmc.maxChains: ${wanted}, --max-chains ${wanted}).`,
    },
  ];
}

/** @param isOwn whether the run made the datasets, so that their model is its own */
function warningsOf(risk: AttributeRiskSummary, isOwn: boolean): Warning[] {
  const warnings: Warning[] = [];
  if (risk.estimator === 'importance' && risk.effectiveDrawsMin! < FEWEST_EFFECTIVE_DRAWS) {
    warnings.push({
      code: 'few-effective-draws',
      message: `The published importance estimator has only ${risk.effectiveDrawsMin!.toFixed(2)} effective draws: it shows what single draws say, not what the release reveals, and another seed would give other ranks. Use the estimator \`augmented\`.`,
    });
  }
  const { rankReproducibility, reproducibility } = risk;
  const low = [
    ...(reproducibility !== null && reproducibility < GOOD_REPRODUCIBILITY
      ? [`${reproducibility.toFixed(2)} in the probability ${isRanked(risk) ? 'of the truth' : 'near the true values'}`]
      : []),
    ...(rankReproducibility !== null && rankReproducibility < GOOD_REPRODUCIBILITY
      ? [`${rankReproducibility.toFixed(2)} in the rank of the truth`]
      : []),
  ];
  if (low.length > 0) {
    warnings.push({
      code: 'low-reproducibility',
      message: `Two evaluations of this release would correlate by only ${low.join(' and ')}. Ask for a higher reproducibility (mcmc.reproducibility, --reproducibility): chains are then added where the error is.`,
    });
  }
  if (rulesTruthsOut(risk)) {
    warnings.push({
      code: 'truths-ruled-out',
      message: `The estimate makes ${formatPercent(risk.ruledOutShare!)} of the true values a million times less probable than they were without the release, where no more than one in a million would be if it were right.${risk.estimator === 'augmented' ? ' Its chains have come to fits of the table with each dataset that those without it do not know, as happens where many variables are numbers.' : ''}`,
    });
  }
  const { gainBitsMean: gained, gainBitsMeanSe, gainBitsClaimed, gainBitsExcess: excess, gainBitsExcessSe: se } = risk;
  if (claimDiffers(risk)) {
    const claimed = formatSupported(gainBitsClaimed!, gainBitsMeanSe);
    warnings.push({
      code: 'claim-differs',
      message: `About the true values of the observed records, the release reveals ${formatEstimate(gained!, gainBitsMeanSe!)} bits a record where the estimate claims ${claimed}: they differ by ${formatEstimate(Math.abs(excess!), se!)}. The estimate ${excess! > 0 ? 'overstates what the release reveals' : 'understates what the release reveals: risks may be larger than stated'}.`,
    });
  }
  if (membershipDiffers(risk)) {
    const { power, powerSe } = risk.membership!;
    warnings.push({
      code: 'membership-differs',
      message: `The likelihood ratios of who is in the table have a power of ${formatEstimate(power!, powerSe!)} where 1 is right: they claim too ${power! < 1 ? 'much' : 'little'}. ${isOwn ? 'Chains with a dataset and without it may have come to different fits of the table' : 'The model may not be the one that made the datasets'}, or the people outside the table are not like those in it.`,
    });
  }
  if (risk.bandedVariables !== undefined) {
    warnings.push({
      code: 'true-value-tried',
      message: `Of ${risk.bandedVariables.join(', ')} bands are guessed at, and a record's own band is tried by its true value, any other by one value that stands for it. That is an intruder who checks a value that they suspect: for one who knows bands alone the risk is too large as it is given (docs/explanation/trees.md, continuous variables).`,
    });
  }
  const { halfLength } = risk;
  if (isRanked(risk) && halfLength !== null && (halfLength.changeInErrors ?? 0) > NOTABLE_CHANGE) {
    const half = formatSupported(halfLength.informationBitsMean, risk.informationBitsMeanSimulationSe);
    warnings.push({
      code: 'length-matters',
      message: `Paired chains of half the length would find ${half} bits a record instead of ${formatMeasured(risk.informationBitsMean, risk.informationBitsMeanSimulationSe)}, more than simulation explains: ${risk.knows === undefined ? 'they leave the modes that they start in' : 'they have not forgotten their start'}. The difference is in the errors. Another length (mcmc.pairedThin, --paired-thin) shows how far it goes.`,
    });
  }
  if (risk.heavyTailShare > 0) {
    warnings.push({
      code: 'heavy-tails',
      message: `Importance weights are unstable for ${formatPercent(risk.heavyTailShare)} of the records (Pareto k above ${risk.paretoKThreshold.toFixed(2)}): their risk may be further off than its standard error says. They are marked in the column heavy_tail. More chains help (mcmc.reproducibility, --reproducibility).`,
    });
  }
  if (risk.slope !== 1) {
    warnings.push({
      code: 'slope-applied',
      message: `The likelihood was raised to the power ${risk.slope}, as the config asks (attributeRisk.slope).`,
    });
  }
  return warnings;
}
