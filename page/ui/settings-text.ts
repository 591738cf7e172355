import { isMap, parseDocument } from 'yaml';

/** A value of a settings text at a path; undefined where there is none, or where the text is no YAML. */
export function settingIn(text: string, path: readonly string[]): unknown {
  const document = parseDocument(text, { logLevel: 'silent' });
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined;
  const found = document.getIn(path) as { toJSON?: () => unknown } | undefined;
  return found?.toJSON?.() ?? found;
}

/** The settings text with a value at a path, or without one; comments and everything else stay. Null where the text is no YAML. */
export function withSetting(text: string, path: readonly string[], value: unknown): string | null {
  const document = parseDocument(text.trim() === '' ? '{}' : text, { logLevel: 'silent' });
  if (document.errors.length > 0 || !isMap(document.contents)) return null;
  if (text.trim() === '') document.contents.flow = false;
  if (value === undefined) {
    document.deleteIn(path);
    // Sections that have become empty say nothing.
    for (let depth = path.length - 1; depth > 0; depth--) {
      const section = document.getIn(path.slice(0, depth));
      if (!isMap(section) || section.items.length > 0) break;
      document.deleteIn(path.slice(0, depth));
    }
  } else document.setIn(path, document.createNode(value, { flow: true }));
  return document.contents.items.length === 0 ? '' : document.toString({ lineWidth: 110 });
}
