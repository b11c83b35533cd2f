import assert from 'node:assert/strict';
import { commands, window } from 'vscode';
import { useDialogs } from '../../../../support/host/dialogs.ts';
import { answerCalls, useRecordedServer } from '../../../../support/host/recordedServer.ts';
import { selectNetwork, useNetworks, waitUntil } from '../../../../support/host/settings.ts';
import type { RpcRequest } from '../../../../support/loopbackServer.ts';
import { wireLog } from '../../../../support/stubs.ts';
import { useExtension } from '../../../../support/vscode/extension.ts';

const CHAIN = 7_700_082;
const TOKEN = `0x${'5f'.repeat(20)}`;

type NodeLog = ReturnType<typeof wireLog>;

describe('a second opinion', () => {
  useExtension();
  let rows: readonly NodeLog[];
  /** What the second endpoint says that its chain is. */
  let chainId: number;
  const person = useDialogs();

  const first = useRecordedServer(
    answerCalls((request) => resultOf(request, [wireLog(5), wireLog(6), wireLog(7)], CHAIN)),
  );
  const second = useRecordedServer(answerCalls((request) => resultOf(request, rows, chainId)));
  useNetworks(() => ({
    first: { name: 'First', chainId: CHAIN, rpcUrl: first.url },
    second: { name: 'Second', chainId: CHAIN, rpcUrl: second.url },
    elsewhere: { name: 'Elsewhere', chainId: CHAIN + 1, rpcUrl: first.url },
  }));

  beforeEach(async () => {
    rows = [wireLog(5), wireLog(6), wireLog(7)];
    chainId = CHAIN;
    await selectNetwork('first');
    second.requests.length = 0;
  });
  afterEach(() => commands.executeCommand('workbench.action.closeAllEditors'));

  function resultOf({ method, params }: RpcRequest, logs: readonly NodeLog[], chain: number): unknown {
    if (method === 'eth_chainId') return `0x${chain.toString(16)}`;
    if (method !== 'eth_getLogs') return '0x10';
    const { fromBlock, toBlock } = params[0] as { readonly fromBlock: string; readonly toBlock: string };
    const isWithin = ({ blockNumber }: NodeLog) =>
      Number(blockNumber) >= Number(fromBlock) &&
      (toBlock === 'latest' || Number(blockNumber) <= Number(toBlock));
    return logs.filter(isWithin);
  }

  /** Asks for one of the answer of `network`, once that is there. */
  async function ask(network = 'first'): Promise<void> {
    await selectNetwork(network);
    await commands.executeCommand('chainside.queryLogs', { address: TOKEN, toBlock: 12, run: true });
    second.requests.length = 0;
    await waitUntil(async () => {
      await commands.executeCommand('chainside.secondOpinion');
      return person.lists.length + person.told.length > 0;
    });
  }
  const logQueries = () => second.requests.filter((request) => request.includes('eth_getLogs'));
  const difference = () => {
    const { document } = window.activeTextEditor ?? {};
    return document?.uri.scheme === 'chainside-difference' ? document.getText() : undefined;
  };

  it('is asked of other endpoints of the chain, of which the user chooses one; before that of nobody', async () => {
    person.picks = [() => undefined];
    await ask();
    assert.deepEqual(
      person.lists[0]?.items.map(({ label, description }) => [label, description]),
      [['Second', second.url]],
    );
    assert.match(person.lists[0]?.placeHolder ?? '', /It receives the address, topics and block range\.$/);
    assert.deepEqual(second.requests, []);
    assert.equal(difference(), undefined);
  });

  it('shows what the two give otherwise', async () => {
    rows = [wireLog(5), wireLog(7, { data: '0xbb' }), wireLog(8)];
    person.picks = ['Second'];
    await ask();
    const text = difference() ?? assert.fail('No difference is shown.');
    assert.equal(window.tabGroups.activeTabGroup.activeTab?.label, 'Second Opinion');
    assert.match(
      text,
      /^First and Second, blocks 0 to 12\n1 only in this result, 1 only on Second, 1 different\n/,
    );
    assert.match(text, /\nOnly on First: 1\n\s+Block 6, log index 0\n/);
    assert.match(text, /\nOnly on Second: 1\n\s+Block 8, log index 0\n/);
    assert.match(text, /\nDifferent: 1\n\s+Block 7, log index 0\n\s+data:\n\s+First: 0xaa\n\s+Second: 0xbb/);
  });

  it('shows nothing where both give the same, which is asked for by the same filter', async () => {
    person.picks = ['Second'];
    await ask();
    assert.equal(difference(), undefined);
    assert.deepEqual(person.told, []);
    assert.ok(logQueries().length > 0);
    for (const request of logQueries()) assert.ok(request.includes(TOKEN), request);
  });

  it('asks no endpoint for logs that is of another chain than it is said to be', async () => {
    chainId = CHAIN + 5;
    person.picks = ['Second'];
    await ask();
    assert.equal(difference(), undefined);
    assert.ok(second.requests.some((request) => request.includes('eth_chainId')));
    assert.deepEqual(logQueries(), []);
  });

  it('says where no other endpoint is known', async () => {
    await ask('elsewhere');
    assert.deepEqual(person.lists, []);
    assert.deepEqual(person.told, [
      `Chainside knows no other endpoint of Elsewhere (chain ${CHAIN + 1}). Add a network to compare with.`,
    ]);
  });

  // The last one: the server asks to wait, which holds for all that it is asked.
  it('is given up with its panel: nobody is asked any more, and nothing is shown', async () => {
    rows = [wireLog(5)];
    person.picks = [() => undefined];
    await ask();
    const answered = second.answer;
    // The server asks to wait: the panel is closed meanwhile.
    second.answer = (request) =>
      request.body.includes('eth_getLogs')
        ? { status: 429, headers: { 'retry-after': '2' }, body: '' }
        : answered(request);
    person.picks = ['Second'];
    const asking = commands.executeCommand('chainside.secondOpinion');
    await waitUntil(() => logQueries().length > 0);
    second.answer = answered;
    await commands.executeCommand('workbench.action.closeAllEditors');
    await asking;
    assert.deepEqual([logQueries().length, difference(), person.told], [1, undefined, []]);
  });
});
