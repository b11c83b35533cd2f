import { runInTerminal } from './support/childProcess.ts';
import { fromRoot } from './support/paths.ts';
import { runScript } from './support/script.ts';

const biome = fromRoot('node_modules', '@biomejs', 'biome', 'bin', 'biome');
await runScript(() =>
  runInTerminal(process.execPath, [
    biome,
    'ci',
    '--error-on-warnings',
    `--colors=${process.stdout.isTTY ? 'force' : 'off'}`,
    ...process.argv.slice(2),
  ]),
);
