import assert from 'node:assert/strict';
import { EventEmitter, type WebviewPanel } from 'vscode';
import { type Address, AppError } from '../../../../src/core/index.ts';
import type { ReadsSnapshot } from '../../../../src/features/reads/protocol.ts';
import { ReadPanel, type ReadPanelDeps } from '../../../../src/features/reads/readPanel.ts';

describe('the panel that reads a contract', () => {
  it('has no value of the block before once reading another one is cancelled', async () => {
    const messages = new EventEmitter<unknown>();
    let shown: ReadsSnapshot | undefined;
    const webview = {
      onDidReceiveMessage: messages.event,
      postMessage(message: { id?: string; method?: string; params?: ReadsSnapshot }) {
        if (message.id) setImmediate(() => messages.fire({ kind: 'reply', id: message.id }));
        if (message.method === 'show') shown = message.params;
      },
    };
    const hanging = ({ signal }: { readonly signal: AbortSignal }) =>
      new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(new AppError('aborted', 'Cancelled.'))),
      );
    const client = {
      getBlockNumber: async () => 9n,
      isSettled: () => true,
      fetchImplementations: async () => [],
      requireCode: async () => undefined,
      callAtBlock: async (
        { block }: { readonly block: bigint },
        options: { readonly signal: AbortSignal },
      ) => (block === 5n ? `0x${'7'.padStart(64, '0')}` : hanging(options)),
    };
    const network = { name: 'Node', chainId: 31337, rpcUrl: 'http://127.0.0.1:1' };
    const connection = { client, network, signal: new AbortController().signal };
    const knowledge = {
      ...{ code: { abiAt: () => undefined }, index: undefined, names: [] },
      ...{ lookup: { functions: () => [], errors: () => [], events: () => [] } },
      ...{ prefetchAbis: async () => undefined, prefetchSelectors: async () => undefined },
    };
    const panel = new ReadPanel(
      { webview, title: '' } as unknown as WebviewPanel,
      {
        session: {
          ...{ network, connection },
          onDidChange: new EventEmitter().event,
          onDidReplaceChain: new EventEmitter().event,
        },
        clock: { now: () => 0, elapsed: () => 0, sleep: () => new Promise(setImmediate) },
        ...{ log: { warn: assert.fail, error: assert.fail, debug: assert.fail }, contracts: {} },
        names: () => new Promise(() => undefined),
        operations: {
          depsOf: () => ({ client, chainId: async () => 31337, knowledge: async () => knowledge }),
        },
      } as unknown as ReadPanelDeps,
      { contract: `0x${'11'.repeat(20)}` as Address },
    );
    const send = (method: string, params?: unknown) =>
      messages.fire({ kind: 'request', id: `a:${method}`, method, params });
    const waitFor = async (holds: (snapshot: ReadsSnapshot) => boolean) => {
      for (let turn = 0; turn < 2_000 && !(shown && holds(shown)); turn++) await new Promise(setImmediate);
      assert.ok(shown && holds(shown), JSON.stringify(shown));
    };
    const read = (block: string) => send('read', { form: { block, compare: '', from: '' } });
    send('declare', 'count() view returns (uint256)');
    read('5');
    await waitFor(({ isLoading, views: [view] }) => !isLoading && view?.read?.state === 'returned');
    read('6');
    // Until the new value arrives, the one before stays.
    await waitFor(({ block, views: [view] }) => block === '6' && view?.isLoading === true && !!view.read);
    send('cancel');
    await waitFor(({ isLoading, block, views: [view] }) => !isLoading && block === '6' && !view?.read);
    panel.dispose();
  });
});
