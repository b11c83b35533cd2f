import assert from 'node:assert/strict';
import type { TreeItem } from 'vscode';
import { type Address, formatShortAddress, toChecksumAddress } from '../../../../src/core/index.ts';
import { AddressIdentityCache } from '../../../../src/features/addresses/identityCache.ts';
import { toTreeItem } from '../../../../src/host/ui/tree.ts';
import { createManualClock } from '../../../support/clocks.ts';
import { useAddressView } from '../../../support/host/addressView.ts';
import { openText } from '../../../support/host/openText.ts';
import { NodeError, useNode } from '../../../support/host/recordedServer.ts';
import { selectNetwork, useNetworks, waitUntil } from '../../../support/host/settings.ts';
import { hoverTextAt } from '../../../support/host/shownLinks.ts';
import type { RpcRequest } from '../../../support/loopbackServer.ts';
import { useExtension } from '../../../support/vscode/extension.ts';

const TOKEN: Address = `0x${'7e'.repeat(20)}`;
const LOGIC: Address = `0x${'10'.repeat(20)}`;
const DEPLOYER: Address = `0x${'de'.repeat(20)}`;
const DELEGATED: Address = `0x${'da'.repeat(20)}`;
const HASH = `0x${'ab'.repeat(32)}`;
const SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';

const word = (value: bigint | string) => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
const text = (words: string) =>
  `${word(32n)}${word(BigInt(words.length)).slice(2)}${Buffer.from(words).toString('hex').padEnd(64, '0')}`;

const code: Readonly<Record<Address, string>> = {
  [TOKEN]: '0x5af4',
  [LOGIC]: '0x6001',
  [DELEGATED]: `0xef0100${LOGIC.slice(2)}`,
};
const bySelector: Readonly<Record<string, string>> = {
  ...{ '0x06fdde03': text('Tide'), '0x95d89b41': text('TIDE'), '0x313ce567': word(6n) },
  ...{ '0x18160ddd': word(5_000_000n), '0x70a08231': word(0n) },
  // A function that says otherwise than the slot.
  '0x5c60da1b': word(DEPLOYER),
};

/** A node on which `TOKEN` is a token behind a proxy and `DELEGATED` a delegated account. */
function resultOf({ method, params }: RpcRequest): unknown {
  const [subject, slot] = params as readonly [unknown, unknown];
  switch (method) {
    case 'eth_getCode':
      return code[subject as Address] ?? '0x';
    case 'eth_getStorageAt':
      return subject === TOKEN && slot === SLOT ? word(LOGIC) : '0x0';
    case 'eth_call': {
      const { to, data } = subject as { readonly to: Address; readonly data: string };
      // The precompile that shows whether calls are offered.
      if (!(to in code)) return data;
      return to === TOKEN ? (bySelector[data.slice(0, 10)] ?? '0x') : '0x';
    }
    case 'ots_getContractCreator':
      return subject === TOKEN ? { hash: HASH, creator: DEPLOYER } : null;
    case 'eth_getTransactionByHash':
      return { blockNumber: '0x4d2' };
    case 'eth_getBalance':
      return '0x0';
    default:
      return '0x10';
  }
}

