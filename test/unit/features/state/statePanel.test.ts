import assert from 'node:assert/strict';
import { EventEmitter, type WebviewPanel } from 'vscode';
import type { Address, ContractState } from '../../../../src/core/index.ts';
import { StatePanel, type StatePanelDeps } from '../../../../src/features/state/statePanel.ts';

const address = (number: number) => `0x${number.toString(16).padStart(40, '0')}` as Address;

describe('the state panel', () => {
  it('keeps a filter that is typed while it arranges what it has loaded', async () => {
    const messages = new EventEmitter<unknown>();
    const shown: { rows: number; isLoading: boolean }[] = [];
    const webview = {
      onDidReceiveMessage: messages.event,
      postMessage(message: { id?: string; method?: string; params?: never }) {
        if (message.id) setImmediate(() => messages.fire({ kind: 'reply', id: message.id }));
        if (message.method === 'show' && message.params) shown.push(message.params);
      },
    };
    const state = {
      query: { kind: 'holders', address: address(1), owner: undefined, block: 7n },
      rows: Array.from({ length: 500 }, (_, index) => ({
        ...{ kind: 'balance', holder: address(0xa000 + index), balance: 5n },
      })),
      units: undefined,
      verdict: {
        state: 'complete',
        confirmed: true,
        compared: { equal: 2, compared: 2, of: 2, totalSupply: true },
        isClosed: true,
        reasons: [],
        restsOn: [],
        block: 7n,
        blockHash: undefined,
      },
    } as unknown as ContractState;
    let time = 0;
    let pauses = 0;
    const clock = {
      now: () => 0,
      // Each slice of time is over at once.
      elapsed: () => (time += 1_000),
      async sleep(ms: number) {
        if (ms === 0 && ++pauses === 1) {
          const params = { filter: address(0xa007), onlyChanges: false };
          messages.fire({ kind: 'request', id: 'a:1', method: 'arrange', params });
        }
        await new Promise(setImmediate);
      },
      setTimer: (run: () => void) => {
        const timer = setTimeout(run, 0);
        return () => clearTimeout(timer);
      },
    };
    const network = { name: 'Node', chainId: 31337, rpcUrl: 'http://127.0.0.1:1' };
    const client = { getBlockNumber: async () => 7n };
    const panel = new StatePanel(
      { webview, title: '' } as unknown as WebviewPanel,
      {
        session: {
          ...{ network, connection: { client, network, signal: new AbortController().signal } },
          onDidChange: new EventEmitter().event,
          onDidReplaceChain: new EventEmitter().event,
        },
        ...{ clock, log: { warn: assert.fail, error: assert.fail, debug: assert.fail } },
        names: () => new Promise(() => undefined),
        fetchState: async () => state,
      } as unknown as StatePanelDeps,
      {
        ...{ kind: 'holders', address: address(1) },
        // Another filter, so that the first arrangement takes several slices.
        restored: {
          form: { block: '7', compare: '', owner: '' },
          arrangement: { filter: address(0xa003), onlyChanges: false },
        },
      },
    );
    messages.fire({
      ...{ kind: 'request', id: 'a:0', method: 'load' },
      params: { block: '7', compare: '', owner: '' },
    });
    for (let turn = 0; turn < 2_000 && !shown.some(({ rows, isLoading }) => rows > 0 && !isLoading); turn++)
      await new Promise(setImmediate);
    assert.ok(pauses > 0);
    const cells: unknown[] = [];
    webview.postMessage = (message: object) => cells.push('result' in message && message.result);
    const last = shown.at(-1) as unknown as { resultId: string; order: number };
    messages.fire({
      ...{ kind: 'request', id: 'a:2', method: 'rows' },
      params: { resultId: last.resultId, order: last.order, start: 0, count: 5 },
    });
    for (let turn = 0; turn < 50 && cells.length === 0; turn++) await new Promise(setImmediate);
    assert.match(JSON.stringify(cells), new RegExp(address(0xa007), 'i'));
    panel.dispose();
  });
});
