import { settingsOf } from '../../../contracts/models/models.ts';
import { latentLength } from '../../../model/dp-areal/cells.ts';
import { createDpAreal } from '../../../model/dp-areal/dp-areal.ts';
import { createPatternScorer } from '../../../risk/scoring/pattern-scorer.ts';
import { categorySizes } from '../../../table/category-sizes.ts';
import { patternCounts, patternsOfRows } from '../../../table/pattern-counts.ts';
import { synthesizedVariables } from '../../../table/synthesized-variables.ts';
import type { Chains } from '../chain-model.ts';
import { chainSynthesizer } from '../chains/chain-synthesizer.ts';

/** Classes of a draw are the patterns of the kept variables. */
const chains: Chains = {
  bind: ({ model }, { combinations, sizes, variables, variableOfColumn }) =>
    createDpAreal(combinations, sizes, variables, settingsOf(model, 'dp-areal'), variableOfColumn),
  truncation: ({ model }) => settingsOf(model, 'dp-areal').clusters,
  classes({ synthesis }, schema, combinations) {
    const variables = synthesizedVariables(synthesis.synthesized, schema);
    return patternCounts(combinations, categorySizes(schema), variables).patterns;
  },
  latentNumbers({ model, synthesis }, schema, classes) {
    const sizes = categorySizes(schema);
    const [counted] = synthesizedVariables(synthesis.synthesized, schema);
    const categories = sizes[counted!]!;
    const regressors = sizes.reduce((sum, size) => sum + size, 0) - categories;
    const { clusters } = settingsOf(model, 'dp-areal');
    return latentLength({ patterns: classes, categories, regressors, clusters });
  },
  scorer({ combinations, sizes }, space, codes) {
    const patterns = patternCounts(combinations, sizes, space.unknown);
    return createPatternScorer(space, codes, patternsOfRows(patterns, codes, sizes.length));
  },
  words: {
    classes: 'clusters',
    modes:
      'How cells fall into clusters (alpha, occupiedClasses) hardly mixes, and different clusterings can give much the same rates, on which alone the risk depends: logLikelihood says more about these. Longer chains seldom help',
    unmixed: 'What follows for the risk is in the reproducibility.',
  },
};

/** A Dirichlet process over the patterns of the kept variables, with Poisson-lognormal counts (Hu & Savitsky 2018, section 2.2). */
export const areal = chainSynthesizer(chains, ({ config, classes }) => ({ classes: chains.truncation(config), patterns: classes }));
