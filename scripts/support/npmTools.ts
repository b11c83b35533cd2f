import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedFolder } from './cachedFolder.ts';
import { npm } from './npm.ts';

/**
 * Folder with packages of npm's registry, `name@version` each, that only tests and benchmarks need: installed into
 * `.cache` once, and no dependencies of the project.
 */
export function installTools(kind: string, packages: readonly string[]): Promise<string> {
  const name = packages.join('+').replaceAll(/[^\w.+@-]/g, '-');
  return cachedFolder(join(kind, name), async (empty) => {
    console.log(`\nInstalling ${packages.join(', ')} from npm into .cache …`);
    await writeFile(join(empty, 'package.json'), '{"private":true}');
    await npm(['install', '--save-exact', ...packages], empty);
  });
}

/** Package that has one of Foundry's programs for this system, and the path of the program in it. */
export function foundryPackage(program: string): { readonly name: string; readonly path: string } {
  const processor = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = `@foundry-rs/${program}-${process.platform}-${processor}`;
  const file = process.platform === 'win32' ? `${program}.exe` : program;
  return { name, path: join('node_modules', name, 'bin', file) };
}
