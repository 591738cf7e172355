/** Settings by section, not yet checked: from a config file, from flags or from an earlier run. */
export type Settings = Record<string, unknown>;

/** True for a value that has fields, as a section of settings has. */
export const isSection = (value: unknown): value is Settings => typeof value === 'object' && value !== null && !Array.isArray(value);
