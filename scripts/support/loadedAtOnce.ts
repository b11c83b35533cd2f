import type { Metafile } from 'esbuild';

/** The files of a build that are loaded with the one made of `entryPoint`, itself among them: all but what is late. */
export function loadedAtOnce({ outputs }: Metafile, entryPoint: string): readonly string[] {
  const entry = Object.keys(outputs).find((file) => outputs[file]?.entryPoint === entryPoint);
  if (entry === undefined) throw new Error(`Nothing is made of ${entryPoint}.`);
  const found = new Set([entry]);
  for (const file of found) {
    for (const { path, kind, external } of outputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && !external) found.add(path);
    }
  }
  return [...found];
}
