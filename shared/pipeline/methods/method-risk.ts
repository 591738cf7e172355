import type { FileRisk, SimulatedFigures } from '../../risk/attribute/attribute-summary.ts';
import type { ReleaseErrors } from '../../risk/attribute/release-figures.ts';
import type { separateFigures } from '../../risk/attribute/separate-datasets.ts';
import type { ExactFigures } from '../../risk/exact/exact-figures.ts';
import type { TreeFigures } from './tree-figures.ts';

/** What a scenario's rows come to over records, as the method that found it knows it. */
export type MethodRisk = { readonly file: FileRisk; readonly release: ReleaseErrors } & (
  | {
      readonly by: 'sampled';
      readonly simulation: SimulatedFigures;
      /** Of an intruder who does not have all records but one, what the datasets say one by one. */
      readonly separate: ReturnType<typeof separateFigures> | null;
    }
  | { readonly by: 'cells'; readonly simulation: SimulatedFigures }
  | { readonly by: 'counted'; readonly exact: ExactFigures; readonly epsilon: number }
  | { readonly by: 'grown'; readonly exact: ExactFigures; readonly trees: TreeFigures }
);
