import assert from 'node:assert/strict';
import {
  Address,
  Authorization,
  Blobs,
  Hash,
  type Hex,
  Rlp,
  Secp256k1,
  TxEnvelopeEip4844,
  TxEnvelopeEip7702,
} from 'ox';
import { startAnvil } from '../../localnet/chain/anvil.ts';
import { createNodeRpc, type NodeRpc } from '../../localnet/chain/nodeRpc.ts';
import { AppError } from '../../src/core/base/errors.ts';
import { parseLogs } from '../../src/core/logs/engine/parseLogs.ts';
import type { Log } from '../../src/core/logs/log.ts';
import { isFullRun } from './fullRun.ts';

type Wire = Readonly<Record<string, unknown>>;

/** A block as a node returns it, with all that a proof requests. */
export interface RecordedBlock {
  /** With the hashes of its transactions. */
  readonly header: Wire;
  /** With its transactions. */
  readonly whole: Wire;
  readonly receipts: readonly Wire[];
}

/**
 * All responses of a chain of some blocks. In Osaka its last block has a transaction with a blob, in a full run: to verify
 * one takes anvil seconds. anvil 1.7.1 includes the blob in the transactions root, against EIP-4844.
 */
export interface RecordedChain {
  readonly blocks: readonly RecordedBlock[];
  /** The last block without a blob. */
  readonly last: bigint;
  /** All logs, as `eth_getLogs` returns them. */
  readonly logs: readonly Log[];
  readonly emitter: Hex.Hex;
}

/**
 * Runtime code that emits three logs of its calldata: with the first word and the caller as topics, with the word alone,
 * and without topics.
 */
const RUNTIME = '36600060003733600035366000a2600035366000a1366000a000';
const length = (RUNTIME.length / 2).toString(16).padStart(2, '0');
const CREATION: Hex.Hex = `0x60${length}600c60003960${length}6000f3${RUNTIME}`;

export const topics: readonly Hex.Hex[] = [1, 2, 3].map((kind) => `0x${`${kind}`.repeat(64)}` as const);

/** Records a chain that anvil mines with a hardfork, with transactions of all types that it has. */
export async function recordChain(hardfork: Fork): Promise<RecordedChain> {
  const anvil = await startAnvil({ port: 0, genesisTime: 1_700_000_000, hardfork });
  try {
    return await mine(createNodeRpc(anvil.url), hardfork);
  } finally {
    await anvil.stop();
  }
}

export const FORKS = [
  'frontier',
  'byzantium',
  'berlin',
  'london',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
] as const;

type Fork = (typeof FORKS)[number];

