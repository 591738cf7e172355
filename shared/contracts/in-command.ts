/** A word as a person writes it on a command line: in double quotes where a shell would otherwise take it apart or change it. */
export const inCommand = (word: string) => (/^[\p{L}\p{N}_.,:=@%+/-]+$/u.test(word) ? word : `"${word.replace(/["\\$`]/g, '\\$&')}"`);

const inQuotesWhereNeeded = (name: string) => (/[,"]/.test(name) ? `"${name.replace(/"/g, '""')}"` : name);

/** Names as a person writes them where a flag takes several between commas, as in CSV. */
export const inList = (...names: readonly string[]) => inCommand(names.map(inQuotesWhereNeeded).join(','));

/** Names in a sentence or a cell, so that one which holds a comma is not taken for two: in double quotes, as flags take it. */
export const namesInWords = (names: readonly string[]): string => names.map(inQuotesWhereNeeded).join(', ');

/** A name as a person writes it in a YAML config before a colon. Names that some readers of YAML take for truth values are quoted as well. */
export const inConfig = (name: string) =>
  /^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(name) ? name : JSON.stringify(name);
