import { isSection } from './settings.ts';

/** A setting as text in which the order of fields does not count. */
const inOrder = (setting: unknown) =>
  JSON.stringify(setting, (_, value: unknown) =>
    isSection(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );

/** Names of the settings in which sections of two configs differ, such as `model.classes`. */
export function differingSettings<Sections extends Readonly<Record<string, object>>>(a: Sections, b: Sections): string[] {
  return Object.keys(a).flatMap((section) => {
    const left = a[section] as Record<string, unknown>;
    const right = b[section] as Record<string, unknown>;
    return [...new Set([...Object.keys(left), ...Object.keys(right)])]
      .filter((field) => inOrder(left[field]) !== inOrder(right[field]))
      .map((field) => `${section}.${field}`);
  });
}
