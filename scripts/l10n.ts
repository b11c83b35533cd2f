import { writeFile } from 'node:fs/promises';
import { readSourceMessages } from '../test/support/sourceMessages.ts';
import { bundlePath, listLanguages, manifestPath, readMessages } from './support/bundles.ts';
import { fromRoot } from './support/paths.ts';
import { runScript } from './support/script.ts';

/** Sorts each language's messages, drops unused ones, and prints the missing ones as JSON. Fails if any is missing. */
await runScript(async () => {
  const messages = [...readSourceMessages().places.keys()].sort();
  const manifest = readMessages('package.nls.json');
  let missing = 0;
  for (const language of listLanguages()) {
    missing += await complete(bundlePath(language), messages, (message) => message);
    missing += await complete(manifestPath(language), Object.keys(manifest), (key) => manifest[key] ?? '');
  }
  return missing === 0 ? 0 : 1;
});

/** Rewrites one file; returns the number of missing translations. */
async function complete(
  path: string,
  keys: readonly string[],
  english: (key: string) => string,
): Promise<number> {
  const translated = readMessages(path);
  const ordered = keys.flatMap((key) =>
    translated[key] === undefined ? [] : [[key, translated[key]] as const],
  );
  await writeFile(fromRoot(path), `${JSON.stringify(Object.fromEntries(ordered), undefined, 2)}\n`);
  const missing = keys.filter((key) => translated[key] === undefined).map((key) => [key, english(key)]);
  if (missing.length > 0) {
    console.log(`Missing in ${path}:\n${JSON.stringify(Object.fromEntries(missing), undefined, 2)}`);
  }
  return missing.length;
}