describe('what is at an address', () => {
  useExtension();
  const server = useNode(resultOf);
  const silent = useNode(({ method }) =>
    method === 'eth_getBalance' || method === 'eth_blockNumber'
      ? '0x0'
      : new NodeError(-32601, 'Method not found'),
  );
  useNetworks(() => ({
    told: { name: 'Told', chainId: 5, rpcUrl: server.url },
    silent: { name: 'Silent', chainId: 6, rpcUrl: silent.url },
  }));
  const view = useAddressView('told');

  async function rowOf(address: Address): Promise<TreeItem> {
    await Promise.all([view.identities.load(address), view.balances.load(address, 'missing')]);
    return toTreeItem(view.tree.getTreeItem(view.tree.getNode(address)));
  }

  it('is told of all that are listed together, and of one that is looked at at once', async () => {
    const clock = createManualClock();
    const identities = new AddressIdentityCache({ session: view.session, clock });
    const told: Address[] = [];
    identities.onDidChange((address) => told.push(address));
    await identities.loadListed([TOKEN, LOGIC, DELEGATED]);
    assert.deepEqual(told, []);
    await clock.pass(1_000);
    assert.deepEqual([...told].sort(), [TOKEN, LOGIC, DELEGATED].sort());
    await identities.load(DEPLOYER);
    assert.equal(told.at(-1), DEPLOYER);
    identities.dispose();
  });

  it('stands in the row of a contract in the place of nothing that it holds', async () => {
    const row = await rowOf(TOKEN);
    assert.equal(row.description, 'TIDE · ERC-20');
    assert.match(row.accessibilityInformation?.label ?? '', /, TIDE · ERC-20$/);
    assert.equal((await rowOf(LOGIC)).description, 'contract');
  });

  it('leaves an account as it is, and tells a delegated one', async () => {
    assert.equal((await rowOf(DEPLOYER)).description, '0 ETH');
    assert.match(String((await rowOf(DELEGATED)).description), /^delegated account · 0 ETH$/);
    const rows = await view.rows(DELEGATED);
    assert.ok(rows.includes('Delegates to, 0x1010…1010 · EIP-7702'), rows.join('\n'));
  });

  it('is told below the row: token, implementation, conflict, creation; a click looks each up', async () => {
    await rowOf(TOKEN);
    const rows = await view.items(view.tree.getNode(TOKEN));
    const facts = rows.filter(({ id }) => id?.includes('/fact/'));
    const words = facts.map(({ label, description }) => `${label}: ${description}`);
    const deployer = formatShortAddress(toChecksumAddress(DEPLOYER));
    assert.deepEqual(words, [
      'ERC-20 token contract: Tide · TIDE · 6 decimals · supply 5',
      'Implementation: 0x1010…1010 · EIP-1967',
      `Conflicting implementation: ${deployer} · implementation()`,
      `Created: block 1,234 · by ${deployer}`,
    ]);
    const commandsOf = facts.map(({ command }) => command && [command.command, command.arguments?.[0]]);
    assert.deepEqual(commandsOf, [
      undefined,
      ['chainside.lookUpAddress', toChecksumAddress(LOGIC)],
      ['chainside.lookUpAddress', toChecksumAddress(DEPLOYER)],
      ['chainside.lookUpAddress', toChecksumAddress(DEPLOYER)],
    ]);
    assert.equal(rows.at(facts.length)?.id?.endsWith('/native'), true, 'the balance comes behind');
  });

  it('is said to be unknown where the endpoint does not tell', async () => {
    await selectNetwork('silent');
    await rowOf(TOKEN);
    assert.equal(view.identities.get(TOKEN)?.kind, 'unknown');
    const facts = (await view.items(view.tree.getNode(TOKEN))).filter(({ id }) => id?.includes('/fact/'));
    assert.deepEqual(facts, []);
  });

  it('is in the hover, with all of it from the look on by which it is known', async () => {
    const document = await openText(`${TOKEN}\n${DELEGATED}`);
    const look = (line = 0) => hoverTextAt(document.uri, 5, line);
    await waitUntil(async () => /Delegated account[\s\S]*Delegates to/.test(await look(1)));
    await waitUntil(async () => /Implementation/.test(await look()));
    const said = await look();
    assert.match(said, /ERC-20 token contract · Tide · TIDE · 6 decimals · supply 5\n/);
    assert.match(said, /Implementation · \[0x1010…1010 · EIP-1967\]\(command:chainside\.lookUpAddress/);
    assert.match(said, /Conflicting implementation · /);
    assert.match(said, /Created · \[block 1,234 · by /);
    assert.match(said, /From 127\.0\.0\.1:\d+, /);
    assert.doesNotMatch(said, /\b0 ETH|No tokens/);
  });
});
