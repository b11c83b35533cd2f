import assert from 'node:assert/strict';
import { fetchTokensByCalls } from '../../../src/cli/commands/tokens.ts';
import type { Address } from '../../../src/core/index.ts';
import { scriptedFetch } from '../../support/scriptedFetch.ts';
import { createTestClock } from '../../support/testClock.ts';

describe('headless tokens of an endpoint without a list', () => {
  it('say where the native balance is not known: no line is not zero', async () => {
    const error = { code: -32602, message: 'Balance not found' };
    const { fetch } = scriptedFetch(() => ({ jsonrpc: '2.0', id: 1, error }));
    const at = { fetch, clock: createTestClock(), url: 'https://explorer.example/api/eth-rpc' };
    const address = `0x${'ab'.repeat(20)}` as Address;
    const { signal } = new AbortController();
    const { tokens, notes } = await fetchTokensByCalls(at, { address, tokens: [], signal });
    assert.deepEqual(tokens, []);
    assert.match(notes?.join() ?? '', /does not know the native balance/);
  });
});
