import assert from 'node:assert/strict';
import { commands, env, type QuickPickItem } from 'vscode';
import { useDialogs } from '../../../support/host/dialogs.ts';
import { answerCalls, useRecordedServer } from '../../../support/host/recordedServer.ts';
import { selectNetwork, useNetworks, useSettings, waitUntil } from '../../../support/host/settings.ts';
import type { RpcRequest } from '../../../support/loopbackServer.ts';
import { wireLog } from '../../../support/stubs.ts';
import { useExtension } from '../../../support/vscode/extension.ts';

const TOKEN = `0x${'5f'.repeat(20)}`;
const TOPIC = `0x${'ab'.repeat(32)}`;

describe('a query copied for another tool', () => {
  useExtension();
  const person = useDialogs();

  const server = useRecordedServer(answerCalls(resultOf));
  useNetworks(() => ({
    mainnet: { name: 'Ethereum', chainId: 1, rpcUrl: server.url },
    own: { name: 'Own Chain', chainId: 7_700_083, rpcUrl: server.url },
  }));
  // Else the questions about them, once a window, are among what this suite is told.
  useSettings(() => ({ 'chainside.sources.sourcify': 'never', 'chainside.sources.signatures': 'never' }));
  afterEach(() => commands.executeCommand('workbench.action.closeAllEditors'));

  function resultOf({ method, params }: RpcRequest): unknown {
    if (method === 'eth_getLogs') return [wireLog(5), wireLog(6)];
    if (method !== 'eth_getBlockByNumber') return '0x10';
    const number = String(params[0]);
    const timestamp = `0x${(1_700_000_000 + 86_400 * Number(number)).toString(16)}`;
    return { number, timestamp, hash: wireLog(Number(number)).blockHash };
  }

  /** Runs a query, has it copied as `label`, and gives what is on the clipboard then. */
  async function copied(
    network: string,
    pick: (items: readonly QuickPickItem[]) => QuickPickItem | undefined,
  ): Promise<string> {
    await selectNetwork(network);
    await env.clipboard.writeText('');
    const query = { address: TOKEN, topics: [TOPIC], fromBlock: 'latest-12', toBlock: 12, run: true };
    await commands.executeCommand('chainside.queryLogs', query);
    await waitUntil(async () => {
      // Before the answer has come there are no rows.
      person.picks = [
        (items) =>
          items.some(({ label }) => label.startsWith('2 displayed rows')) ? pick(items) : undefined,
      ];
      await commands.executeCommand('chainside.copyQueryAs');
      return (
        (await env.clipboard.readText()) !== '' || person.told.some((told) => told.startsWith('Cannot copy'))
      );
    });
    return env.clipboard.readText();
  }
  const named = (label: string) => (items: readonly QuickPickItem[]) =>
    items.find((item) => item.label === label);

  it('has the blocks that were asked for, and no more than the address of the endpoint', async () => {
    const text = await copied('mainnet', named('curl'));
    assert.equal(text.split('\n')[1], `curl -sS --globoff ${server.url} \\`);
    assert.ok(
      text.includes(`"address":"${TOKEN}","topics":["${TOPIC}"],"fromBlock":"0x4","toBlock":"0xc"`),
      text,
    );
    assert.match(text, /^# Logs of 0x(?:ab){32} on Ethereum, chain 1, blocks 4 to 12\n/);
  });

  it('asks for the times of its first and last block where SQL wants them, and for nothing before', async () => {
    const before = () => server.requests.filter((request) => request.includes('eth_getBlockByNumber')).length;
    await copied('mainnet', named('curl'));
    const asked = before();
    const text = await copied('mainnet', named('Dune'));
    assert.ok(before() > asked);
    const day = (block: number) =>
      new Date((1_700_000_000 + 86_400 * block) * 1000).toISOString().slice(0, 10);
    assert.ok(
      text.includes(`block_date >= date '${day(4)}'`) && text.includes(`block_date <= date '${day(12)}'`),
      text,
    );
    assert.ok(text.includes(`contract_address = ${TOKEN}`), text);
  });

  it('says why it is not for a tool that has not the chain', async () => {
    const text = await copied('own', named('Dune'));
    assert.equal(text, '');
    assert.deepEqual(person.told, ['Cannot copy as Dune. No known support for this chain.']);
    const labels = person.lists.at(-1)?.items.map(({ label }) => label) ?? [];
    assert.deepEqual(labels, [
      ...['curl', 'cast', 'viem', 'ethers', 'cryo'],
      ...['2 displayed rows', 'Markdown', 'CSV', 'TSV', 'JSON'],
      ...['Not available', 'SQD Portal', 'HyperSync', 'Dune', 'BigQuery'],
    ]);
  });

  it('is also the rows that are shown, as a table', async () => {
    const text = await copied('own', named('CSV'));
    assert.equal(text.trimEnd().split('\r\n').length, 3);
  });
});
