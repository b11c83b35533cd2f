import { AbiFunction } from 'ox';
import { calls } from './calls.ts';
import { assertAllSucceeded, type DemoChain } from './demoChain.ts';
import type { NodeRpc } from './nodeRpc.ts';
import { createRandom, type Random } from './random.ts';
import { type Address, quantity, type Sent, sendCall } from './transactions.ts';

const { encodeData } = AbiFunction;

/** Seconds that the history covers, from genesis to the time of the start. */
export const historySeconds = 6000;

const secondsPerBlock = 12;
const rounds = 320;
const denseRound = 160;
const badgeCount = 48;
const itemIds = [1n, 2n, 3n, 4n, 5n];

type Story = {
  /** Sends it with the others of the block. */
  readonly send: (transaction: Sent) => void;
  readonly chain: DemoChain;
  readonly traders: readonly Address[];
  readonly receivers: readonly Address[];
  readonly random: Random;
  /** Who owns which badge, as the story has told it so far. */
  readonly badgeOwners: Map<number, Address>;
};

/**
 * Makes the past of the local chain: the same transactions in the same order on every start.
 * Some blocks are empty, most hold about twenty logs, one holds more than a page of an explorer.
 */
export async function makeHistory(rpc: NodeRpc, chain: DemoChain): Promise<void> {
  const { deployer, ...others } = chain.accounts;
  const traders = Object.values(others);
  const unsent: ReturnType<typeof sendCall>[] = [];
  const mine = async () => {
    await rpc.batch(unsent.splice(0));
    await rpc.call('evm_mine', []);
  };
  const story: Story = {
    send: (transaction) => unsent.push(sendCall(transaction)),
    ...{ chain, traders },
    receivers: [...traders, ...chain.holders],
    random: createRandom(31337),
    badgeOwners: new Map(),
  };
  await rpc.call('anvil_setBlockTimestampInterval', [secondsPerBlock]);
  await mine();

  endowTraders(story, deployer);
  await mine();
  mintCollectibles(story, deployer);
  await mine();

  for (let round = 0; round < rounds; round += 1) {
    if (round % 64 === 40) await rpc.call('anvil_mine', [quantity(15)]);
    if (round === denseRound) sendDenseBlock(story);
    else sendRound(story, round);
    await mine();
  }
  await rpc.call('anvil_removeBlockTimestampInterval', []);
  await rpc.call('evm_setNextBlockTimestamp', [Math.floor(Date.now() / 1000)]);
  await rpc.call('evm_mine', []);
  await assertAllSucceeded(rpc);
}

function endowTraders({ send, chain, traders }: Story, deployer: Address): void {
  const { usd, tide, disperse } = chain.contracts;
  const unlimited = 2n ** 256n - 1n;
  for (const token of [usd, tide]) {
    const share = 50_000_000n * 10n ** BigInt(token.decimals);
    for (const trader of traders) {
      const transfer = encodeData(calls.transfer, [trader, share]);
      send({ from: deployer, to: token.address, data: transfer });
      const approve = encodeData(calls.approve, [disperse.address, unlimited]);
      send({ from: trader, to: token.address, data: approve });
    }
  }
}

function mintCollectibles({ send, chain, traders, badgeOwners }: Story, deployer: Address): void {
  const { badge, items } = chain.contracts;
  for (let tokenId = 1; tokenId <= badgeCount; tokenId += 1) {
    const owner = pick(traders, tokenId);
    const data = encodeData(calls.mintBadge, [owner, BigInt(tokenId)]);
    send({ from: deployer, to: badge.address, data });
    badgeOwners.set(tokenId, owner);
  }
  for (const trader of traders) {
    const amounts = itemIds.map((id) => id * 1000n);
    const data = encodeData(calls.mintItems, [trader, itemIds, amounts]);
    send({ from: deployer, to: items.address, data });
  }
}

function sendRound(story: Story, round: number): void {
  const { usd, tide } = story.chain.contracts;
  disperse(story, usd, pick(story.traders, round), 8 + story.random.below(5));
  disperse(story, tide, pick(story.traders, round + 3), 8 + story.random.below(5));
  if (round % 4 === 0) sendCoins(story, round);
  if (round % 5 === 0) moveBadge(story, round);
  if (round % 10 === 0) moveItems(story, round);
  if (round % 40 === 20) burn(story, round);
}

function sendDenseBlock(story: Story): void {
  for (let part = 0; part < 5; part += 1) {
    disperse(story, story.chain.contracts.usd, pick(story.traders, part), 250);
  }
}

function disperse(
  { send, chain, receivers, random }: Story,
  token: DemoChain['contracts']['usd'],
  from: Address,
  count: number,
): void {
  const unit = 10n ** BigInt(token.decimals - 2);
  const targets = Array.from({ length: count }, () => pick(receivers, random.below(receivers.length)));
  const amounts = targets.map(() => BigInt(1 + random.below(50_000)) * unit);
  const data = encodeData(calls.disperse, [token.address, targets, amounts]);
  send({ from, to: chain.contracts.disperse.address, data, gas: 15_000_000n });
}

function sendCoins({ send, traders, random }: Story, round: number): void {
  const value = BigInt(1 + random.below(1_000_000)) * 10n ** 12n;
  send({ from: pick(traders, round), to: pick(traders, round + 1), value });
}

function moveBadge({ send, chain, receivers, badgeOwners, random }: Story, round: number): void {
  const tokenId = 1 + ((round / 5) % badgeCount);
  const owner = badgeOwners.get(tokenId);
  // A badge that went to an address without a key stays there.
  if (!owner || chain.holders.includes(owner)) return;
  const to = pick(receivers, random.below(receivers.length));
  const data = encodeData(calls.transferBadge, [owner, to, BigInt(tokenId)]);
  send({ from: owner, to: chain.contracts.badge.address, data });
  badgeOwners.set(tokenId, to);
}

function moveItems({ send, chain, traders, receivers, random }: Story, round: number): void {
  const from = pick(traders, round);
  const to = pick(receivers, random.below(receivers.length));
  const amounts = itemIds.map((id) => id + BigInt(random.below(4)));
  const batch = encodeData(calls.transferItems, [from, to, itemIds, amounts, '0x']);
  send({ from, to: chain.contracts.items.address, data: batch });
  const single = encodeData(calls.transferItem, [from, to, pick(itemIds, round), 1n, '0x']);
  send({ from, to: chain.contracts.items.address, data: single });
}

function burn({ send, chain, traders, badgeOwners }: Story, round: number): void {
  const { usd, badge, items } = chain.contracts;
  const from = pick(traders, round);
  send({ from, to: usd.address, data: encodeData(calls.burn, [1_500_000n]) });
  const burnItem = encodeData(calls.burnItem, [from, 1n, 2n]);
  send({ from, to: items.address, data: burnItem });
  const own = [...badgeOwners].find(([, owner]) => owner === from);
  if (!own) return;
  send({ from, to: badge.address, data: encodeData(calls.burn, [BigInt(own[0])]) });
  badgeOwners.delete(own[0]);
}

function pick<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
