import type { Hex } from 'ox';
import { readBlockTimes } from '../tokens/blockTimes.ts';
import { isOfMainChain } from '../tokens/collection.ts';
import { type Movement, readMovement, type Standard } from '../tokens/movements.ts';
import { notTold } from './access.ts';
import { type RestCall, type RestRoute, restReply } from './restCall.ts';
import {
  addressJson,
  instanceJson,
  isHidden,
  readTokenFacts,
  type TokenFacts,
  tokenJson,
  tokenTypes,
} from './restFacts.ts';
import { integer, type PagedList, pageReply } from './restPages.ts';

/** One id, or the one amount, that a log moved. */
type MovedRow = {
  readonly log: {
    readonly blockNumber: number;
    readonly blockHash: Hex.Hex;
    readonly transactionHash: Hex.Hex;
    readonly logIndex: number;
  };
  readonly movement: Movement;
  readonly indexInBatch: number;
};

const positionMembers = ['block_number', 'index'];
const batchMembers = ['batch_block_hash', 'batch_log_index', 'batch_transaction_hash', 'index_in_batch'];

/** `/addresses/{a}/token-transfers?type=&filter=&token=`: newest first, each id of a batch by itself. */
const ofAddress: RestRoute = {
  pattern: /^\/api\/v2\/addresses\/([^/]+)\/token-transfers$/,
  async answer(call, [written = '']) {
    const refused = await notTold(call, written);
    if (refused) return refused;
    const { query } = call;
    const owner = written.toLowerCase();
    const types = query.get('type')?.split(',');
    const token = query.get('token')?.toLowerCase();
    const side = query.get('filter');
    const rows = movedRows(call, token as Hex.Hex | undefined).filter(({ movement }) => {
      const isParty =
        side === 'to' || side === 'from'
          ? movement[side] === owner
          : movement.from === owner || movement.to === owner;
      return (
        isParty &&
        (!types || types.includes(tokenTypes[movement.standard])) &&
        !isHidden(call, movement.contract)
      );
    });
    return transfersReply(call, rows, ['type', 'filter', 'token']);
  },
};

/** `/tokens/{a}/instances/{id}/transfers`: those of one id. */
const ofInstance: RestRoute = {
  pattern: /^\/api\/v2\/tokens\/([^/]+)\/instances\/(\d+)\/transfers$/,
  async answer(call, [written = '', id = '']) {
    const refused = await notTold(call, written);
    if (refused) return refused;
    const rows = movedRows(call, written.toLowerCase() as Hex.Hex);
    if (rows.length === 0) return restReply(404, { message: 'Not found' });
    return transfersReply(
      call,
      rows.filter(({ movement, indexInBatch }) => movement.tokenIds[indexInBatch] === BigInt(id)),
      [],
    );
  },
};

export const tokenTransferRoutes: readonly RestRoute[] = [ofAddress, ofInstance];

/** Newest first; the ids of a batch in its own order. */
function movedRows(call: RestCall, contract: Hex.Hex | undefined): readonly MovedRow[] {
  const { index } = call;
  const logs = [...index.logs({ from: 0, to: index.head() ?? 0 }, contract)].reverse();
  return logs.flatMap((log) => {
    const movement = isOfMainChain({ index }, log) ? readMovement(log) : undefined;
    if (!movement) return [];
    return movement.amounts.map((_, indexInBatch) => ({ log, movement, indexInBatch }));
  });
}

async function transfersReply(call: RestCall, rows: readonly MovedRow[], filters: readonly string[]) {
  const facts = new Map<Hex.Hex, TokenFacts>();
  const list = listOf(rows, filters, call.query);
  const size = 100;
  const first = list.before(call.query) ?? 0;
  const shown = rows.slice(first, first + size);
  for (const { movement } of shown) {
    const { contract, standard } = movement;
    if (!facts.has(contract)) facts.set(contract, await readTokenFacts(call, contract, standard));
  }
  const times = await readBlockTimes(
    call,
    shown.map(({ log }) => log.blockNumber),
  );
  return pageReply(call, list, (row) => transferJson(call, row, { facts, times }));
}

