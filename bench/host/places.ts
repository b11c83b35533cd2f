import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { workspace } from 'vscode';
import { systemClock } from '../../src/core/index.ts';
import { WorkspaceSearch } from '../../src/host/places/workspaceSearch.ts';
import { createWorkspaceFiles } from '../../src/host/workspace/workspaceFiles.ts';
import { timed } from '../support/stats.ts';
import type { PlacesTimes } from './measures.ts';

const ROUNDS = 10;
const WARM_UPS = 2;
/** What an address looks like, for the floor. */
const ADDRESS = /0x[0-9a-f]{40}/gi;

/** Searches OpenZeppelin's contracts for addresses, each round anew, and has Node read and look through the same files. */
export async function measurePlaces(contracts: string): Promise<PlacesTimes> {
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (folder === undefined) throw new Error('A folder must be open.');
  const copy = join(folder, 'openzeppelin');
  await cp(contracts, copy, { recursive: true });
  const times = { search: [] as number[], floor: [] as number[], delay: [] as number[] };
  for (let round = 0; round < WARM_UPS + ROUNDS; round++) {
    const search = new WorkspaceSearch({ files: createWorkspaceFiles(systemClock), clock: systemClock });
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const searching = await timed(async () => {
      const { occurrences } = await search.found();
      if (occurrences.length === 0) throw new Error('No address is found.');
    });
    delay.disable();
    search.dispose();
    const floor = await timed(() => lookThrough(copy));
    if (round < WARM_UPS) continue;
    times.search.push(searching);
    times.floor.push(floor);
    times.delay.push(delay.percentile(99) / 1e6);
  }
  await rm(copy, { recursive: true });
  return times;
}

async function lookThrough(folder: string): Promise<number> {
  let found = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:sol|md|json)$/.test(entry.name) || entry.parentPath.includes('build'))
      continue;
    const text = await readFile(join(entry.parentPath, entry.name), 'utf8');
    found += [...text.matchAll(ADDRESS)].length;
  }
  return found;
}
