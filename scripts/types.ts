import { runInTerminal } from './support/childProcess.ts';
import { fromRoot } from './support/paths.ts';
import { runScript } from './support/script.ts';

/** Each place where code runs has a project of its own: Node, the extension host, the webview, its tests. */
const projects = [
  'tsconfig.json',
  'src/tsconfig.json',
  'src/webview/tsconfig.json',
  'test/unit/webview/tsconfig.json',
];
const tsc = fromRoot('node_modules', 'typescript', 'bin', 'tsc');

await runScript(async () => {
  let failed = false;
  for (const project of projects) {
    const code = await runInTerminal(process.execPath, [tsc, '-p', fromRoot(project)]);
    if (code !== 0) console.error(`${project}: types do not hold.`);
    failed ||= code !== 0;
  }
  return failed ? 1 : 0;
});
