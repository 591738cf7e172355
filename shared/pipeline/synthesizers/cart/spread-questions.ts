/**
 * Records that are asked about: one in so many, within bounds. Some take twenty times as long as most, those that change a tree near its
 * root: of sixteen records the mean is off by half.
 */
const ASKED = { oneIn: 16, least: 16, most: 64 };

/** The golden section, by whose multiples any number of places are spread evenly. */
const SPREAD = (Math.sqrt(5) - 1) / 2;

/** Which values a record might have of the variable at a place in the order of visits. */
export interface TreeQuestion {
  readonly record: number;
  readonly place: number;
}

/**
 * Questions by which it is measured how long a release of trees takes to be assessed: about records all over the table, none of them twice,
 * since its answers would be remembered; of each about every variable in succession, as a run asks, which grows the trees without the record
 * once. Whichever is the last, all variables were asked about as often as others.
 *
 * @param places how many variables are synthesized
 */
export function* spreadQuestions(records: number, places: number): Generator<TreeQuestion, void> {
  const asked = new Set<number>();
  const most = Math.min(records, ASKED.most, Math.max(ASKED.least, Math.floor(records / ASKED.oneIn)));
  for (let i = 0; asked.size < most; i++) {
    const record = Math.floor(((i * SPREAD) % 1) * records);
    if (asked.has(record)) continue;
    for (let k = 0; k < places; k++) yield { record, place: (asked.size + k) % places };
    asked.add(record);
  }
}
