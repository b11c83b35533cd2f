import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/**
 * The notices of every package of which something is left in the bundles, as their licences ask for.
 *
 * @throws Error naming a package that comes without the text of its licence.
 */
export async function thirdPartyNotices(root: string, metafiles: readonly Metafile[]): Promise<string> {
  const notices = await Promise.all(bundledPackages(metafiles).map((folder) => noticeOf(join(root, folder))));
  const intro =
    'Chainside holds code of the packages below. Each stands under the licence that follows its name.';
  return [intro, ...new Set(notices)].join(`\n\n${'-'.repeat(80)}\n\n`);
}

/** Folders of the packages of which something is left in the bundles, such as `node_modules/zod`, sorted. */
export function bundledPackages(metafiles: readonly Metafile[]): readonly string[] {
  const files = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(files)].filter((folder) => folder !== undefined).sort();
}

async function noticeOf(folder: string): Promise<string> {
  const manifest = join(folder, 'package.json');
  const { name, version, license } = existsSync(manifest)
    ? (JSON.parse(await readFile(manifest, 'utf8')) as Record<string, unknown>)
    : {};
  const files = (await readdir(folder)).filter((file) =>
    /^(licen[cs]e(-mit)?|copying|notice)(\.(md|txt))?$/i.test(file),
  );
  const texts = await Promise.all(files.sort().map((file) => readFile(join(folder, file), 'utf8')));
  const text = texts.map((part) => part.trim()).join('\n\n');
  if (typeof license !== 'string' || !/^licen[cs]e|^copying/im.test(files.join('\n')) || text === '') {
    throw new Error(`${folder} is in a bundle, but brings no text of its licence.`);
  }
  return `${name} ${version} (${license})\n\n${text}`;
}
