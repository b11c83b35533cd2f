import { existsSync } from 'node:fs';
import { readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { cachedFolder } from '../cachedFolder.ts';
import { run } from '../childProcess.ts';
import { fromRoot } from '../paths.ts';

interface BrowserProgram {
  readonly executable: string;
  readonly env?: Readonly<Record<string, string>>;
}

const flags = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
];
/** Bytes of shared memory that windows side by side may need; with less, as in containers, files take its place. */
const SHARED_MEMORY = 1024 ** 3;

/** Pages of tests are closed before optimized code pays off: compiling it takes a tenth of their processor time. */
const shortLivedFlags = ['--js-flags=--no-opt --no-maglev'];

/**
 * Starts a Chromium without a window: an installed one, else the one that the lockfile brings.
 *
 * @param isShortLived for pages that are closed soon, and in which nothing is measured.
 */
export async function launchBrowser({ isShortLived = false } = {}): Promise<Browser> {
  const program = await findBrowser();
  const own = isShortLived ? [...flags, ...shortLivedFlags] : flags;
  return chromium.launch({
    executablePath: program.executable,
    env: { ...definedOnly(process.env), ...program.env },
    args: (await hasSharedMemory()) ? own : [...own, '--disable-dev-shm-usage'],
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

/** The installed Chromium, or the one that the lockfile brings, unpacked into `.cache` once. */
export async function findBrowser(): Promise<BrowserProgram> {
  return installedBrowser() ?? packagedBrowser();
}

async function hasSharedMemory(): Promise<boolean> {
  const { bavail, bsize } = await statfs('/dev/shm').catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= SHARED_MEMORY;
}

function installedBrowser(): BrowserProgram | undefined {
  const chosen = process.env.CHROME_PATH;
  if (chosen !== undefined) return { executable: chosen };
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
  return found === undefined ? undefined : { executable: found };
}

/** `@sparticuz/chromium` holds the program and, made for a bare system, its libraries and a font. */
async function packagedBrowser(): Promise<BrowserProgram> {
  const source = fromRoot('node_modules', '@sparticuz', 'chromium');
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(source)) {
    throw new Error('No Chromium found. Install Chrome or Chromium, or name one with CHROME_PATH.');
  }
  const { version } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8')) as { version: string };
  const folder = await cachedFolder(`chromium-${version}`, async (empty) => {
    await inflate(join(source, 'bin', 'chromium.br'), join(empty, 'chromium'));
    for (const name of ['al2023.tar', 'fonts.tar', 'swiftshader.tar']) {
      const archive = join(empty, name);
      await inflate(join(source, 'bin', `${name}.br`), archive);
      await run('tar', ['-xf', archive, '-C', empty]);
      await rm(archive);
    }
    await writeFile(join(empty, 'fonts.conf'), fontConfig);
  });
  return {
    executable: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: [join(folder, 'lib'), process.env.LD_LIBRARY_PATH ?? ''].filter(Boolean).join(':'),
      FONTCONFIG_PATH: folder,
    },
  };
}

/** The system's fonts where there are any, and the one that came along. */
const fontConfig = `<?xml version="1.0"?>
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;

async function inflate(source: string, target: string): Promise<void> {
  await writeFile(target, await promisify(brotliDecompress)(await readFile(source)), { mode: 0o755 });
}

function definedOnly(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
