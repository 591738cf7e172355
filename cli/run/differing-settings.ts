import { isDeepStrictEqual } from 'node:util';

/** Names of the settings in which sections of two configs differ, such as `model.classes`. */
export function differingSettings<Sections extends Readonly<Record<string, object>>>(a: Sections, b: Sections): string[] {
  return Object.keys(a).flatMap((section) => {
    const left = a[section] as Record<string, unknown>;
    const right = b[section] as Record<string, unknown>;
    return [...new Set([...Object.keys(left), ...Object.keys(right)])]
      .filter((field) => !isDeepStrictEqual(left[field], right[field]))
      .map((field) => `${section}.${field}`);
  });
}
