/** What the memory of the scoring is laid out by; set by the host. */

/** Combinations of the batch. */
export let rows: i32 = 0;
/** Classes at most: an even number. */
export let classes: i32 = 0;
/** Variables of which values may be changed, or be unknown. */
export let variables: i32 = 0;
/** Categories of all of them. */
export let categories: i32 = 0;
/** Candidates of a row. */
export let candidates: i32 = 0;

/** Variables before the cut, for one-change and two-change candidates. */
export let leftVariables: i32 = 0;
/** Distinct values of the rows on them. */
export let leftValues: i32 = 0;
/** Distinct values of the rows on the variables after the cut. */
export let rightValues: i32 = 0;
/** Changes of a value on the variables before the cut. */
export let leftChanges: i32 = 0;
/** Whether two values may be changed. */
export let twoChanges: bool = false;

/** Unknown variables; 0 where candidates are changes. */
export let unknownVariables: i32 = 0;
/** Of these, the variables of the head. */
export let headVariables: i32 = 0;
/** Values of the block, which are the other unknown variables. */
export let blockValues: i32 = 0;
/** Columns that the intruder knows, where there are unknown variables. */
export let knownVariables: i32 = 0;
/** Distinct values of the rows on them. */
export let knownValues: i32 = 0;
