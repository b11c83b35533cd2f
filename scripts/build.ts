import { runInTerminal } from './support/childProcess.ts';
import { fromRoot } from './support/paths.ts';
import { runScript } from './support/script.ts';

await runScript(() => runInTerminal(process.execPath, [fromRoot('esbuild.mjs'), ...process.argv.slice(2)]));
