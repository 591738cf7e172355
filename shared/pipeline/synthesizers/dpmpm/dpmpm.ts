import { settingsOf } from '../../../contracts/models/models.ts';
import { createDpmpm } from '../../../model/dpmpm/dpmpm.ts';
import { chainSynthesizer } from '../chains/chain-synthesizer.ts';
import { skipNotice } from '../chains/skip-notice.ts';
import type { Synthesizer } from '../synthesizer.ts';

const chains = chainSynthesizer({
  bind: ({ model }, { combinations, sizes, variableOfColumn, support }) =>
    createDpmpm(combinations, sizes, settingsOf(model, 'dpmpm'), variableOfColumn, support),
  truncation: ({ model }) => settingsOf(model, 'dpmpm').classes,
  classes: ({ model }) => settingsOf(model, 'dpmpm').classes,
  latentNumbers: () => 0,
  words: {
    classes: 'classes',
    modes: 'Chains of this model settle in modes of their own, and longer chains seldom help',
    unmixed: 'A longer burn-in (mcmc.burnIn) helps.',
  },
});

/** A Dirichlet process mixture of products of multinomials (Hu et al. 2014, section 2). */
export const dpmpm: Synthesizer = { ...chains, notices: skipNotice };
