import assert from 'node:assert/strict';
import { type FetchLike, sendRequest } from '../../../../src/core/http/exchange.ts';
import { decodeBody, parseJsonBody } from '../../../../src/core/http/response.ts';
import { withRetry } from '../../../../src/core/http/withRetry.ts';
import { asAppError, isAppError } from '../../../../src/core/index.ts';
import { createManualClock, createTestClock } from '../../../support/clocks.ts';
import { isFullRun } from '../../../support/fullRun.ts';

const MEBIBYTE = 1024 * 1024;
const GET = { url: 'https://node.example.com/', method: 'GET' } as const;
const clock = createTestClock();

/** A server whose answer comes in these chunks. */
function serverOf(chunks: Iterable<Uint8Array>): { readonly fetch: FetchLike; readonly clock: typeof clock } {
  const rest = chunks[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = rest.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return { fetch: async () => new Response(body), clock };
}
function* chunksOf(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const read = (text: string) =>
  parseJsonBody(
    { status: 200, headers: new Headers(), body: new TextEncoder().encode(text) },
    { origin: 'https://node.example.com', clock },
  );

describe('a body', () => {
  it('comes whole, in whatever chunks', async () => {
    const bytes = Uint8Array.from({ length: 10_000 }, (_, index) => index % 251);
    for (const size of [1, 7, 4096, 10_000]) {
      assert.deepEqual((await sendRequest(serverOf(chunksOf(bytes, size)), GET)).body, bytes);
    }
    assert.equal((await sendRequest(serverOf([]), GET)).body.length, 0);
  });

  it('is read no further than its limit', async () => {
    let sent = 0;
    function* endless() {
      for (;;) {
        sent += 1000;
        yield new Uint8Array(1000);
      }
    }
    const asked = sendRequest(serverOf(endless()), { ...GET, maxBytes: 100_000 });
    await assert.rejects(asked, (error) => isAppError(error, 'tooLarge'));
    assert.ok(sent < 110_000);
  });

  it('is the same text when it is large, with characters cut by chunks and by steps', async () => {
    const text = `\ufeff${'aé中😀'.repeat(400_000)}`;
    const bytes = new TextEncoder().encode(text);
    const answer = await sendRequest(serverOf(chunksOf(bytes, 65_537)), GET);
    assert.equal(await decodeBody(answer, { clock }), text.slice(1));
    const odd = new Uint8Array(5 * MEBIBYTE).fill(0xff);
    const broken = await sendRequest(serverOf([odd]), GET);
    assert.equal(await decodeBody(broken, { clock }), '\ufffd'.repeat(odd.length));
  });

  describe('of a fetch that does not hear its signal', () => {
    const gone = () => {
      let hungUp = 0;
      const body = new ReadableStream<Uint8Array>({
        cancel() {
          hungUp++;
        },
      });
      return { answer: new Response(body), hungUp: () => hungUp };
    };
    const never = new Promise<never>(() => undefined);

    it('is left at a cancel, before it began and in its middle', async () => {
      for (const begun of [false, true]) {
        const { answer, hungUp } = gone();
        let answerLate = () => {};
        const late = new Promise<Response>((resolve) => {
          answerLate = () => resolve(answer);
        });
        const cancel = new AbortController();
        const fetch: FetchLike = async () => (begun ? answer : late);
        const sleeping = { ...clock, sleep: () => never };
        const asked = sendRequest({ fetch, clock: sleeping }, { ...GET, signal: cancel.signal });
        await new Promise(setImmediate);
        cancel.abort();
        await assert.rejects(asked, (error) => isAppError(error, 'aborted'));
        answerLate();
        await new Promise(setImmediate);
        assert.equal(hungUp(), 1);
      }
    });

    it('is left at its time limit', async () => {
      for (const fetch of [async () => never, async () => gone().answer] satisfies FetchLike[]) {
        const asked = sendRequest(
          { fetch, clock: { ...clock, sleep: async () => undefined } },
          { ...GET, timeoutMs: 5000 },
        );
        await assert.rejects(
          asked,
          (error) => isAppError(error, 'timeout') && /within 5 s/.test(error.message),
        );
      }
    });

    it('is left when it drips, and is not requested again', async () => {
      const time = createManualClock();
      /** A chunk of `size` bytes each `ms` milliseconds, the first one after `pauseMs`. */
      async function read({ size = 1, ms = 1, count = 3, pauseMs = 0 }) {
        let left = count;
        let requests = 0;
        const body = () =>
          new ReadableStream<Uint8Array>(
            {
              async pull(controller) {
                await time.pass(left === count ? pauseMs : ms);
                if (left-- === 0) controller.close();
                else controller.enqueue(new Uint8Array(size));
              },
            },
            { highWaterMark: 0 },
          );
        const fetch: FetchLike = async () => {
          requests++;
          return new Response(body());
        };
        const http = { fetch, clock: { ...time, sleep: () => never } };
        const request = { ...GET, timeoutMs: 100_000 } as const;
        const read = withRetry({ clock: time, persistent: true }, () => sendRequest(http, request));
        const outcome = await read.then(({ body: { length } }) => length, asAppError);
        return { outcome, requests };
      }
      const { outcome, requests } = await read({ ms: 100, count: 1e6 });
      assert.ok(isAppError(outcome, 'timeout'));
      assert.equal(
        outcome.message,
        'https://node.example.com sends its response too slowly: 151 bytes in 15 s.',
      );
      assert.equal(requests, 1);
      // Slow, but not a drip: a thin line, one piece after a long pause, spaces that keep a connection open.
      assert.equal((await read({ size: 1200, ms: 1000, count: 40 })).outcome, 48_000);
      assert.equal((await read({ size: 100, pauseMs: 29_000 })).outcome, 300);
      assert.equal((await read({ ms: 5000 })).outcome, 3);
    });

    it('that stops in its middle is not requested again, and one that never came is', async () => {
      for (const [answer, requests] of [
        [async () => never, 3],
        [async () => gone().answer, 1],
      ] as const) {
        let sent = 0;
        const fetch: FetchLike = () => {
          sent++;
          return answer();
        };
        const http = { fetch, clock: { ...clock, sleep: async () => undefined } };
        const read = withRetry({ clock: http.clock, persistent: true }, () => sendRequest(http, GET));
        await assert.rejects(read, { kind: 'timeout' });
        assert.equal(sent, requests);
      }
    });
  });
});

describe('JSON of a server', () => {
  it('is the same value, small or large', async () => {
    for (const length of [3, 40_000]) {
      const value = { result: Array.from({ length }, (_, n) => ({ n: `${n}`, list: [n, null] })) };
      assert.deepEqual(await read(JSON.stringify(value)), value);
    }
  });

  it('is refused as too large when it holds more than any honest answer, before it is built', async () => {
    for (const [bomb, words] of [
      [`[${'{},'.repeat((isFullRun ? 10 : 1) * MEBIBYTE)}0]`, /over 1,000,000 values/],
      ['['.repeat((isFullRun ? 31 : 1) * MEBIBYTE), /over 64 levels/],
    ] as const) {
      await assert.rejects(read(bomb), (error) => isAppError(error, 'tooLarge') && words.test(error.message));
    }
  });

  it('is told from what is none, small or large', async () => {
    for (const space of ['', ' '.repeat(2 * MEBIBYTE)]) {
      await assert.rejects(read(`${space}<html>`), /a web page/);
      await assert.rejects(read(`${space}[1,`), /invalid JSON/);
    }
  });
});

describe('a mistake of our own', () => {
  const mistake = () => {
    throw new TypeError('Cannot read properties of undefined');
  };

  it('is no failure of the network, while what fetch throws is one', async () => {
    await assert.rejects(sendRequest({ ...serverOf([]), onExchange: mistake }, GET), TypeError);
    await assert.rejects(sendRequest({ fetch: async () => mistake(), clock }, GET), (error) =>
      isAppError(error, 'network'),
    );
  });

  it('is no bad response of the server, while invalid JSON is one', async () => {
    const body = new TextEncoder().encode(`["${'x'.repeat(MEBIBYTE)}"]`);
    const response = { status: 200, headers: new Headers(), body };
    const context = { origin: 'https://node.example.com', clock };
    await assert.rejects(
      parseJsonBody(response, { ...context, clock: { ...clock, elapsed: mistake } }),
      TypeError,
    );
    const broken = { ...response, body: body.subarray(0, -1) };
    await assert.rejects(parseJsonBody(broken, context), (error) => isAppError(error, 'badResponse'));
  });
});
