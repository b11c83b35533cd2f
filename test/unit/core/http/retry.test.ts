import assert from 'node:assert/strict';
import { createOriginGate } from '../../../../src/core/http/retry.ts';
import { createBackoffControl, createOriginGates, systemClock } from '../../../../src/core/index.ts';
import { createTestClock } from '../../../support/clocks.ts';

const patient = { maxWaitMs: 60_000 };

describe('gate of a server', () => {
  it('holds for up to a minute, and for no number that is none', async () => {
    const clock = createTestClock();
    const gate = createOriginGate(clock);
    for (const ms of [900, 60_000, 60_001, 1e15, Number.POSITIVE_INFINITY, 0, -5]) {
      gate.hold(ms);
      await gate.pass(patient);
      await gate.pass(patient);
    }
    assert.deepEqual(clock.waits, [900, 60_000]);
  });

  for (const hour of [-3_600_000, 3_600_000]) {
    it(`holds as long when the clock is set by ${hour} ms`, async () => {
      const clock = createTestClock();
      const gate = createOriginGate(clock);
      gate.hold(5000);
      clock.adjust(hour);
      await gate.pass(patient);
      assert.deepEqual(clock.waits, [5000]);
    });
  }

  it('is the same for all addresses of an origin, and for no other', async () => {
    const clock = createTestClock();
    const gates = createOriginGates(clock);
    gates.of('http://127.0.0.1:1/api/eth-rpc?key=1').hold(700);
    await gates.of('http://127.0.0.1:2/api/eth-rpc?key=1').pass(patient);
    assert.deepEqual(clock.waits, []);
    await gates.of('http://127.0.0.1:1/api/v2/config').pass(patient);
    assert.deepEqual(clock.waits, [700]);
  });

  it('refuses whoever cannot wait as long as another does, and stops nobody where no one waits', async () => {
    const gate = createOriginGate(systemClock);
    const hurried = { maxWaitMs: 10_000 };
    gate.hold(50_000);
    await gate.pass(hurried);
    const cancel = new AbortController();
    const held = gate.pass({ ...patient, signal: cancel.signal });
    await assert.rejects(gate.pass(hurried), {
      kind: 'rateLimited',
      message: /requests a wait of 50 seconds\.$/,
    });
    cancel.abort();
    await assert.rejects(held, { kind: 'aborted' });
    await gate.pass(hurried);
  });

  it('lets everyone go who waits when one skips the wait, also after it was prolonged', async () => {
    const waits = createBackoffControl(systemClock);
    const gate = createOriginGate(systemClock);
    gate.hold(30_000);
    const held = [gate.pass({ ...patient, wait: waits.wait }), gate.pass(patient)];
    gate.hold(60_000);
    held.push(gate.pass({ ...patient, wait: createBackoffControl(systemClock).wait }));
    waits.skip();
    await Promise.all(held);
    await gate.pass(patient);
    assert.equal(waits.visible, undefined);
  });
});
