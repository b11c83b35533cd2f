import { asAppError } from '../core/index.ts';
import { readProcessInputs } from './context.ts';
import { run } from './run.ts';

const cancellation = new AbortController();
let isInterrupted = false;
process.once('SIGINT', () => {
  isInterrupted = true;
  cancellation.abort();
});
process.once('SIGTERM', () => cancellation.abort());
// `run` ends when standard output fails.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
// Warnings of Node are for developers: Node 20 warns of `matchesGlob`, which is stable now.
process.removeAllListeners('warning');
// Unhandled rejections arrive here too. The stack is not printed, as it may contain untrusted text.
process.once('uncaughtException', (cause) => cancellation.abort(asAppError(cause)));

const code = await run(process.argv.slice(2), await readProcessInputs(cancellation.signal));
process.exit(code !== 0 && isInterrupted ? 130 : code);
