import fc from 'fast-check';
import { hashSignature, toSelector } from '../../src/core/eth/keccak.ts';
import type { Hex } from '../../src/core/index.ts';
import type { StateKind, StateRow } from '../../src/core/state/contractState.ts';
import {
  type AnyNode,
  type Chain,
  type ChainLog,
  type ChainState,
  type NodeTraits,
  openNode,
} from './anyNode.ts';
import { anyHead, anyReorg, anyStates, anyTraits, busyEveryOf } from './anyTraits.ts';
import { SINGLE, TRANSFER, topic, word } from './nftLogs.ts';

export const CONTRACT = '0xc0de7210000000000000000000000000000000a1' as const;
const OTHER = `0x${'d'.repeat(40)}`;
const APPROVAL = hashSignature('Approval(address,address,uint256)');
const GRANTED = hashSignature('RoleGranted(bytes32,address,address)');
const OWNED = hashSignature('OwnershipTransferred(address,address)');
const REVOKED = hashSignature('RoleRevoked(bytes32,address,address)');

/** What a contract is, and the state that it has. */
const kindOf = {
  erc20: 'holders',
  erc721: 'holders',
  erc1155: 'holders',
  roles: 'roles',
  allowances: 'allowances',
} as const satisfies Readonly<Record<string, StateKind>>;

export type StateForm = keyof typeof kindOf;
export const stateForms = Object.keys(kindOf) as readonly StateForm[];
export const getKind = (form: StateForm): StateKind => kindOf[form];

/** Something that happens to the contract, with small numbers for accounts, of which 0 is the zero address. */
interface Step {
  readonly block: number;
  readonly from: number;
  readonly to: number;
  readonly id: number;
  readonly amount: number;
  /** Only the other contract logs this one. */
  readonly isOther: boolean;
}

const anySteps = (head: number): fc.Arbitrary<readonly Step[]> =>
  fc
    .array(
      fc.record({
        block: fc.integer({ min: 0, max: head }),
        from: fc.integer({ min: 0, max: 3 }),
        to: fc.integer({ min: 0, max: 3 }),
        id: fc.integer({ min: 0, max: 3 }),
        amount: fc.integer({ min: 1, max: 9 }),
        isOther: fc.boolean(),
      }),
      { maxLength: 30 },
    )
    .map((found) => found.sort((one, other) => one.block - other.block));

/** Words by the calldata that returns them; 0 for any other. */
type Words = ReadonlyMap<string, bigint>;

/** The state after a log of the contract. */
const wordsAfter = new WeakMap<ChainLog, Words>();

const selectors = {
  balanceOf: toSelector('balanceOf(address)'),
  balanceOfId: toSelector('balanceOf(address,uint256)'),
  totalSupply: toSelector('totalSupply()'),
  ownerOf: toSelector('ownerOf(uint256)'),
  hasRole: toSelector('hasRole(bytes32,address)'),
  allowance: toSelector('allowance(address,address)'),
  owner: toSelector('owner()'),
  decimals: toSelector('decimals()'),
  supportsInterface: toSelector('supportsInterface(bytes4)'),
};

/** The functions of a contract that return words of its state. */
const functionsOf: Readonly<Record<StateForm, readonly Hex[]>> = {
  erc20: [selectors.balanceOf, selectors.totalSupply],
  erc721: [selectors.balanceOf, selectors.ownerOf],
  erc1155: [selectors.balanceOfId],
  roles: [selectors.hasRole, selectors.owner],
  allowances: [selectors.allowance],
};

const encode = (selector: Hex, ...args: readonly number[]) => `${selector}${args.map(word).join('')}`;
const account = (value: number) => topic(value).slice(-40);

