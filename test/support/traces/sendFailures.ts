import { AbiFunction, type Hex } from 'ox';
import type { NodeRpc } from '../../../localnet/chain/nodeRpc.ts';
import { type Address, createSend, quantity, sendCall } from '../../../localnet/chain/transactions.ts';
import { type Corpus, linkBytecode } from './buildCorpus.ts';

/** A failed transaction of the corpus. */
export interface Failure {
  /** The name in the comment on its true line; undefined where no line of the corpus is it. */
  readonly line: string | undefined;
  readonly label: string;
  readonly hash: Hex.Hex;
}

export interface SentCorpus {
  readonly addresses: Readonly<Record<string, Address>>;
  readonly failures: readonly Failure[];
  /** A transaction that succeeds: a call, with a log before and an inner call that fails and is caught. */
  readonly caught: Hex.Hex;
  readonly created: Hex.Hex;
}

/** Sends what fails: `fundSender` first. */
export const sender: Address = '0x7ace00000000000000000000000000000007ace0';

type Contract =
  | ('Child' | 'Failing' | 'Callers' | 'Copy' | 'Kinds')
  | ('None' | 'OtherCopy' | 'Proxy' | 'Strict');

type Call = readonly [
  line: string | undefined,
  to: Contract,
  signature: string,
  args?: readonly unknown[],
  options?: { readonly gas?: bigint; readonly value?: bigint; readonly label?: string },
];

/** The called contract, among arguments. */
const SELF = 'self';

const CALLS: readonly Call[] = [
  ['customError', 'Failing', 'customError(uint256)', [9n]],
  ['requireText', 'Failing', 'requireText(uint256)', [1n]],
  ['requireError', 'Failing', 'requireError(uint256)', [1n]],
  ['bareFirst', 'Failing', 'threeBare(uint256,uint256,uint256)', [0n, 1n, 1n]],
  ['bareSecond', 'Failing', 'threeBare(uint256,uint256,uint256)', [1n, 0n, 1n]],
  ['bareThird', 'Failing', 'threeBare(uint256,uint256,uint256)', [1n, 1n, 0n]],
  ['bareRevertFirst', 'Failing', 'bareRevert(uint256)', [1n]],
  ['bareRevertElse', 'Failing', 'bareRevert(uint256)', [3n]],
  ['bareRevertLast', 'Failing', 'bareRevert(uint256)', [2n]],
  ['sameTailFirst', 'Failing', 'sameTail(uint256)', [20n]],
  ['sameTailSecond', 'Failing', 'otherTail(uint256)', [20n]],
  ['twinOne', 'Failing', 'twinOne(uint256)', [1n]],
  ['twinTwo', 'Failing', 'twinTwo(uint256)', [1n]],
  ['assert', 'Failing', 'asserted(uint256)', [1n]],
  ['overflow', 'Failing', 'subtract(uint256,uint256)', [1n, 1n]],
  ['divide', 'Failing', 'divide(uint256,uint256)', [1n, 0n]],
  ['enum', 'Failing', 'toEnum(uint256)', [2n]],
  ['pop', 'Failing', 'pop()'],
  ['index', 'Failing', 'at(uint256)', [5n]],
  ['allocate', 'Failing', 'allocate(uint256)', [2n ** 128n]],
  ['unsetFunction', 'Failing', 'callUnset()'],
  ['outOfGas', 'Failing', 'fill()', [], { gas: 200_000n }],
  ['modifier', 'Failing', 'big(uint256)', [5n]],
  ['inheritedBySuper', 'Failing', 'inherited(uint256)', [0n]],
  ['internalBare', 'Failing', 'half(uint256)', [6n]],
  ['internalLibrary', 'Failing', 'useLibrary(uint256)', [11n]],
  ['externalLibrary', 'Failing', 'useFarLibrary(uint256)', [11n]],
  ['inLoop', 'Failing', 'inLoop(uint256[])', [[1n, 3n, 7n]]],
  ['assembly', 'Failing', 'inAssembly(uint256)', [6n]],
  ['overflow', 'Callers', 'through(uint256)', [1n], { label: 'through a call' }],
  ['lowLevel', 'Callers', 'lowLevel(uint256)', [1n]],
  ['lowLevelEmpty', 'Callers', 'lowLevelEmpty()'],
  ['requireText', 'Callers', 'rethrown(uint256)', [1n], { label: 'rethrown' }],
  ['caughtSameText', 'Callers', 'caught(uint256)', [1n]],
  ['caughtThenOther', 'Callers', 'caughtThenOther(uint256)', [1n]],
  ['triedTwice', 'Callers', 'triedTwice()'],
  ['overflow', 'Callers', 'notCaught(uint256)', [1n], { label: 'not caught by a catch for texts' }],
  ['requireText', 'Callers', 'rethrownText(uint256)', [1n], { label: 'rethrown as a text' }],
  ['lowLevelThenBare', 'Callers', 'lowLevelThenBare()'],
  ['copy', 'Copy', 'need(uint256)', [1n]],
  ['otherCopy', 'OtherCopy', 'need(uint256)', [1n]],
  ['noCode', 'Callers', 'noCode()'],
  ['shortReturn', 'Callers', 'shortReturn()'],
  ['outOfGas', 'Callers', 'outOfGasInside()', [], { gas: 200_000n, label: 'out of gas inside' }],
  ['constructor', 'Callers', 'create(uint256)', [7n], { label: 'in a constructor' }],
  [
    'assert',
    'Callers',
    'createAndCall(uint256,uint256)',
    [8n, 1n],
    { label: 'in a contract created before' },
  ],
  ['requireText', 'Proxy', 'requireText(uint256)', [1n], { label: 'by a proxy' }],
  ['overflow', 'Proxy', 'subtract(uint256,uint256)', [1n, 1n], { label: 'overflow by a proxy' }],
  ['notPayable', 'Strict', 'add(uint256)', [1n], { value: 1n }],
  [undefined, 'Strict', 'absent()', [], { label: 'an unknown function' }],
  ['constructor', 'None', '', [], { label: 'the constructor of a transaction' }],
  ['multiply', 'Kinds', 'multiply(uint256,uint256)', [2n ** 128n, 2n ** 128n]],
  ['inMemory', 'Kinds', 'inMemory(uint256,uint256)', [3n, 3n]],
  ['slice', 'Kinds', 'slice(bytes,uint256)', ['0x1234', 5n]],
  ['decode', 'Kinds', 'decode(bytes)', ['0x1234']],
  ['lastModifier', 'Kinds', 'withModifier(uint256)', [2n]],
  ['freeFunction', 'Kinds', 'useFree(uint256)', [4n]],
  ['recursive', 'Kinds', 'recurse(uint256)', [5n]],
  ['givenText', 'Kinds', 'given(string)', ['not one']],
  ['wrapped', 'Kinds', 'wrap(address,uint256)', [SELF, 2n ** 200n]],
  ['afterCaught', 'Kinds', 'innerCaught(address,uint256)', [SELF, 5n]],
  ['baseConstructor', 'Kinds', 'create(uint256,uint256)', [0n, 0n]],
  ['createWithValue', 'Kinds', 'create(uint256,uint256)', [1n, 10n ** 18n]],
  ['transfer', 'Kinds', 'pay(address,uint256)', [SELF, 10n ** 18n]],
  ['brokenConstructor', 'Kinds', 'createBroken()'],
  ['writeProtected', 'Kinds', 'writeStatic()'],
  [undefined, 'Kinds', 'side(uint8)', [2], { label: 'no member of the enum' }],
  ['internalLibrary', 'Kinds', 'either(uint256)', [4n], { label: 'in a branch' }],
  ['invalid', 'Kinds', 'exhaust()'],
  ['assemblyData', 'Kinds', 'sign(uint256)', [4n]],
  ['receive', 'Child', '', [], { value: 1n }],
  ['fallback', 'Child', 'absent()'],
];

