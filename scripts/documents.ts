import { readFile, writeFile } from 'node:fs/promises';
import { documentTables, withTable } from './support/documentTables.ts';
import { fromRoot } from './support/paths.ts';
import { runScript } from './support/script.ts';

/** Writes the tables of the documents that follow from the manifest, the commands and the rules of imports. */
await runScript(async () => {
  for (const table of documentTables()) {
    const path = fromRoot(table.document);
    await writeFile(path, withTable(await readFile(path, 'utf8'), table));
  }
  return 0;
});