/** The logs of these steps. */
function run(form: StateForm, steps: readonly Step[]): readonly ChainLog[] {
  const logs: ChainLog[] = [];
  const words = new Map<string, bigint>();
  const add = (key: string, amount: bigint) => words.set(key, (words.get(key) ?? 0n) + amount);

  function emit({ block }: Step, address: string, topics: readonly string[], data = '0x'): void {
    const log = { block, place: logs.filter((one) => one.block === block).length, address, topics, data };
    logs.push(log);
    wordsAfter.set(log, new Map(words));
  }

  function move(step: Step, from: number, key: (owner: number) => string): bigint | undefined {
    const held = words.get(key(from)) ?? 0n;
    const amount = from === 0 || held > BigInt(step.amount) ? BigInt(step.amount) : held;
    if (amount === 0n) return undefined;
    if (from !== 0) add(key(from), -amount);
    if (step.to !== 0) add(key(step.to), amount);
    return amount;
  }

  function take(step: Step): void {
    const { from, to, id } = step;
    switch (form) {
      case 'erc20': {
        if (from === to) return;
        const amount = move(step, from, (owner) => encode(selectors.balanceOf, owner));
        if (amount === undefined) return;
        if (from === 0) add(selectors.totalSupply, amount);
        if (to === 0) add(selectors.totalSupply, -amount);
        emit(step, CONTRACT, [TRANSFER, topic(from), topic(to)], topic(Number(amount)));
        break;
      }
      case 'erc721': {
        const owner = Number(words.get(encode(selectors.ownerOf, id)) ?? 0n);
        if (owner === 0 && to === 0) return;
        if (owner !== 0) add(encode(selectors.balanceOf, owner), -1n);
        if (to !== 0) add(encode(selectors.balanceOf, to), 1n);
        words.set(encode(selectors.ownerOf, id), BigInt(to));
        emit(step, CONTRACT, [TRANSFER, topic(owner), topic(to), topic(id)]);
        break;
      }
      case 'erc1155': {
        if (from === to) return;
        const amount = move(step, from, (owner) => encode(selectors.balanceOfId, owner, id));
        if (amount === undefined) return;
        const data = `0x${word(id)}${word(Number(amount))}`;
        emit(step, CONTRACT, [SINGLE, topic(9), topic(from), topic(to)], data);
        break;
      }
      case 'roles': {
        if (step.amount === 9) {
          const former = Number(words.get(selectors.owner) ?? 0n);
          words.set(selectors.owner, BigInt(to));
          emit(step, CONTRACT, [OWNED, topic(former), topic(to)]);
          break;
        }
        const key = encode(selectors.hasRole, id, to + 1);
        const isGranted = from % 2 === 0;
        if ((words.get(key) === 1n) === isGranted) return;
        words.set(key, isGranted ? 1n : 0n);
        emit(step, CONTRACT, [isGranted ? GRANTED : REVOKED, topic(id), topic(to + 1), topic(9)]);
        break;
      }
      case 'allowances': {
        const value = id === 0 ? 0 : step.amount;
        words.set(encode(selectors.allowance, from + 1, to + 1), BigInt(value));
        emit(step, CONTRACT, [APPROVAL, topic(from + 1), topic(to + 1)], topic(value));
      }
    }
  }

  for (const step of steps) {
    if (step.isOther) emit(step, OTHER, [TRANSFER, topic(1), topic(2)], topic(3));
    else take(step);
  }
  return logs;
}

function wordsAt({ chain, block }: ChainState): Words {
  const last = chain.logs.findLast((log) => log.address === CONTRACT && log.block <= block);
  return (last && wordsAfter.get(last)) ?? new Map();
}

/** What a call of the contract returns; undefined if it reverts. */
export function callContract(
  { form, answer }: Pick<AnyContract, 'answer' | 'form'>,
  data: string,
  state: ChainState,
): Hex | undefined {
  if (answer !== undefined) return topic(answer);
  const selector = data.slice(0, 10) as Hex;
  if (functionsOf[form].includes(selector)) {
    const value = wordsAt(state).get(data) ?? 0n;
    return selector === selectors.ownerOf && value === 0n ? undefined : topic(Number(value));
  }
  if (form === 'erc20' && selector === selectors.decimals) return topic(18);
  const isToken = form === 'erc721' || form === 'erc1155';
  if (!isToken || selector !== selectors.supportsInterface) return undefined;
  return topic(data.slice(10, 18) === (form === 'erc721' ? '80ac58cd' : 'd9b67a26') ? 1 : 0);
}

/** A row of state as one text, as {@link listRows} makes it of results. */
const rowOf = (...facts: readonly (bigint | number | string)[]) => facts.join(' ');

/** The rows that the state of the contract has, in any order. */
export function wantedRows(form: StateForm, state: ChainState): readonly string[] {
  const rows = [...wordsAt(state)].flatMap(([data, value]): readonly string[] => {
    if (value === 0n) return [];
    const [first = 0, second = 0] = [data.slice(10, 74), data.slice(74)].map((arg) =>
      Number(`0x${arg || '0'}`),
    );
    const selector = data.slice(0, 10);
    switch (selector) {
      case selectors.balanceOf:
        return form === 'erc20' ? [rowOf(`0x${account(first)}`, value)] : [];
      case selectors.ownerOf:
        return [rowOf(first, `0x${account(Number(value))}`)];
      case selectors.balanceOfId:
        return [rowOf(second, `0x${account(first)}`, value)];
      case selectors.hasRole:
        return [rowOf(topic(first), `0x${account(second)}`)];
      case selectors.owner:
        return [rowOf('owner', `0x${account(Number(value))}`)];
      case selectors.allowance:
        return [rowOf(CONTRACT, `0x${account(first)}`, `0x${account(second)}`, value)];
      default:
        return [];
    }
  });
  return rows.sort();
}

/** The rows of a result, as {@link wantedRows} has them. */
export const listRows = (rows: readonly StateRow[]): readonly string[] => rows.map(toText).sort();

function toText(row: StateRow): string {
  switch (row.kind) {
    case 'balance':
      return rowOf(row.holder, row.balance);
    case 'token':
      return rowOf(row.tokenId, row.owner);
    case 'tokenBalance':
      return rowOf(row.id, row.holder, row.balance);
    case 'role':
      return rowOf(row.role, row.member);
    case 'allowance':
      return rowOf(row.token, row.owner, row.spender, row.value);
  }
}

