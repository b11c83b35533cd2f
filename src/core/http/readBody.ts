import { AppError } from '../base/errors.ts';
import { joinBytes } from '../values/joinBytes.ts';

/** Chunks of a body that are kept before they are joined; an ordinary page comes in fewer. */
const MOST_CHUNKS = 512;

interface BodyLimits {
  readonly maxBytes: number;
  readonly larger: 'refuse' | 'cut';
  readonly signal: AbortSignal;
}

interface ReadBody {
  readonly body: Uint8Array;
  readonly isCut: boolean;
}

/**
 * The body of an answer, of at most `maxBytes` bytes after decompression; a longer one is left where it goes over.
 *
 * @throws AppError `tooLarge` unless it may be cut; what the stream throws, when it breaks off or the signal aborts.
 */
export async function readBody(response: Response, limits: BodyLimits): Promise<ReadBody> {
  const { signal } = limits;
  if (!response.body) return { body: new Uint8Array(), isCut: false };
  const reader = response.body.getReader();
  const hangUp = () => void reader.cancel().catch(() => undefined);
  if (signal.aborted) hangUp();
  signal.addEventListener('abort', hangUp);
  try {
    const read = await readChunks(reader, limits);
    if (read.isCut) hangUp();
    return read;
  } catch (error) {
    hangUp();
    throw error;
  } finally {
    // Node keeps a signal made of others, and all that its listeners hold, for as long as it has any.
    signal.removeEventListener('abort', hangUp);
  }
}

async function readChunks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { maxBytes, larger }: BodyLimits,
): Promise<ReadBody> {
  const joined: Uint8Array[] = [];
  let chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes && larger === 'cut') {
      const fits = value.subarray(0, value.byteLength - (size - maxBytes));
      return { body: joinBytes([...joined, ...chunks, fits]), isCut: true };
    }
    if (size > maxBytes) {
      const most = Math.round(maxBytes / 1024 / 1024);
      throw new AppError('tooLarge', `The answer is over the limit of ${most} MiB.`);
    }
    chunks.push(value);
    if (chunks.length < MOST_CHUNKS) continue;
    // Of a byte each, they take a hundred times their size.
    joined.push(joinBytes(chunks));
    chunks = [];
  }
  return { body: joinBytes([...joined, ...chunks]), isCut: false };
}