function listOf(
  rows: readonly MovedRow[],
  filters: readonly string[],
  asked: URLSearchParams,
): PagedList<MovedRow> {
  const isSameLog = (a: MovedRow | undefined, b: MovedRow | undefined) =>
    a !== undefined && b !== undefined && a.log === b.log;
  return {
    ...{ rows, filters, members: [...positionMembers, ...batchMembers] },
    before(query) {
      const [block, index] = [integer(query, 'block_number'), integer(query, 'index')];
      const [batchIndex, inBatch] = [integer(query, 'batch_log_index'), integer(query, 'index_in_batch')];
      const hash = query.get('batch_transaction_hash');
      if (hash !== null && batchIndex !== undefined && inBatch !== undefined) {
        const last = rows.findIndex(
          ({ log, indexInBatch }) =>
            log.transactionHash === hash &&
            log.logIndex === Number(batchIndex) &&
            indexInBatch === Number(inBatch),
        );
        if (last >= 0) return last + 1;
      }
      if (block === undefined || index === undefined) return undefined;
      const next = rows.findIndex(
        ({ log }) => log.blockNumber < block || (log.blockNumber === Number(block) && log.logIndex < index),
      );
      return next < 0 ? rows.length : next;
    },
    cursor(last, first) {
      const row = rows[last] as MovedRow;
      if (!isSameLog(row, rows[last + 1])) return positionOf(row);
      // The last transfer of the page that is of another log; what was asked with where there is none.
      const earlier = rows.slice(first, last).findLast((one) => !isSameLog(one, row));
      const { blockHash, transactionHash, logIndex } = row.log;
      return {
        ...(earlier ? positionOf(earlier) : askedPosition(asked)),
        ...{ batch_block_hash: blockHash, batch_transaction_hash: transactionHash },
        ...{ batch_log_index: logIndex, index_in_batch: row.indexInBatch },
      };
    },
  };
}

function positionOf({ log }: MovedRow) {
  return { block_number: log.blockNumber, index: log.logIndex };
}

function askedPosition(query: URLSearchParams) {
  const given = positionMembers.filter((name) => query.has(name));
  return Object.fromEntries(given.map((name) => [name, Number(query.get(name))]));
}

const zero = `0x${'0'.repeat(40)}`;

function transferJson(
  call: RestCall,
  { log, movement, indexInBatch }: MovedRow,
  known: {
    readonly facts: ReadonlyMap<Hex.Hex, TokenFacts>;
    readonly times: ReadonlyMap<number, string>;
  },
) {
  const { from, to, standard } = movement;
  const token = known.facts.get(movement.contract) as TokenFacts;
  const hash = log.transactionHash;
  return {
    ...(call.era === 'v5' ? { tx_hash: hash } : { transaction_hash: hash, token_type: tokenTypes[standard] }),
    ...{ block_hash: log.blockHash, block_number: log.blockNumber, log_index: log.logIndex },
    timestamp: known.times.get(log.blockNumber) ?? null,
    ...{ from: addressJson(call, from), to: addressJson(call, to), token: tokenJson(call, token) },
    type: from === zero ? 'token_minting' : to === zero ? 'token_burning' : 'token_transfer',
    ...{ method: null, total: totalJson(call, { token, standard, movement, indexInBatch }) },
  };
}

function totalJson(
  call: RestCall,
  moved: {
    readonly token: TokenFacts;
    readonly standard: Standard;
    readonly movement: Movement;
    readonly indexInBatch: number;
  },
) {
  const { token, standard, movement, indexInBatch } = moved;
  const amount = {
    value: String(movement.amounts[indexInBatch]),
    decimals: token.decimals?.toString() ?? null,
  };
  const tokenId = movement.tokenIds[indexInBatch];
  if (standard === 'erc20' || tokenId === undefined) return amount;
  const instance = instanceJson(call, { token, standard, tokenId, owner: undefined, value: null });
  return {
    token_id: tokenId.toString(),
    token_instance: call.era === 'v5' ? undefined : instance,
    ...(standard === 'erc1155' ? amount : {}),
  };
}