async function mine(node: NodeRpc, hardfork: Fork): Promise<RecordedChain> {
  const has = (fork: Fork) => FORKS.indexOf(hardfork) >= FORKS.indexOf(fork);
  const [from, other] = (await node.call('eth_accounts', [])) as [Hex.Hex, Hex.Hex];
  const send = (transaction: object) =>
    node.call('eth_sendTransaction', [{ from, gas: '0x30d40', ...transaction }]) as Promise<Hex.Hex>;
  const price = { gasPrice: '0x77359400' };
  const creation = await send({ data: CREATION, ...price });
  await node.call('evm_mine', []);
  const { contractAddress: emitter } = (await node.call('eth_getTransactionReceipt', [creation])) as {
    contractAddress: Hex.Hex;
  };
  const emit = (at: number, more: object = price) =>
    send({ to: emitter, data: `${topics[at]}${'ab'.repeat(at * 20)}`, ...more });
  for (let block = 0; block < 6; block++) {
    await emit(block % 3);
    await send({ from: other, to: from, value: '0x1', ...price });
    if (has('berlin'))
      await emit(1, { ...price, accessList: [{ address: emitter, storageKeys: [topics[0], topics[1]] }] });
    if (has('london')) await emit(2, { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' });
    if (has('prague') && block === 3) await sendSetCode(node, emitter);
    // Too little gas to emit: a failed transaction.
    if (block === 4) await emit(0, { ...price, gas: '0x5500' });
    // A trie of receipts with an index of two bytes.
    if (block === 5)
      for (let count = 0; count < 130; count++) await send({ to: other, value: '0x1', ...price });
    await node.call('evm_mine', []);
    if (block === 3) await node.call('evm_mine', []);
  }
  const hasBlob = has('osaka') && isFullRun;
  if (hasBlob) {
    await sendBlob(node, emitter);
    await node.call('evm_mine', []);
  }
  const head = Number(await node.call('eth_blockNumber', []));
  const blocks: RecordedBlock[] = [];
  for (let number = 0; number <= head; number++) {
    const at = `0x${number.toString(16)}`;
    const [header, whole, receipts] = await node.batch([
      ['eth_getBlockByNumber', [at, false]],
      ['eth_getBlockByNumber', [at, true]],
      ['eth_getBlockReceipts', [at]],
    ]);
    blocks.push({ header: header as Wire, whole: whole as Wire, receipts: receipts as readonly Wire[] });
  }
  const logs = parseLogs(await node.call('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }])).logs;
  assert.ok(logs.length > 15, `${logs.length} logs`);
  return { blocks, logs, emitter, last: BigInt(hasBlob ? head - 1 : head) };
}

const keys = ['blob', 'setCode'].map((name) => Hash.keccak256(new TextEncoder().encode(name), { as: 'Hex' }));

async function prepareSigner(node: NodeRpc, privateKey: Hex.Hex) {
  const address = Address.fromPublicKey(Secp256k1.getPublicKey({ privateKey })).toLowerCase();
  await node.call('anvil_setBalance', [address, '0xde0b6b3a7640000']);
  const chainId = Number(await node.call('eth_chainId', []));
  return { chainId, nonce: 0n, gas: 200_000n, maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1n };
}

/** A blob of zeros, whose commitment and proofs are the point at infinity. */
async function sendBlob(node: NodeRpc, to: Hex.Hex): Promise<void> {
  const privateKey = keys[0] ?? '0x';
  const infinity: Hex.Hex = `0xc0${'0'.repeat(94)}`;
  const envelope = TxEnvelopeEip4844.from({
    ...(await prepareSigner(node, privateKey)),
    ...{ to, data: topics[0] ?? '0x', maxFeePerBlobGas: 10n ** 9n },
    blobVersionedHashes: [Blobs.commitmentToVersionedHash(infinity)],
  });
  const signature = Secp256k1.sign({ payload: TxEnvelopeEip4844.getSignPayload(envelope), privateKey });
  const body = Rlp.toHex(`0x${TxEnvelopeEip4844.serialize(envelope, { signature }).slice(4)}`);
  // EIP-7594 has a version and a proof for each of 128 cells.
  const proofs = Array<Hex.Hex>(128).fill(infinity);
  const sidecar = [[`0x${'0'.repeat(2 * 131_072)}`], [infinity], proofs] as const;
  const raw = Rlp.fromHex([body, '0x01', ...sidecar] as never);
  await node.call('eth_sendRawTransaction', [`0x03${raw.slice(2)}`]);
}

/** An account delegates to the emitter, and emits as itself. */
async function sendSetCode(node: NodeRpc, emitter: Hex.Hex): Promise<void> {
  const privateKey = keys[1] ?? '0x';
  const signer = await prepareSigner(node, privateKey);
  const authorization = Authorization.from({ address: emitter, chainId: signer.chainId, nonce: 1n });
  const signed = Secp256k1.sign({ payload: Authorization.getSignPayload(authorization), privateKey });
  const to = Address.fromPublicKey(Secp256k1.getPublicKey({ privateKey }));
  const envelope = TxEnvelopeEip7702.from({
    ...{ ...signer, to, data: topics[1] ?? '0x' },
    authorizationList: [Authorization.from(authorization, { signature: signed })],
  });
  const signature = Secp256k1.sign({ payload: TxEnvelopeEip7702.getSignPayload(envelope), privateKey });
  await node.call('eth_sendRawTransaction', [TxEnvelopeEip7702.serialize(envelope, { signature })]);
}

/** A node that responds with what was recorded, as the `call` of a client. */
export function createRecordedCall(blocks: readonly RecordedBlock[], missing: readonly string[] = []) {
  const byHash = new Map(blocks.map((block) => [block.header.hash, block]));
  return async (method: string, params: readonly unknown[]): Promise<unknown> => {
    const [at, isWhole] = params;
    if (missing.includes(method)) throw missingMethod(method);
    if (method === 'eth_getTransactionReceipt')
      return blocks.flatMap(({ receipts }) => receipts).find((one) => one.transactionHash === at) ?? null;
    const block = byHash.get(at) ?? blocks[Number(at)];
    if (method === 'eth_getBlockReceipts') return block?.receipts ?? null;
    return (isWhole ? block?.whole : block?.header) ?? null;
  };
}

function missingMethod(method: string): AppError {
  const serverMessage = `the method ${method} does not exist/is not available`;
  return new AppError('rpc', serverMessage, { code: -32601, serverMessage });
}
