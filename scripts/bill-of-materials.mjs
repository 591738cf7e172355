// What a build is made of: the packages in a bundle, and the bill of materials (CycloneDX) that lists them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));

/** The packages that builds took something from, as folders. */
export const packagesIn = (builds) => {
  const inputs = builds.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  // From the outermost folder of packages on, which may be a link into another tree.
  return [
    ...new Set(inputs.flatMap((input) => input.match(/node_modules\/.*/)?.[0].match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)[0] ?? [])),
  ].sort();
};

/** What a package says of itself. */
export const packageIn = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));

/** A package as a component of a bill of materials, with the digest that it was installed by. */
function componentOf(folder) {
  const { name, version, license } = packageIn(folder);
  const [, digest] = lock.packages[folder].integrity.match(/^sha512-(.+)$/);
  return {
    type: 'library',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
    licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }],
  };
}

/** The bill of materials of the program with these packages within, as JSON. */
export function billOf(packages) {
  const { license, name, version } = lock.packages[''];
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: { type: 'application', name, version, purl: `pkg:npm/${name}@${version}`, licenses: [{ license: { id: license } }] },
    },
    components: packages.map(componentOf),
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}
