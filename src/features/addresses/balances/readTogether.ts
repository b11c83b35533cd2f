import type { BalancesRequest, Clock, NativeBalance } from '../../../core/index.ts';
import type { Session } from '../../../host/session/session.ts';

/** How hard the endpoint is asked. */
export interface AskingEffort {
  /** Tries after the first one. */
  readonly retries?: number;
}

/** When something was read: with the newest block then, if that could be read. */
export interface ReadMark<Head> {
  readonly head: Head | undefined;
  /** Milliseconds since the Unix epoch. */
  readonly readAt: number;
}

/** Answers in the order of the questions, each as it comes; who waits for one hears of its failure then. */
interface ReadTogether<Head> {
  readonly natives: readonly Promise<ReadMark<Head> & { readonly balance: NativeBalance }>[];
  /** In smallest units; undefined where the contract is no token any more. */
  readonly tokens: readonly Promise<ReadMark<Head> & { readonly amount: bigint | undefined }>[];
}

/** Asks the endpoint of the active network for many balances, in one request where it takes that. */
export function readTogether<Head>(
  deps: { readonly session: Session; readonly clock: Clock; readonly readHead: () => Promise<Head> },
  asked: BalancesRequest,
  effort: AskingEffort,
): ReadTogether<Head> {
  const { client, signal } = deps.session.connection;
  const read = client.balances(asked, { ...effort, signal });
  const head = deps.readHead().catch(() => undefined);
  const marked = async <T extends object>(answer: Promise<T>) => {
    const given = await answer;
    return { ...given, head: await head, readAt: deps.clock.now() };
  };
  return {
    natives: asked.natives.map((_, place) =>
      heard(marked(read.then(({ natives }) => answerAt(natives, place)).then((balance) => ({ balance })))),
    ),
    tokens: asked.tokens.map((_, place) =>
      heard(marked(read.then(({ tokens }) => answerAt(tokens, place)).then((amount) => ({ amount })))),
    ),
  };
}

/** `answer`, whose failure is heard of where it is waited for, which may be later. */
export function heard<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined);
  return answer;
}

/** The answer to the question at `place`; as many come as are asked for. */
export function answerAt<T>(answers: readonly Promise<T>[], place: number): Promise<T> {
  return answers[place] ?? Promise.reject(new RangeError('An answer is missing.'));
}
