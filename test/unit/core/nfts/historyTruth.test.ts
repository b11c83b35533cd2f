import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  describeReasons,
  formatMessage,
  type NftTransfer,
  systemClock,
  type Verdict,
} from '../../../../src/core/index.ts';
import { fetchNftTransfersFromLogs } from '../../../../src/core/nfts/nftTransferLogs.ts';
import { assertOneOf, isMistake } from '../../../support/anyLogQuery.ts';
import { type ChainLog, openNode } from '../../../support/anyNode.ts';
import { anyHead, anyReorg, anyTraits, busyEveryOf } from '../../../support/anyTraits.ts';
import { BATCH, CONSECUTIVE, SINGLE, TRANSFER, topic, word } from '../../../support/nftLogs.ts';

const CONTRACT = '0xc0de7210000000000000000000000000000000a1' as const;
const OTHER = `0x${'d'.repeat(40)}`;
const TOKEN_IDS = 4;

/** What a contract emits for a transfer, and what it says of itself. */
const forms = [
  ...(['erc721', 'erc2309', 'erc1155', 'unindexed', 'unindexedUntold', 'erc20'] as const),
  /** Indexes IDs only since a while, and also emits events of ERC-1155 for other IDs. */
  ...(['laterIndexed', 'withCopies'] as const),
];
type Form = (typeof forms)[number];

/** Somebody sends a token to an account; account 0 is the zero address. */
interface Step {
  readonly block: number;
  readonly tokenId: number;
  readonly to: number;
  /** Only the other contract emits this one. */
  readonly isOther: boolean;
}

/** A transfer of the token, as the history has to list it: block, from, to and amount. */
const movement = (...facts: readonly (number | bigint | string)[]) => facts.map(Number).join(' ');

const steps = (head: number): fc.Arbitrary<readonly Step[]> =>
  fc
    .array(
      fc.record({
        block: fc.integer({ min: 0, max: head }),
        tokenId: fc.integer({ min: 0, max: TOKEN_IDS - 1 }),
        to: fc.integer({ min: 0, max: 3 }),
        isOther: fc.boolean(),
      }),
      { maxLength: 40 },
    )
    .map((found) => found.sort((a, b) => a.block - b.block));

/** The logs of these steps, and what they move of token 1. */
function run(form: Form, all: readonly Step[]) {
  const logs: ChainLog[] = [];
  const movements: { readonly block: number; readonly text: string }[] = [];
  const owners = new Map<number, number>();

  function emit(block: number, address: string, { topics, data = '0x' }: Emitted): void {
    logs.push({ block, place: logs.filter((log) => log.block === block).length, address, topics, data });
  }

  for (const { block, tokenId, to: wanted, isOther } of all) {
    if (isOther) {
      emit(block, OTHER, toLog('erc721', { from: 1, to: 2, tokenId }));
      continue;
    }
    const isMintOfAll = form === 'erc2309' && owners.size === 0;
    const from = owners.get(tokenId) ?? 0;
    // A token that nobody owns can only be minted.
    const to = from === 0 && wanted === 0 ? 1 : wanted;
    const ids = isMintOfAll ? [...Array(TOKEN_IDS).keys()] : [tokenId];
    for (const id of ids) owners.set(id, to);
    const isCopy = form === 'withCopies' && tokenId > 1;
    const emitted = isMintOfAll ? 'mintOfAll' : isCopy ? 'copies' : isEarly(form, block) ? 'unindexed' : form;
    emit(block, CONTRACT, toLog(emitted, { from, to, tokenId }));
    const isBatch = form === 'erc1155' && tokenId > 1;
    const amounts = isBatch ? [2, 5] : ids.includes(1) ? [form === 'erc1155' ? 5 : 1] : [];
    if (form === 'erc20') continue;
    for (const amount of amounts) movements.push({ block, text: movement(block, from, to, amount) });
  }
  return { logs, movements };
}

/** Whether a contract does not index the IDs of its transfers in this block. */
const isEarly = (form: Form, block: number) =>
  form === 'withCopies' || (form === 'laterIndexed' && block < FIRST_INDEXED);

const FIRST_INDEXED = 40;

interface Emitted {
  readonly topics: readonly string[];
  readonly data?: string;
}

