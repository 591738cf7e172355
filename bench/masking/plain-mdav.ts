type Point = readonly number[];

const distance = (a: Point, b: Point) => a.reduce((sum, value, v) => sum + (value - b[v]!) ** 2, 0);

function meanOf(points: readonly Point[]): number[] {
  return points[0]!.map((_, v) => points.reduce((sum, point) => sum + point[v]!, 0) / points.length);
}

/** MDAV as it is written in a textbook: records sorted by their distance whenever some of them are looked for. */
export function plainMdav(points: readonly Point[], k: number): number[][] {
  let left = points.map((_, record) => record);
  const groups: number[][] = [];
  const byDistance = (centre: Point) =>
    left.map((record) => ({ record, far: distance(points[record]!, centre) })).sort((a, b) => a.far - b.far || a.record - b.record);
  const farthest = (centre: Point) => {
    const sorted = byDistance(centre);
    const most = sorted.at(-1)!.far;
    return sorted.find(({ far }) => far === most)!.record;
  };
  const form = (record: number) => {
    const others = byDistance(points[record]!).filter((one) => one.record !== record);
    const group = [record, ...others.slice(0, k - 1).map((one) => one.record)];
    groups.push(group);
    left = left.filter((one) => !group.includes(one));
  };
  while (left.length >= 3 * k) {
    const first = farthest(meanOf(left.map((record) => points[record]!)));
    const second = farthest(points[first]!);
    form(first);
    form(left.includes(second) ? second : farthest(points[first]!));
  }
  if (left.length >= 2 * k) form(farthest(meanOf(left.map((record) => points[record]!))));
  groups.push(left);
  return groups;
}
