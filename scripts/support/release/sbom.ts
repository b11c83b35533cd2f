import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { bundledPackages } from '../thirdPartyNotices.ts';
import type { ReleaseManifest } from './versions.ts';

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
}

/**
 * The bill of materials in CycloneDX 1.6: every package of which something is left in the bundles, with the digest of
 * its tarball in the registry. Scanners cannot see packages in a bundle.
 */
export async function createSbom(
  root: string,
  { name, version }: ReleaseManifest,
  metafiles: readonly Metafile[],
  timeSeconds: number,
): Promise<string> {
  const lockfile = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lockfile;
  const folders = bundledPackages(metafiles);
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: new Date(timeSeconds * 1000).toISOString(),
      component: {
        type: 'application',
        'bom-ref': name,
        name,
        version,
        licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components: await Promise.all(folders.map((folder) => componentOf(root, folder, lockfile))),
  };
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

async function componentOf(root: string, folder: string, { packages }: Lockfile) {
  const { name, version, license } = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const digest = /^sha512-(.+)$/.exec(packages[folder]?.integrity ?? '')?.[1];
  if (digest === undefined)
    throw new Error(`${folder} is in a bundle, but has no digest in package-lock.json.`);
  const content = Buffer.from(digest, 'base64').toString('hex');
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    licenses: [{ license: { id: license } }],
    hashes: [{ alg: 'SHA-512', content }],
  };
}
