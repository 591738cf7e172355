/** From 0 to 10 in four cells, with a mass where two of them meet and one below them. */
export const SCALED_NUMBER = {
  part: 0,
  masses: [5, -5],
  decimals: 1,
  scale: { toUnit: (value: number) => value / 10, fromUnit: (unit: number) => unit * 10 },
  cells: 4,
  within: { share: 0.1 },
};
