import assert from 'node:assert/strict';
import { everyNth, inSequence } from '../../../localnet/http/faults.ts';
import { type RecordingServer, startRecordingServer } from '../../../localnet/http/recordingServer.ts';

describe('recording server', () => {
  let server: RecordingServer;

  beforeEach(async () => {
    server = await startRecordingServer({
      port: 0,
      handle: async ({ body }) => ({ status: 200, body: `heard ${body}` }),
    });
  });
  afterEach(() => server.stop());

  const post = (body: string) => fetch(server.origin, { method: 'POST', body });
  const say = async (body: string) => (await post(body)).text();

  it('keeps what it was asked, and forgets when told', async () => {
    await say('one');
    await say('two');
    assert.deepEqual(
      server.requests.map(({ number, body }) => [number, body]),
      [
        [1, 'one'],
        [2, 'two'],
      ],
    );
    server.forgetRequests();
    assert.equal(server.requestCount, 0);
    assert.deepEqual(server.requests, []);
  });

  it('puts scripted faults in place of answers, in order', async () => {
    server.setIntercept(
      inSequence([
        { kind: 'respond', status: 503, headers: { 'retry-after': '2' }, body: '<html>' },
        undefined,
        { kind: 'edit', change: (body) => body.toUpperCase() },
      ]),
    );
    const faulted = await post('a');
    assert.equal(faulted.status, 503);
    assert.equal(faulted.headers.get('retry-after'), '2');
    assert.equal(await faulted.text(), '<html>');
    assert.equal(await say('b'), 'heard b');
    assert.equal(await say('c'), 'HEARD C');
    assert.equal(await say('d'), 'heard d');
    assert.equal(server.requestCount, 4);
  });

  it('fails every nth request', async () => {
    server.setIntercept(everyNth(3, { kind: 'respond', status: 429 }));
    const statuses = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await post('x')).status);
    assert.deepEqual(statuses, [200, 200, 429, 200, 200, 429]);
  });

  it('cuts a body short of its promised length', async () => {
    server.setIntercept(() => ({ kind: 'truncate' }));
    const response = await post('0123456789');
    assert.equal(response.headers.get('content-length'), '16');
    await assert.rejects(response.text());
  });

  it('cuts the connection', async () => {
    server.setIntercept(() => ({ kind: 'reset' }));
    await assert.rejects(say('x'));
  });

  it('tells its own failure from one that was asked for', async () => {
    const broken = await startRecordingServer({ port: 0, handle: () => Promise.reject(new Error('a bug')) });
    const response = await fetch(broken.origin);
    assert.equal(response.status, 500);
    assert.match(await response.text(), /This test server failed: Error: a bug/);
    await broken.stop();
  });

  it('never answers, yet stops', async () => {
    server.setIntercept(() => ({ kind: 'hang' }));
    const asked = say('x');
    asked.catch(() => undefined);
    while (server.requestCount === 0) await new Promise((resolve) => setImmediate(resolve));
    await server.stop();
    await assert.rejects(asked);
  });
});