/** Lets the node send for the sender, who is no account of it. */
export async function fundSender(node: NodeRpc): Promise<void> {
  await node.call('anvil_setBalance', [sender, quantity(10n ** 22n)]);
  await node.call('anvil_impersonateAccount', [sender]);
}

/** Deploys what creation code makes, and mines it. */
export async function deploy(
  node: NodeRpc,
  data: Hex.Hex,
  from = sender,
): Promise<{ readonly hash: Hex.Hex; readonly address: Address }> {
  const hash = await createSend(node)({ from, data, gas: 8_000_000n });
  await node.call('evm_mine', []);
  const receipt = (await node.call('eth_getTransactionReceipt', [hash])) as { contractAddress: Address };
  return { hash, address: receipt.contractAddress };
}

/** Deploys the corpus and sends its failures, several in one block. The node mines when it is told. */
export async function sendFailures(node: NodeRpc, corpus: Corpus): Promise<SentCorpus> {
  await fundSender(node);
  const addresses: Record<string, Address> = {};

  function encodeCreation(name: string, args = ''): Hex.Hex {
    const code = corpus.bytecodes[name];
    if (!code) throw new Error(`${name} was not compiled`);
    return `${linkBytecode(code, addresses)}${args}`;
  }

  async function add(name: string, args = ''): Promise<void> {
    addresses[name] = (await deploy(node, encodeCreation(name, args))).address;
  }

  const word = (value: string | bigint) =>
    (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0');
  await add('Checks');
  await add('Failing', word(50n));
  for (const name of ['Callers', 'Proxy']) await add(name, word(addresses.Failing ?? ''));
  for (const name of ['Strict', 'Copy', 'OtherCopy', 'Kinds']) await add(name);
  await add('Child', word(1n));

  const encodeCall = (signature: string, args: readonly unknown[] = []) =>
    signature === ''
      ? '0x'
      : AbiFunction.encodeData(AbiFunction.from(`function ${signature}` as never) as never, args as never);
  const to = (name: string) => addresses[name] as Address;
  const transactions = CALLS.map(([, name, signature, args, { gas = 3_000_000n, value = 0n } = {}]) => {
    if (name === 'None') return { from: sender, data: encodeCreation('Failing', word(7n)), gas: 8_000_000n };
    const values = args?.map((each) => (each === SELF ? to(name) : each));
    return { from: sender, to: to(name), data: encodeCall(signature, values), gas, value };
  });
  const hashes = (await node.batch(
    [
      ...transactions,
      { from: sender, to: to('Callers'), data: encodeCall('caught(uint256)', [51n]) },
      { from: sender, to: to('Callers'), data: encodeCall('create(uint256)', [8n]), gas: 8_000_000n },
    ].map(sendCall),
  )) as readonly Hex.Hex[];
  await node.call('evm_mine', []);
  const failures = CALLS.map(([line, , signature, , { label } = {}], index): Failure => {
    return { line, label: label ?? line ?? signature, hash: hashes[index] ?? '0x' };
  });
  const [caught = '0x', created = '0x'] = hashes.slice(CALLS.length);
  return { addresses, failures, caught, created };
}
