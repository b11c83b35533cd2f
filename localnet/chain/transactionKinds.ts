import {
  AbiFunction,
  Address as AddressText,
  Authorization,
  Hash,
  Hex,
  Secp256k1,
  TxEnvelopeEip7702,
} from 'ox';
import * as z from 'zod/mini';
import { compileContracts } from './compile.ts';
import type { NodeRpc } from './nodeRpc.ts';
import { type Address, createSend, quantity } from './transactions.ts';

/** Transactions of every kind, by hash, in the newest blocks of a node; the pending one in none. */
export type TransactionKinds = {
  /** Where `Failures` is deployed. */
  readonly contract: Address;
  readonly sender: Address;
  readonly creation: Hex.Hex;
  readonly paid: Hex.Hex;
  readonly customError: Hex.Hex;
  readonly requireText: Hex.Hex;
  readonly panic: Hex.Hex;
  readonly outOfGas: Hex.Hex;
  readonly emptyRevert: Hex.Hex;
  /** Carries one authorisation of EIP-7702. */
  readonly setCode: Hex.Hex;
  readonly pending: Hex.Hex;
};

const { encodeData, from } = AbiFunction;
const pay = from('function pay(uint256 price)');
const open = from('function open(bool really)');
const subtract = from('function subtract(uint256 amount, uint256 less) returns (uint256)');

// Accounts of these transactions alone, so that what others do with theirs repeats.
const sender: Address = '0x5e4de200000000000000000000000000000005e4';
const delegatorKey = Hash.keccak256(Hex.fromString('chainside delegator'));
const delegator = addressOf(delegatorKey);
const coins = 10n ** 20n;
const price = 10n ** 16n;
const block = z.object({ baseFeePerGas: z.string() });
const receipt = z.object({ contractAddress: z.templateLiteral(['0x', z.string()]) });

/** Sends transactions of every kind to a node that mines when it is told. */
export async function sendTransactionKinds(node: NodeRpc): Promise<TransactionKinds> {
  for (const account of [sender, delegator]) await node.call('anvil_setBalance', [account, quantity(coins)]);
  await node.call('anvil_impersonateAccount', [sender]);
  const send = createSend(node);
  const { Failures: bytecode } = await compileContracts();
  if (!bytecode) throw new Error('Failures was not compiled');
  const creation = await send({ from: sender, data: bytecode });
  await node.call('evm_mine', []);
  const { contractAddress: contract } = receipt.parse(
    await node.call('eth_getTransactionReceipt', [creation]),
  );
  const call = (data: Hex.Hex, more: { readonly value?: bigint; readonly gas?: bigint } = {}) =>
    send({ from: sender, to: contract, data, gas: 200_000n, ...more });
  const mined = {
    paid: await call(encodeData(pay, [price]), { value: price }),
    customError: await call(encodeData(pay, [price]), { value: 1n }),
    requireText: await call(encodeData(open, [false])),
    panic: await call(encodeData(subtract, [1n, 2n])),
    outOfGas: await call(encodeData(from('function fill()'))),
    emptyRevert: await call(encodeData(from('function refuse()'))),
    setCode: await sendSetCode(node, contract),
  };
  await node.call('evm_mine', []);
  const pending = await call(encodeData(pay, [price]), { value: price });
  return { contract, sender, creation, ...mined, pending };
}

/** An account delegates to a contract, and pays it in the same transaction. */
async function sendSetCode(node: NodeRpc, contract: Address): Promise<Hex.Hex> {
  const [chainId, nonce, latest] = await Promise.all([
    node.call('eth_chainId', []),
    node.call('eth_getTransactionCount', [delegator, 'latest']),
    node.call('eth_getBlockByNumber', ['latest', false]),
  ]);
  const chain = Number(chainId);
  const ownNonce = BigInt(String(nonce));
  const authorization = Authorization.from({ address: contract, chainId: chain, nonce: ownNonce + 1n });
  const authorized = Secp256k1.sign({
    payload: Authorization.getSignPayload(authorization),
    privateKey: delegatorKey,
  });
  const envelope = TxEnvelopeEip7702.from({
    authorizationList: [Authorization.from(authorization, { signature: authorized })],
    ...{ chainId: chain, nonce: ownNonce, to: contract, data: encodeData(pay, [0n]), gas: 200_000n },
    maxFeePerGas: 2n * BigInt(block.parse(latest).baseFeePerGas) + 1n,
    maxPriorityFeePerGas: 1n,
  });
  const signature = Secp256k1.sign({
    payload: TxEnvelopeEip7702.getSignPayload(envelope),
    privateKey: delegatorKey,
  });
  const raw = TxEnvelopeEip7702.serialize(envelope, { signature });
  return (await node.call('eth_sendRawTransaction', [raw])) as Hex.Hex;
}

function addressOf(privateKey: Hex.Hex): Address {
  return AddressText.fromPublicKey(Secp256k1.getPublicKey({ privateKey })).toLowerCase() as Address;
}
