import { AbiFunction } from 'ox';
import { calls } from './calls.ts';
import { assertAllSucceeded, type DemoChain } from './demoChain.ts';
import type { NodeRpc } from './nodeRpc.ts';
import { createRandom, type Random } from './random.ts';
import { type Address, quantity, type Send } from './transactions.ts';

const { encodeData } = AbiFunction;

/** Seconds that the history covers, from genesis to the time of the start. */
export const historySeconds = 6000;

const secondsPerBlock = 12;
const rounds = 320;
const denseRound = 160;
const badgeCount = 48;
const itemIds = [1n, 2n, 3n, 4n, 5n];

type Story = {
  readonly rpc: NodeRpc;
  readonly send: Send;
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
export async function makeHistory(rpc: NodeRpc, send: Send, chain: DemoChain): Promise<void> {
  const { deployer, ...others } = chain.accounts;
  const traders = Object.values(others);
  const story: Story = {
    ...{ rpc, send, chain, traders },
    receivers: [...traders, ...chain.holders],
    random: createRandom(31337),
    badgeOwners: new Map(),
  };
  await rpc.call('anvil_setBlockTimestampInterval', [secondsPerBlock]);
  await rpc.call('evm_mine', []);

  await endowTraders(story, deployer);
  await rpc.call('evm_mine', []);
  await mintCollectibles(story, deployer);
  await rpc.call('evm_mine', []);

  for (let round = 0; round < rounds; round += 1) {
    if (round % 64 === 40) await rpc.call('anvil_mine', [quantity(15)]);
    if (round === denseRound) await sendDenseBlock(story);
    else await sendRound(story, round);
    await rpc.call('evm_mine', []);
  }
  await rpc.call('anvil_removeBlockTimestampInterval', []);
  await rpc.call('evm_setNextBlockTimestamp', [Math.floor(Date.now() / 1000)]);
  await rpc.call('evm_mine', []);
  await assertAllSucceeded(rpc);
}

async function endowTraders({ send, chain, traders }: Story, deployer: Address): Promise<void> {
  const { usd, tide, disperse } = chain.contracts;
  const unlimited = 2n ** 256n - 1n;
  for (const token of [usd, tide]) {
    const share = 50_000_000n * 10n ** BigInt(token.decimals);
    for (const trader of traders) {
      const transfer = encodeData(calls.transfer, [trader, share]);
      await send({ from: deployer, to: token.address, data: transfer });
      const approve = encodeData(calls.approve, [disperse.address, unlimited]);
      await send({ from: trader, to: token.address, data: approve });
    }
  }
}

async function mintCollectibles(
  { send, chain, traders, badgeOwners }: Story,
  deployer: Address,
): Promise<void> {
  const { badge, items } = chain.contracts;
  for (let tokenId = 1; tokenId <= badgeCount; tokenId += 1) {
    const owner = pick(traders, tokenId);
    const data = encodeData(calls.mintBadge, [owner, BigInt(tokenId)]);
    await send({ from: deployer, to: badge.address, data });
    badgeOwners.set(tokenId, owner);
  }
  for (const trader of traders) {
    const amounts = itemIds.map((id) => id * 1000n);
    const data = encodeData(calls.mintItems, [trader, itemIds, amounts]);
    await send({ from: deployer, to: items.address, data });
  }
}

async function sendRound(story: Story, round: number): Promise<void> {
  const { usd, tide } = story.chain.contracts;
  await disperse(story, usd, pick(story.traders, round), 8 + story.random.below(5));
  await disperse(story, tide, pick(story.traders, round + 3), 8 + story.random.below(5));
  if (round % 4 === 0) await sendCoins(story, round);
  if (round % 5 === 0) await moveBadge(story, round);
  if (round % 10 === 0) await moveItems(story, round);
  if (round % 40 === 20) await burn(story, round);
}

async function sendDenseBlock(story: Story): Promise<void> {
  for (let part = 0; part < 5; part += 1) {
    await disperse(story, story.chain.contracts.usd, pick(story.traders, part), 250);
  }
}

async function disperse(
  { send, chain, receivers, random }: Story,
  token: DemoChain['contracts']['usd'],
  from: Address,
  count: number,
): Promise<void> {
  const unit = 10n ** BigInt(token.decimals - 2);
  const targets = Array.from({ length: count }, () => pick(receivers, random.below(receivers.length)));
  const amounts = targets.map(() => BigInt(1 + random.below(50_000)) * unit);
  const data = encodeData(calls.disperse, [token.address, targets, amounts]);
  await send({ from, to: chain.contracts.disperse.address, data, gas: 15_000_000n });
}

async function sendCoins({ send, traders, random }: Story, round: number): Promise<void> {
  const value = BigInt(1 + random.below(1_000_000)) * 10n ** 12n;
  await send({ from: pick(traders, round), to: pick(traders, round + 1), value });
}

async function moveBadge(
  { send, chain, receivers, badgeOwners, random }: Story,
  round: number,
): Promise<void> {
  const tokenId = 1 + ((round / 5) % badgeCount);
  const owner = badgeOwners.get(tokenId);
  // A badge that went to an address without a key stays there.
  if (!owner || chain.holders.includes(owner)) return;
  const to = pick(receivers, random.below(receivers.length));
  const data = encodeData(calls.transferBadge, [owner, to, BigInt(tokenId)]);
  await send({ from: owner, to: chain.contracts.badge.address, data });
  badgeOwners.set(tokenId, to);
}

async function moveItems({ send, chain, traders, receivers, random }: Story, round: number): Promise<void> {
  const from = pick(traders, round);
  const to = pick(receivers, random.below(receivers.length));
  const amounts = itemIds.map((id) => id + BigInt(random.below(4)));
  const batch = encodeData(calls.transferItems, [from, to, itemIds, amounts, '0x']);
  await send({ from, to: chain.contracts.items.address, data: batch });
  const single = encodeData(calls.transferItem, [from, to, pick(itemIds, round), 1n, '0x']);
  await send({ from, to: chain.contracts.items.address, data: single });
}

async function burn({ send, chain, traders, badgeOwners }: Story, round: number): Promise<void> {
  const { usd, badge, items } = chain.contracts;
  const from = pick(traders, round);
  await send({ from, to: usd.address, data: encodeData(calls.burn, [1_500_000n]) });
  const burnItem = encodeData(calls.burnItem, [from, 1n, 2n]);
  await send({ from, to: items.address, data: burnItem });
  const own = [...badgeOwners].find(([, owner]) => owner === from);
  if (!own) return;
  await send({ from, to: badge.address, data: encodeData(calls.burn, [BigInt(own[0])]) });
  badgeOwners.delete(own[0]);
}

function pick<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
