import { readProcessInputs } from '../context.ts';
import { runMcp } from './server.ts';

const cancellation = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => cancellation.abort());
process.stdout.on('error', () => process.exit(0));
process.stderr.on('error', () => undefined);

// This file becomes CommonJS, which has no `await` at its top.
void readProcessInputs(cancellation.signal)
  .then((program) => runMcp(process.argv.slice(2), program))
  .then((code) => {
    process.exitCode = code;
  });
