import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// What forge asks of a compiler, answered by the one that npm carries.
const nodeRequire = createRequire(import.meta.url);

if (process.argv.includes('--version')) {
  // Of its package: to ask the compiler itself takes longer than to run forge. The build is not said there.
  const { version } = nodeRequire('solc/package.json');
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${version}+commit.0.Linux.g++`);
} else {
  const { runSolc } = await import('./solidity.ts');
  process.stdout.write(runSolc(readFileSync(0, 'utf8')));
}
