/** Sides of a split, and that of a category that none of the node's records had when the tree was grown. */
export const LEFT = 0;
/** See {@link LEFT}. */
export const RIGHT = 1;
/** See {@link LEFT}. */
export const ABSENT = 2;

/** How the records of a node are divided by one predictor, which `variable` is the index of in the table. */
export type Cut =
  /** Those whose value is below the threshold go to the left, all others to the right. */
  | { readonly type: 'threshold'; readonly variable: number; readonly threshold: number }
  /** Each goes to the side of its category: {@link LEFT}, {@link RIGHT} or {@link ABSENT}. */
  | { readonly type: 'categories'; readonly variable: number; readonly sides: Uint8Array };
