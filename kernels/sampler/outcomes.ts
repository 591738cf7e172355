/** What `init` and `step` return: nothing wrong, or why they could not finish. */

/** The state is drawn. */
export const DONE: i32 = 0;
/** Every class gives some combination probability zero. */
export const IMPOSSIBLE_COMBINATION: i32 = 1;
/** A class weight is not a number. */
export const WEIGHT_NOT_A_NUMBER: i32 = 2;
/** alpha is not a number. */
export const CONCENTRATION_NOT_A_NUMBER: i32 = 3;
/** The variance of a class is not a number. */
export const VARIANCE_NOT_A_NUMBER: i32 = 4;
