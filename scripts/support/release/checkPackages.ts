import { readFile } from 'node:fs/promises';
import { run } from '../childProcess.ts';
import { isPreRelease } from '../packages.ts';
import { listZipEntries, readZipEntry } from '../zip.ts';
import type { ReleaseManifest } from './versions.ts';

const ofTarball = ['LICENSE', 'README.md', 'THIRD-PARTY-NOTICES.txt', 'cli.js', 'package.json'];

/** @throws Error if the VSIX is not of this version and channel, or lacks a file that its manifest names. */
export async function checkVsix(file: string, manifest: ReleaseManifest): Promise<void> {
  const zip = await readFile(file);
  const { name, publisher, version, main, browser, icon } = manifest;
  const description = readZipEntry(zip, 'extension.vsixmanifest');
  const identity = /<Identity [^>]*>/.exec(description)?.[0] ?? '';
  for (const part of [`Id="${name}"`, `Version="${version}"`, `Publisher="${publisher}"`]) {
    if (!identity.includes(part))
      throw new Error(`${file} is of another release: ${identity} has no ${part}.`);
  }
  const isMarked = description.includes('Id="Microsoft.VisualStudio.Code.PreRelease" Value="true"');
  if (isMarked !== isPreRelease(version)) {
    throw new Error(
      `${file} is ${isMarked ? '' : 'not '}marked as a pre-release, unlike version ${version}.`,
    );
  }
  const names = new Set(listZipEntries(zip).map((entry) => entry.name));
  const needed = [main, browser, icon, 'dist/THIRD-PARTY-NOTICES.txt', 'readme.md', 'changelog.md'];
  for (const path of needed.filter((path) => path !== undefined)) {
    const entry = `extension/${path.replace(/^\.\//, '')}`;
    if (!names.has(entry)) throw new Error(`${file} lacks ${entry}.`);
  }
}

/** @throws Error if the npm package is not of this version, or holds other files than it should. */
export async function checkTarball(file: string, { name, version }: ReleaseManifest): Promise<void> {
  const list = await run('tar', ['-tzf', file]);
  const files = list.trim().split(/\r?\n/).sort();
  const expected = ofTarball.map((path) => `package/${path}`);
  if (files.join() !== expected.join()) throw new Error(`${file} holds ${files}, not ${expected}.`);
  const manifest = JSON.parse(await run('tar', ['-xzOf', file, 'package/package.json']));
  if (manifest.name !== name || manifest.version !== version) {
    throw new Error(`${file} is ${manifest.name} ${manifest.version}, not ${name} ${version}.`);
  }
}
