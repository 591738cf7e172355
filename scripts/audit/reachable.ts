/** What `npm audit --json` says of a package. */
interface Vulnerable {
  readonly name: string;
  /** Where it is installed. */
  readonly nodes: readonly string[];
  /** Why; a name alone is a package that brings the vulnerability along, and is listed itself. */
  readonly via: readonly (string | { readonly title: string; readonly url: string; readonly severity: string; readonly range: string })[];
}

/**
 * Known vulnerabilities of packages within bundles, a line each.
 *
 * @param installed packages of the lock file, by their folders
 * @param bundled name@version of every component of the bundles
 */
export function reachableIn(
  vulnerable: readonly Vulnerable[],
  installed: Readonly<Record<string, { readonly version: string }>>,
  bundled: ReadonlySet<string>,
): string[] {
  return vulnerable.flatMap(({ name, nodes, via }) => {
    const own = new Set(nodes.map((node) => `${name}@${installed[node]!.version}`).filter((one) => bundled.has(one)));
    const why = via.filter((one) => typeof one !== 'string');
    return [...own].flatMap((one) => why.map(({ severity, title, range, url }) => `${one}: ${severity}: ${title} (${range}) ${url}`));
  });
}
