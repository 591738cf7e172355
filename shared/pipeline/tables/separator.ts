/** Between the variables, or values, of what is about several: `A; B`. */
export const SEPARATOR = '; ';
