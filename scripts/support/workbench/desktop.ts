import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { cacheFolder } from '../paths.ts';
import { doing } from '../progress.ts';
import type { Settings } from './server.ts';

/** Downloads a desktop VS Code into `.cache`, once, and returns the path of its program. */
export async function downloadDesktop(version: string): Promise<string> {
  try {
    return await doing(`Downloading VS Code ${version}`, () =>
      downloadAndUnzipVSCode({ version, cachePath: join(cacheFolder, 'vscode-desktop') }),
    );
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(
      `VS Code ${version} could not be downloaded from update.code.visualstudio.com (${why}).\n` +
        'On Linux npm start and npm run test:host do without: they use the VS Code that npm carries.',
    );
  }
}

/** Fills a folder for `--user-data-dir`. */
export async function writeUserData(folder: string, settings: Settings): Promise<void> {
  await mkdir(join(folder, 'User'), { recursive: true });
  await writeFile(join(folder, 'User', 'settings.json'), JSON.stringify(settings, undefined, 2));
}