/** Code that cannot delegate; another one since a block. */
export const codeAt = (createdAt: number, changedAt: number, block: number) =>
  block < createdAt ? '0x' : block < changedAt ? '0x6001600055' : '0x6002600055';

interface StateNode {
  readonly traits: NodeTraits;
  readonly states: Pick<NodeTraits, 'states' | 'unseen'>;
}

const anyStateNode = (head: number): fc.Arbitrary<StateNode> =>
  fc.record({ traits: anyTraits(head), states: anyStates }).map(({ traits, states }) => ({
    // Nothing shows a replica that lags and passes off its own newest state as that of a later block.
    traits: {
      ...traits,
      lag: /now|clamped|latestOnly/.test(states.states?.kind ?? '') ? undefined : traits.lag,
    },
    states,
  }));

/** A contract of any form on any node. */
export const anyContract = anyHead.chain((head) =>
  fc.record({
    head: fc.constant(head),
    busyEvery: busyEveryOf(head),
    form: fc.constantFrom(...stateForms),
    steps: anySteps(head),
    node: anyStateNode(head),
    reorg: anyReorg(anySteps(head)),
    /** The block whose state is wanted. */
    block: fc.oneof(fc.constant(head), fc.integer({ min: 0, max: head })),
    changedAt: fc.integer({ min: 0, max: head + 10 }),
    /** What each call of the contract returns, if it returns the same for any. */
    answer: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined, freq: 5 }),
  }),
);

export type AnyContract = typeof anyContract extends fc.Arbitrary<infer T> ? T : never;

/** The client of a node with the contract, and the chains that it has, one after the other. */
export function openContract(
  { head, busyEvery, form, steps, node, reorg, changedAt, answer }: AnyContract,
  drops?: number,
) {
  const logs = run(form, steps);
  const createdAt = logs.find(({ address }) => address === CONTRACT)?.block ?? 0;
  const fork = reorg && head - reorg.depth + 1;
  const others =
    fork === undefined
      ? []
      : run(form, [
          ...steps.filter(({ block }) => block < fork),
          ...(reorg?.others ?? []).filter(({ block }) => block >= fork),
        ]);
  const first = Math.min(createdAt, others.find(({ address }) => address === CONTRACT)?.block ?? createdAt);
  const opened: AnyNode = {
    chain: { head, busyEvery, logs },
    node: {
      ...{ ...node.traits, ...node.states, drops },
      call: (data, state) => callContract({ form, answer }, data, state),
      code: (address, { block }) => (address === CONTRACT ? codeAt(first, changedAt, block) : '0x'),
    },
    reorg: reorg && { ...reorg, others },
  };
  return { ...openNode(opened), codeAt: (block: number) => codeAt(first, changedAt, block) };
}

/** The texts of the truth of each chain. */
export const truths = (chains: readonly Chain[], form: StateForm, block: number) =>
  chains.map((chain) => wantedRows(form, { chain, block }));

/** Calls of view functions, as they are written. */
export const someCalls: Readonly<
  Record<
    StateForm,
    readonly { readonly declaration: string; readonly args: readonly string[]; readonly data: string }[]
  >
> = {
  erc20: [
    { declaration: 'totalSupply() returns (uint256)', args: [], data: encode(selectors.totalSupply) },
    ...[1, 2].map((owner) => ({
      declaration: 'balanceOf(address) returns (uint256)',
      args: [`0x${account(owner)}`],
      data: encode(selectors.balanceOf, owner),
    })),
  ],
  erc721: [
    {
      declaration: 'function ownerOf(uint256) view returns (uint256)',
      args: ['1'],
      data: encode(selectors.ownerOf, 1),
    },
    {
      declaration: 'function balanceOf(address) view returns (uint256)',
      args: [`0x${account(1)}`],
      data: encode(selectors.balanceOf, 1),
    },
  ],
  erc1155: [
    {
      declaration: 'balanceOf(address,uint256) returns (uint256)',
      args: [`0x${account(1)}`, '1'],
      data: encode(selectors.balanceOfId, 1, 1),
    },
  ],
  roles: [
    {
      declaration: 'hasRole(bytes32,address) returns (uint256)',
      args: [topic(1), `0x${account(2)}`],
      data: encode(selectors.hasRole, 1, 2),
    },
  ],
  allowances: [
    {
      declaration: 'allowance(address,address) returns (uint256)',
      args: [`0x${account(1)}`, `0x${account(2)}`],
      data: encode(selectors.allowance, 1, 2),
    },
  ],
};

/** The same contract on a node that has every log and state. */
export const onHonestNode = (run: AnyContract): AnyContract => ({
  ...run,
  node: { traits: { batches: run.node.traits.batches, index: 'block' }, states: {} },
  reorg: undefined,
  answer: undefined,
});
