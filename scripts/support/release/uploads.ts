import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../childProcess.ts';
import { isPreRelease } from '../packages.ts';
import { fromRoot } from '../paths.ts';

/** One command that sends files of a release out. Every one authenticates as the workflow, with no stored token. */
export interface Upload {
  /** Folder whose lockfile brings the program; `npm ci` installs it before. */
  readonly lockedIn?: string;
  readonly command: readonly [string, ...string[]];
  /** Variables that would take the place of the workflow's identity. */
  readonly tokens: readonly string[];
}

export const uploadNames = ['open-vsx', 'marketplace', 'npm', 'mcp', 'github'] as const;
export type UploadName = (typeof uploadNames)[number];

/** The bundle of the GitHub Action among the files of a release. */
export const getActionName = (version: string) => `chainside-action-${version}.cjs`;

/** The uploads of a version from `folder`, in their order. */
export function listUploads(folder: string, version: string): Readonly<Record<UploadName, Upload>> {
  const isPre = isPreRelease(version);
  const vsix = join(folder, `chainside-${version}.vsix`);
  const tarball = join(folder, `chainside-${version}.tgz`);
  const vsce = fromRoot('node_modules', '@vscode', 'vsce', 'vsce');
  const lockedIn = fromRoot('.github', 'release');
  const ovsx = join(lockedIn, 'node_modules', 'ovsx', 'bin', 'ovsx');
  const channel = isPre ? ['--pre-release'] : [];
  const others = [getActionName(version), `chainside-${version}.cdx.json`, 'server.json', 'SHA256SUMS'];
  const attached = [vsix, tarball, ...others.map((file) => join(folder, file))];
  const notes = ['--notes-file', join(folder, 'NOTES.md')];
  return {
    'open-vsx': {
      lockedIn,
      command: [process.execPath, ovsx, 'publish', vsix, '--trusted-publishing', '--skip-duplicate'],
      tokens: ['OVSX_PAT'],
    },
    marketplace: {
      command: [
        process.execPath,
        vsce,
        'publish',
        '--oidc',
        '--skip-duplicate',
        ...channel,
        '--packagePath',
        vsix,
      ],
      tokens: ['VSCE_PAT'],
    },
    npm: {
      command: [
        'npm',
        'publish',
        tarball,
        '--access',
        'public',
        '--provenance',
        '--tag',
        isPre ? 'next' : 'latest',
      ],
      tokens: ['NODE_AUTH_TOKEN', 'NPM_TOKEN'],
    },
    // After npm: the registry looks into the package there.
    mcp: {
      command: [
        process.execPath,
        fromRoot('scripts', 'support', 'release', 'publishServer.ts'),
        join(folder, 'server.json'),
      ],
      tokens: ['MCP_GITHUB_TOKEN'],
    },
    github: {
      command: [
        ...([
          'gh',
          'release',
          'create',
          `v${version}`,
          '--verify-tag',
          '--title',
          version,
          ...notes,
        ] as const),
        ...(isPre ? ['--prerelease'] : []),
        ...attached,
      ],
      tokens: [],
    },
  };
}

/** Whether an earlier run has uploaded these files: npm and GitHub refuse a second time, which would end a re-run. */
export async function isUploaded(name: UploadName, folder: string, version: string): Promise<boolean> {
  const ask = (command: string, ...args: readonly string[]) =>
    run(command, args).then(
      (printed) => printed.trim(),
      () => undefined,
    );
  if (name === 'npm') {
    const digest = createHash('sha512')
      .update(await readFile(join(folder, `chainside-${version}.tgz`)))
      .digest('base64');
    return (await ask('npm', 'view', `chainside@${version}`, 'dist.integrity')) === `sha512-${digest}`;
  }
  if (name !== 'github') return false;
  const isDraft = await ask('gh', 'release', 'view', `v${version}`, '--json', 'isDraft', '--jq', '.isDraft');
  return isDraft === 'false';
}
