import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { type Channel, openChannel, RemoteError, type WireMessage } from '../../../src/messaging/channel.ts';

interface Host {
  double(value: number): number;
  fail(): never;
  wait(): string;
  note(text: string): void;
}

interface Pair {
  readonly view: Channel<Host>;
  readonly host: Channel<object>;
  /** Messages that went to the host. */
  readonly sent: WireMessage[];
  readonly notes: string[];
  readonly refused: string[];
  /** Signals that `wait` was given. */
  readonly signals: AbortSignal[];
}

/** Two ends over structured clones, as `postMessage` makes them. */
function connect(): Pair {
  const sent: WireMessage[] = [];
  const notes: string[] = [];
  const refused: string[] = [];
  const signals: AbortSignal[] = [];
  const host: Channel<object> = openChannel<Host, object>({
    post: (message) => view.receive(structuredClone(message)),
    toWireError: (error) => ({ code: 'broken', message: String(error), field: 'value' }),
    onRefused: ({ code }) => refused.push(code),
    methods: {
      double: { params: z.number(), handle: (value) => value * 2 },
      fail: {
        params: z.undefined(),
        handle: () => {
          throw new TypeError('no');
        },
      },
      wait: {
        params: z.undefined(),
        handle: (_, { signal }) => {
          signals.push(signal);
          return new Promise<string>((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          });
        },
      },
      note: { params: z.string(), handle: (text) => void notes.push(text) },
    },
  });
  const view: Channel<Host> = openChannel<object, Host>({
    post: (message) => {
      sent.push(message);
      host.receive(structuredClone(message));
    },
    toWireError: () => ({ code: 'view', message: '' }),
    methods: {},
  });
  return { view, host, sent, notes, refused, signals };
}

async function failure(promise: Promise<unknown>): Promise<RemoteError> {
  const error = await promise.then(
    () => assert.fail('It did not fail.'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof RemoteError);
  return error;
}

describe('messaging channel', () => {
  it('carries a request and its reply', async () => {
    assert.equal(await connect().view.request('double', 21), 42);
  });

  it('carries what a method throws as plain data', async () => {
    const error = await failure(connect().view.request('fail', undefined));
    assert.deepEqual(
      { code: error.code, message: error.message, field: error.field },
      { code: 'broken', message: 'TypeError: no', field: 'value' },
    );
  });

  it('carries a notice without an answer', async () => {
    const { view, notes } = connect();
    view.notify('note', 'seen');
    await Promise.resolve();
    assert.deepEqual(notes, ['seen']);
  });

  it('aborts on the other side and settles at once', async () => {
    const { view, signals } = connect();
    const controller = new AbortController();
    const answer = failure(view.request('wait', undefined, { signal: controller.signal }));
    controller.abort();
    assert.equal((await answer).code, 'aborted');
    assert.equal(signals[0]?.aborted, true);
  });

  it('does not send a request that is aborted already', async () => {
    const { view, sent } = connect();
    assert.equal(
      (await failure(view.request('wait', undefined, { signal: AbortSignal.abort() }))).code,
      'aborted',
    );
    assert.deepEqual(sent, []);
  });

  it('refuses a parameter of another form and a method that is not served', async () => {
    const { view, refused } = connect();
    assert.equal((await failure(view.request('double', '21' as never))).code, 'badMessage');
    assert.equal(
      (await failure(view.request('toString' as never, undefined as never))).code,
      'unknownMethod',
    );
    assert.deepEqual(refused, ['badMessage', 'unknownMethod']);
  });

  it('ignores what is no message of its own', () => {
    const { host, refused } = connect();
    for (const data of [undefined, null, 'text', 7, [], {}, { kind: 'request' }, { kind: 'reply', id: 5 }]) {
      host.receive(data);
    }
    host.receive({ kind: 'reply', id: 'unknown', result: 1 });
    assert.deepEqual(refused, []);
  });

  it('rejects what is pending and aborts what it serves when it ends', async () => {
    const { view, host, signals } = connect();
    const answer = failure(view.request('wait', undefined));
    host.dispose();
    assert.equal(signals[0]?.aborted, true);
    view.dispose();
    assert.equal((await answer).code, 'closed');
    assert.equal((await failure(view.request('double', 1))).code, 'closed');
  });

  it('never mistakes the reply to an earlier view for its own', async () => {
    const first = connect();
    const second = connect();
    void first.view.request('double', 1);
    void second.view.request('double', 1);
    const ids = [...first.sent, ...second.sent].map((message) => ('id' in message ? message.id : ''));
    assert.equal(new Set(ids).size, 2);
  });
});
