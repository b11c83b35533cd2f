import type { RecordingServer, Reply } from '../../localnet/http/recordingServer.ts';
import type { FetchLike } from '../../src/core/index.ts';

export type InjectableServer = Pick<RecordingServer, 'inject'> & { readonly rpcUrl: string };

export type StoppableServer = InjectableServer & { stop(): Promise<void> };

/** Stops the server after `use`. */
export async function withServer<S extends { stop(): Promise<void> }, T>(
  starting: Promise<S>,
  use: (server: S) => Promise<T>,
): Promise<T> {
  const server = await starting;
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

/** An answer as bytes, with the places of the ids in it: everything else is the same each time. */
interface CachedResponse {
  readonly reply: Reply;
  readonly bytes: Buffer;
  /** Where an id stands in the bytes, and which of the question's it is. */
  readonly ids: readonly { readonly at: number; readonly nth: number }[];
}

/** Of the server that was asked last: tests take one after the other, and the answers of one are many MiB. */
let kept: { readonly server: InjectableServer; readonly answers: Map<string, CachedResponse> } | undefined;

const asked = /"id":(\d+)/g;
/** Stands for the nth id of a question; a shorter one goes in its place with spaces behind it. */
const stand = (nth: number) => 900_000_000 + nth;
const answered = /"id":\s*(9\d{8})/g;

/**
 * A `fetch` that reaches `server` without a connection, and asks it each question once: for servers that answer the
 * same question alike each time, in each of the states that `stateOf` names.
 */
export function createCachingFetch(server: InjectableServer, stateOf: () => string = () => ''): FetchLike {
  return async (target, { method, headers, body = '', signal }) => {
    signal.throwIfAborted();
    if (kept?.server !== server) kept = { server, answers: new Map() };
    const { answers } = kept;
    const { pathname, search } = new URL(target);
    const ids = [...body.matchAll(asked)].map(([, id = '']) => id);
    let nth = 0;
    const question = body.replace(asked, () => `"id":${stand(nth++)}`);
    const key = `${stateOf()} ${method} ${pathname}${search} ${question}`;
    const known = answers.get(key);
    const answer =
      known ?? keep(await server.inject({ method, url: pathname + search, headers, body: question }));
    if (known === undefined) answers.set(key, answer);
    signal.throwIfAborted();
    const { status, headers: given } = answer.reply;
    return new Response(withIds(answer, ids), { status, headers: { ...given } });
  };
}

let states = 0;
/** A state in which a server has not been: no two requests are answered alike. */
export const anew = () => `${++states}`;

function keep(reply: Reply): CachedResponse {
  const { body = '' } = reply;
  const bytes = Buffer.from(body);
  // One character a byte, so that places in the text are places in the bytes.
  const text = bytes.length === body.length ? body : bytes.toString('latin1');
  const ids = [...text.matchAll(answered)].map(({ index, 0: whole, 1: id = '' }) => ({
    ...{ at: index + whole.length - id.length, nth: Number(id) - stand(0) },
  }));
  return { reply, bytes, ids };
}

function withIds({ bytes, ids }: CachedResponse, given: readonly string[]): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(bytes);
  const view = Buffer.from(copy.buffer);
  for (const { at, nth } of ids) view.write((given[nth] ?? '').padEnd(9), at, 'latin1');
  return copy;
}
