import { growCartTree } from '../../shared/model/cart/growth.ts';
import { fitCart } from '../../shared/model/cart/synthesis.ts';
import { RandomStream } from '../../shared/random/random-stream.ts';
import { mixedTable } from '../tables/mixed-table.ts';
import { compared, type Growth, growth, type Measurement, milliseconds } from './measure.ts';
import { growPlainTree } from './plain-cart.ts';

const PREDICTORS = [1, 2, 3, 4];

/** The defaults of synthesis. */
const SETTINGS = { minimumLeaf: 5, complexity: 1e-8 };

/** So few that the plain program, whose time grows as their square, ends within a second. */
const COMPARED_RECORDS = 1000;

const RESPONSES = ['continuous', 'categorical'] as const;

/** Growing a tree against the program that forms the impurity of both sides anew for every division. */
export function measureCart(): Measurement[] {
  return RESPONSES.map((response) => {
    const table = mixedTable(COMPARED_RECORDS, response);
    return compared(
      `grow the tree of a ${response} variable, ${COMPARED_RECORDS} records, ${PREDICTORS.length} predictors`,
      milliseconds(5, () => growCartTree(table, 0, PREDICTORS, SETTINGS)),
      'plain TypeScript, every division anew',
      milliseconds(1, () => growPlainTree(table, 0, PREDICTORS, SETTINGS)),
    );
  });
}

/** How the time of growing a tree, and of drawing a dataset from one, grows with records. */
export function growCart(): Growth[] {
  const sizes = [6250, 12_500, 25_000, 50_000, 100_000];
  const points = (timeOf: (size: number) => number) => sizes.map((size) => ({ size, milliseconds: timeOf(size) }));
  return [
    ...RESPONSES.map((response) =>
      growth(
        `grow the tree of a ${response} variable, ${PREDICTORS.length} predictors`,
        'records',
        points((size) => {
          const table = mixedTable(size, response);
          return milliseconds(1, () => growCartTree(table, 0, PREDICTORS, SETTINGS));
        }),
      ),
    ),
    growth(
      'draw a dataset of one synthesized variable from its tree',
      'records',
      points((size) => {
        const model = fitCart(mixedTable(size, 'continuous'), { ...SETTINGS, synthesized: [0], smoothing: false });
        return milliseconds(3, () => model.synthesize(new RandomStream(1, 'bench/cart')));
      }),
    ),
  ];
}
