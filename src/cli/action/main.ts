import { readProcessInputs } from '../context.ts';
import { runAction } from './run.ts';

// The program of action.yml.
const cancellation = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => cancellation.abort());

void readProcessInputs(cancellation.signal)
  .then(runAction)
  .then((code) => {
    process.exitCode = code;
  });
