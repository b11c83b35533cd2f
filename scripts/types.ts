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
    // Checkers side by side share no types: each would work out those of viem again.
    const args = [tsc, '-p', fromRoot(project), '--checkers', '1'];
    const code = await runInTerminal(process.execPath, args);
    if (code !== 0) console.error(`${project}: types do not hold.`);
    failed ||= code !== 0;
  }
  return failed ? 1 : 0;
});
