/**
 * What a release says of itself, in Markdown: what changed for whom, and the digest of each file.
 *
 * @param changes `CHANGELOG.md`
 * @param version the release; where nothing stands below it yet, what is not released is taken
 * @param digests lines of `SHA256SUMS`
 * @throws RangeError if the changes have neither
 */
export function releaseNotes(changes: string, version: string, digests: string): string {
  const sections = new Map(
    changes
      .split(/^## /m)
      .slice(1)
      .map((section) => [/^\[(.+?)\]/.exec(section)?.[1], section.slice(section.indexOf('\n')).trim()]),
  );
  const own = sections.get(version) || sections.get('Unreleased');
  if (!own) throw new RangeError(`CHANGELOG.md says nothing of ${version}`);
  const files = digests
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/))
    .map(([digest, file]) => `| \`${file}\` | \`${digest}\` |`);
  return `# synthrisk ${version}\n\n${own}\n\n## Files\n\n| file | SHA-256 |\n| --- | --- |\n${files.join('\n')}\n`;
}
