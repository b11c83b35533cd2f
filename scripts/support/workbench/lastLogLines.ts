import { globSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The last lines of the extension's output channel, of the window that wrote last; a word where there are none. */
export async function lastLogLines(logsFolder: string, count = 20): Promise<string> {
  const files = globSync('**/chainside.chainside/*.log', { cwd: logsFolder }).map((file) =>
    join(logsFolder, file),
  );
  const dated = await Promise.all(files.map(async (file) => ({ file, at: (await stat(file)).mtimeMs })));
  const newest = dated.sort((a, b) => b.at - a.at)[0];
  if (newest === undefined) return 'no output of the extension';
  const lines = (await readFile(newest.file, 'utf8')).trimEnd().split('\n');
  return lines.slice(-count).join('\n') || 'nothing';
}
