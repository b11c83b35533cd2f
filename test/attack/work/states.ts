import assert from 'node:assert/strict';
import { systemClock } from '../../../src/core/base/clock.ts';
import { createTimeSlices } from '../../../src/core/base/timeSlices.ts';
import { hashSignature } from '../../../src/core/eth/keccak.ts';
import { checkState } from '../../../src/core/queries/checkState.ts';
import { joinStates } from '../../../src/core/state/compareStates.ts';
import type { StateKind } from '../../../src/core/state/contractState.ts';
import { fetchState, type StateDeps } from '../../../src/core/state/fetchState.ts';
import { transferEvents } from '../../../src/core/tokens/transferEvents.ts';
import { below, type Chance, hashOf, pick } from './random.ts';
import type { Work } from './work.ts';

const CONTRACT = `0x${'5a'.repeat(20)}` as const;
const BLOCK = 1_000_000n;
const LOGS_OF_A_PAGE = 1000;
/** So short is a log of a server that leaves out what it can. */
const BYTES_OF_A_LOG = 100;

const TRANSFER = transferEvents.transfer.topic0;
const TRANSFER_SINGLE = transferEvents.transferSingle.topic0;
const APPROVAL = hashSignature('Approval(address,address,uint256)');
const ROLE_GRANTED = hashSignature('RoleGranted(bytes32,address,address)');
const ROLES_UPDATED = hashSignature('RolesUpdated(address,uint256)');
const ZERO = hashOf(0);

interface Shape {
  readonly kind: StateKind;
  readonly toBody: (index: number) => { readonly topics: readonly string[]; readonly data: string };
}

const word = (value: number) => hashOf(value).slice(2);

/** Logs of as many holders, members or spenders as there are logs. */
const SHAPES: readonly Shape[] = [
  {
    kind: 'holders',
    toBody: (index) => ({ topics: [TRANSFER, ZERO, hashOf(index)], data: hashOf(index) }),
  },
  {
    kind: 'holders',
    toBody: (index) => ({ topics: [TRANSFER, ZERO, hashOf(index % 999), hashOf(index)], data: '0x' }),
  },
  {
    kind: 'holders',
    toBody: (index) => ({
      topics: [TRANSFER_SINGLE, ZERO, ZERO, hashOf(index)],
      data: `0x${'7'.repeat(48)}${word(index).slice(48)}${word(5)}`,
    }),
  },
  {
    kind: 'allowances',
    toBody: (index) => ({ topics: [APPROVAL, hashOf(index), hashOf(index + 1)], data: hashOf(index) }),
  },
  {
    kind: 'roles',
    toBody: (index) => ({ topics: [ROLE_GRANTED, hashOf(index % 7), hashOf(index), ZERO], data: '0x' }),
  },
  {
    kind: 'roles',
    toBody: (index) => ({ topics: [ROLE_GRANTED, hashOf(index), hashOf(index), ZERO], data: '0x' }),
  },
  {
    kind: 'roles',
    toBody: (index) => ({ topics: [ROLES_UPDATED, hashOf(index)], data: `0x${'f'.repeat(64)}` }),
  },
];

interface Given extends Shape {
  readonly count: number;
  /** What each call returns. */
  readonly result: string;
  readonly expected: readonly number[];
}

function createClient({ toBody, count, result }: Given): StateDeps['client'] {
  const verdict = { state: 'complete', reasons: [], order: 'oldestFirst', fromBlock: 0n, toBlock: BLOCK };
  async function* rest() {
    for (let start = 1; start <= count; start += LOGS_OF_A_PAGE) {
      const logs = Array.from({ length: Math.min(LOGS_OF_A_PAGE, count + 1 - start) }, (_, index) => ({
        ...{ ...toBody(start + index), address: CONTRACT, blockNumber: BigInt(start), logIndex: index },
        transactionHash: hashOf(start + index),
      }));
      yield { logs, verdict: { ...verdict, readThrough: BLOCK } };
    }
  }
  return {
    openLogQuery: () => ({ rest }),
    getBlockHash: async () => hashOf(1),
    fetchTokenUnits: async () => undefined,
    fetchTransferStandard: async () => 'byForm',
    requireCode: async () => undefined,
    callAtBlock: async () => result,
    getBlockNumber: async () => BLOCK,
    getCode: async () => '0x6001',
    fetchProxy: async () => ({ proxy: undefined, reasons: [] }),
  } as unknown as StateDeps['client'];
}

const LISTS = { holders: 'holders', roles: 'members', allowances: 'spenders' } as const;

export const statesWork: readonly Work<Given>[] = [
  {
    ...{ name: 'the logs of holders, allowances and roles', most: 32 * 1024 * 1024, seeds: 500 },
    make: (size: number, chance: Chance): Given => ({
      ...pick(chance, SHAPES),
      count: Math.ceil(size / BYTES_OF_A_LOG),
      result: pick(chance, [ZERO, hashOf(5), '0x', hashOf(below(chance, size))]),
      expected: pick(chance, [[], [1, 2, 3]]),
    }),
    async run(given) {
      const { kind, expected } = given;
      const read = () =>
        fetchState(
          { kind, address: CONTRACT, owner: undefined, block: BLOCK },
          { client: createClient(given), clock: systemClock },
          {
            expected: expected.map((each) => ({ address: `0x${word(each).slice(24)}`, role: undefined })),
          },
        );
      const state = await read();
      const { rows, verdict } = state;
      await joinStates(rows, rows, { slices: createTimeSlices(systemClock) });
      const names = {
        resolveAddress: (text: string) => text,
        nameOf: () => undefined,
        index: { contracts: [] },
      };
      const confirmed = { ...verdict, confirmed: true };
      const definition = {
        state: { kind, contract: CONTRACT, block: Number(BLOCK) },
        needs: 'confirmed' as const,
        expect: { [LISTS[kind]]: kind === 'roles' ? { [hashOf(3)]: [CONTRACT] } : [CONTRACT] },
      };
      for (const each of [definition, { ...definition, expect: undefined }]) {
        const outcome = await checkState(each, names as never, {
          ...{ client: createClient(given) as never, now: Date.now() },
          fetchCalledRoles: async () => undefined,
          fetchState: async () => ({ ...state, verdict: confirmed }),
        });
        assert.match(outcome.state, /^(?:differs|ok)$/);
      }
    },
  },
];
