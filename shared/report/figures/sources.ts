/** Where each object of a document stands that a page is made from. An object that is gone leaves nothing here. */
const places = new WeakMap<object, string>();

/**
 * Gives every object of a document its place, `summary.json#/attributeRisk/0` (RFC 6901), so that figures of it can say on
 * the page where they are from.
 */
export function nameSource(file: string, document: object): void {
  nameBelow(`${file}#`, document);
}

function nameBelow(place: string, value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  places.set(value, place);
  for (const [key, one] of Object.entries(value)) {
    nameBelow(`${place}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, one);
  }
}

/** The place of a member of an object; undefined where the object is of no named document. */
export function placeOf(object: object, key: string): string | undefined {
  const place = places.get(object);
  return place === undefined ? undefined : `${place}/${key}`;
}
