import { addAbortSignal, type Readable } from 'node:stream';
import { AppError } from '../core/index.ts';

/**
 * Reads all of standard input, or somewhat more than `maxChars`, without a byte order mark. A cancellation closes it,
 * because it would otherwise keep the process running.
 *
 * @throws AppError `aborted`.
 */
export async function readStandardInput({
  stdin,
  signal,
  maxChars = Number.POSITIVE_INFINITY,
}: {
  readonly stdin: Readable;
  readonly signal: AbortSignal;
  readonly maxChars?: number;
}): Promise<string> {
  let text = '';
  try {
    for await (const chunk of addAbortSignal(signal, stdin.setEncoding('utf8'))) {
      text += chunk;
      if (text.length > maxChars) break;
    }
  } catch (cause) {
    if (signal.aborted) throw new AppError('aborted', 'Cancelled.');
    throw cause;
  }
  return withoutByteOrderMark(text);
}

/** Windows programs write it; JSON does not have it. */
export function withoutByteOrderMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}
