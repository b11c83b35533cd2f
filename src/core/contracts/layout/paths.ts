/** What no path of a project is longer than: it is cut nowhere, but left out. */
const LONGEST_PATH = 1_024;

/**
 * A path as a configuration file writes it, in one form: '/' between its parts, none of them empty or `.`, `..` kept where
 * it leads out of the project. Undefined for what is no path: empty, too long, or with a variable in it, which would
 * have to be resolved outside of the file.
 *
 * @example tidyPath('./out//contracts/') // 'out/contracts'
 */
export function tidyPath(written: string): string | undefined {
  if (written.length > LONGEST_PATH || written.includes('$') || written.includes('\0')) return undefined;
  const slashed = written.replaceAll('\\', '/');
  const parts: string[] = [];
  for (const part of slashed.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else parts.push(part);
  }
  const path = parts.join('/');
  if (slashed.startsWith('/')) return `/${path}`;
  return path === '' && slashed !== '.' && slashed !== './' ? undefined : path;
}

/**
 * Whether `path` lies in `folder`; the empty folder is the root of the project.
 *
 * @example isWithin('out/Token.sol/Token.json', 'out') // true
 */
export function isWithin(path: string, folder: string): boolean {
  return folder === '' || (path.startsWith(folder) && path[folder.length] === '/');
}

/**
 * `path`, which is relative to `folder`.
 *
 * @example joinPath('', 'out') // 'out'
 */
export function joinPath(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`;
}

/** The name of a file without its folders. */
export function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folder in which a file is; empty for the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
