import { readdirSync, readFileSync } from 'node:fs';
import { fromRoot } from './paths.ts';

/** English messages with their translations, or keys of the manifest with theirs. */
export type Messages = Readonly<Record<string, string>>;

export const readMessages = (path: string): Messages => JSON.parse(readFileSync(fromRoot(path), 'utf8'));

/** The languages that have a bundle: `de`. */
export function listLanguages(): readonly string[] {
  return readdirSync(fromRoot('l10n')).flatMap(
    (name) => name.match(/^bundle\.l10n\.([\w-]+)\.json$/)?.[1] ?? [],
  );
}

export const bundlePath = (language: string) => `l10n/bundle.l10n.${language}.json`;
export const manifestPath = (language: string) => `package.nls.${language}.json`;

/** What a translation keeps: placeholders, targets of links, code spans and icons, sorted. */
export function fixedParts(message: string): readonly string[] {
  const kept = message.matchAll(/\{\d\}|\]\([^()\s]+\)|(?<!`)`[^`\n]+`(?!`)|\$\([\w-]+\)/g);
  return [...new Set([...kept].map(([part]) => part))].sort();
}