function toLog(
  form: Form | 'copies' | 'mintOfAll',
  { from, to, tokenId }: { readonly from: number; readonly to: number; readonly tokenId: number },
): Emitted {
  switch (form) {
    case 'mintOfAll':
      return { topics: [CONSECUTIVE, topic(0), topic(from), topic(to)], data: topic(TOKEN_IDS - 1) };
    case 'copies':
      return { topics: [SINGLE, topic(9), topic(from), topic(to)], data: `0x${word(tokenId)}${word(5)}` };
    case 'erc1155':
      if (tokenId <= 1)
        return { topics: [SINGLE, topic(9), topic(from), topic(to)], data: `0x${word(tokenId)}${word(5)}` };
      // The same ID twice in a batch, beside others.
      return {
        topics: [BATCH, topic(9), topic(from), topic(to)],
        data: `0x${[64, 192, 3, 1, tokenId, 1, 3, 2, 7, 5].map(word).join('')}`,
      };
    case 'unindexed':
    case 'unindexedUntold':
      return { topics: [TRANSFER], data: `0x${word(from)}${word(to)}${word(tokenId)}` };
    case 'erc20':
      return { topics: [TRANSFER, topic(from), topic(to)], data: topic(tokenId) };
    default:
      return { topics: [TRANSFER, topic(from), topic(to), topic(tokenId)] };
  }
}

/** What a contract of this form returns to a call. */
const callOf = (form: Form) => (data: string) => {
  const selector = data.slice(2, 10);
  const isInterface = selector === '01ffc9a7';
  switch (form) {
    case 'erc20':
      return selector === '313ce567' ? topic(18) : undefined;
    case 'unindexedUntold':
      return undefined;
    case 'unindexed':
    case 'withCopies':
    case 'laterIndexed':
      return selector === '6352211e' ? topic(2) : undefined;
    case 'erc1155':
      return isInterface ? topic(data.slice(10, 18) === 'd9b67a26' ? 1 : 0) : undefined;
    default:
      return isInterface ? topic(data.slice(10, 18) === '80ac58cd' ? 1 : 0) : undefined;
  }
};

const cases = anyHead.chain((head) =>
  fc.record({
    head: fc.constant(head),
    busyEvery: busyEveryOf(head),
    form: fc.constantFrom(...forms),
    steps: steps(head),
    node: anyTraits(head),
    reorg: anyReorg(steps(head)),
    from: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: head })),
    to: fc.oneof(fc.constant(undefined), fc.integer({ min: 0, max: head + 10 })),
  }),
);

describe('a complete history of a token', () => {
  it('lists every transfer, whatever the contract emits and on any node', async () => {
    const states = new Map<Verdict['state'], number>();
    await fc.assert(
      fc.asyncProperty(cases, async ({ head, busyEvery, form, steps, node, reorg, from, to = head }) => {
        const before = run(form, steps);
        const fork = reorg && head - reorg.depth + 1;
        const after =
          reorg && fork !== undefined
            ? run(form, [
                ...steps.filter(({ block }) => block < fork),
                ...reorg.others.filter(({ block }) => block >= fork),
              ])
            : before;
        const { client } = openNode({
          chain: { head, busyEvery, logs: before.logs },
          node: { ...node, call: callOf(form) },
          reorg: reorg && { ...reorg, others: after.logs },
        });
        const transfers: NftTransfer[] = [];
        let verdict: Verdict | undefined;
        try {
          const range = { fromBlock: BigInt(from), toBlock: BigInt(to) };
          const request = { contract: CONTRACT, tokenId: 1n, ...range };
          for await (const page of fetchNftTransfersFromLogs(client, request, { clock: systemClock })) {
            transfers.push(...page.transfers);
            verdict = page.verdict;
          }
        } catch (error) {
          assert.ok(!isMistake(error), String((error as Error).cause));
          return;
        }
        assert.ok(verdict && verdict.state !== 'more');
        states.set(verdict.state, (states.get(verdict.state) ?? 0) + 1);
        if (verdict.state === 'uncertain') {
          assert.ok(verdict.reasons.length > 0);
          return;
        }
        const { toBlock } = verdict;
        const wanted = [before, after].map(({ movements }) =>
          movements
            .filter(({ block }) => block >= from && block <= Number(toBlock))
            .map(({ text }) => text)
            .sort(),
        );
        // One of the queries may have read further than the others.
        const given = transfers
          .filter(({ blockNumber }) => blockNumber <= toBlock)
          .map(({ blockNumber, from, to, amount = 0n }) => movement(blockNumber, from, to, amount))
          .sort();
        const reasons = describeReasons(verdict.reasons).map(formatMessage).join(' ');
        assertOneOf(given, wanted, `${verdict.state} ${reasons}`);
        const isReached = to <= head && from <= head;
        // A node that is behind may not have reached it.
        assert.ok(verdict.state === (isReached ? 'complete' : 'unreached') || (isReached && node.lag));
      }),
    );
    assert.ok((states.get('complete') ?? 0) > 0);
  });
});
