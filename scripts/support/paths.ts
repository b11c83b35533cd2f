import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
export const cacheFolder = join(projectRoot, '.cache');

export function fromRoot(...parts: readonly string[]): string {
  return join(projectRoot, ...parts);
}
