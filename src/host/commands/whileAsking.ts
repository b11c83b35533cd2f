import { readWithin } from '../loading/readWithin.ts';
import { cancellable } from './progress.ts';

/** After this long it is shown that somebody is being asked. */
const SILENT_MS = 700;

/** Asks, under a notification that can cancel it where that takes long; `cancellation` if the user did. */
export async function whileAsking<T>(
  title: string,
  ask: (options: { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T | 'cancelled'> {
  const asked = new AbortController();
  const answer = ask({ signal: asked.signal });
  const soon = await readWithin(SILENT_MS, answer);
  if (soon.state === 'ready') return soon.value;
  if (soon.state === 'failed') throw soon.error;
  return cancellable(title, ({ signal }) => {
    signal.addEventListener('abort', () => asked.abort(), { once: true });
    return answer;
  });
}
