import { readFile, writeFile } from 'node:fs/promises';
import { documentTables, withTable } from './support/documentTables.ts';
import { fromRoot } from './support/paths.ts';
import { runScript } from './support/script.ts';

/**
 * Writes the tables of the documents that follow from the manifest, the commands, the rules of imports and the bounds
 * of the source. Fails if one was different.
 */
await runScript(async () => {
  const changed = new Set<string>();
  for (const table of documentTables()) {
    const path = fromRoot(table.document);
    const old = await readFile(path, 'utf8');
    const text = withTable(old, table);
    if (text === old) continue;
    await writeFile(path, text);
    changed.add(table.document);
  }
  for (const document of changed) console.error(`${document} had other tables. Commit it as it is now.`);
  return changed.size === 0 ? 0 : 1;
});
