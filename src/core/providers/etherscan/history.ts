import * as z from 'zod/mini';
import type { Clock } from '../../base/clock.ts';
import { AppError } from '../../base/errors.ts';
import { createTimeSlices } from '../../base/timeSlices.ts';
import type { Address } from '../../eth/hex.ts';
import {
  addressField,
  optionalField,
  parseItems,
  textField,
  transactionHashField,
  uint256Field,
} from '../../http/fields.ts';
import type { CompletenessReason } from '../../tokens/completeness.ts';
import type { HistoryList, HistoryProvider, TokenTransfer, TransferFilter } from '../../tokens/history.ts';
import type { TokenStandard } from '../../tokens/transferEvents.ts';
import { etherscanHistoryOffers } from '../provider.ts';
import type { EtherscanRequests } from './requests.ts';

/**
 * Token transfers by Etherscan's API V2, a list for each standard, merged. It has no balances over time.
 * https://docs.etherscan.io/api-reference/endpoint/tokentx
 *
 * @example
 * const list = createEtherscanHistory(requests, { clock }).transfers(address);
 * await list.next({ signal });
 */
export function createEtherscanHistory(requests: EtherscanRequests, deps: HistoryDeps): HistoryProvider {
  const createError = () =>
    new AppError('notServed', 'Etherscan has no balances over time.', { provider: requests.label });
  return {
    label: requests.label,
    offers: etherscanHistoryOffers,
    transfers: (address, filter = {}) => openTransfers(requests, { ...deps, address, filter }),
    coinBalances() {
      throw createError();
    },
    async coinBalancesByDay() {
      throw createError();
    },
  };
}

interface HistoryDeps {
  readonly clock: Clock;
}

interface TransfersRequest extends HistoryDeps {
  readonly address: Address;
  readonly filter: TransferFilter;
}

const actions: Readonly<Record<TokenStandard, string>> = {
  erc20: 'tokentx',
  erc721: 'tokennfttx',
  erc1155: 'token1155tx',
};

/** A page has the rows above the block down to which every standard has been read. */
function openTransfers(requests: EtherscanRequests, request: TransfersRequest): HistoryList<TokenTransfer> {
  const { standards = ['erc20', 'erc721', 'erc1155'] } = request.filter;
  const streams = standards.map((standard) => createTransferStream(requests, standard, request));
  const rows: TokenTransfer[] = [];
  const places = new Map<string, number>();
  const isAtEnd = () => streams.every((stream) => stream.isAtEnd);
  const getUnreadBlock = () =>
    streams.reduce((high, { unreadBlock }) => (unreadBlock > high ? unreadBlock : high), -1n);

  /** Equal rows are different transfers: none is read twice. */
  function addPlace({ transactionIndex: _, ...transfer }: StreamRow): TokenTransfer {
    const { transactionHash, contract, from, to, tokenId, amount } = transfer;
    const key = [transactionHash, contract, from, to, tokenId, amount].join(' ');
    const position = places.get(key) ?? 0;
    places.set(key, position + 1);
    return { ...transfer, position };
  }

  return {
    source: requests.label,
    rows,
    get skipped() {
      return streams.reduce((sum, { skipped }) => sum + skipped, 0);
    },
    get isAtEnd() {
      return isAtEnd();
    },
    get reasons() {
      const { skipped } = this;
      const unread = skipped > 0 ? [{ code: 'unreadable', count: skipped } as const] : [];
      return [
        ...streams.flatMap((stream) => stream.reasons),
        ...unread,
        { code: 'indexingUnknown' as const },
      ];
    },
    async next({ signal } = {}) {
      let added: readonly TokenTransfer[] = [];
      while (added.length === 0 && !isAtEnd()) {
        const unread = getUnreadBlock();
        for (const stream of streams) if (stream.unreadBlock === unread) await stream.next(signal);
        const found = streams.flatMap((stream) => stream.take(getUnreadBlock()));
        added = found.sort(compareNewestFirst).map(addPlace);
      }
      for (const row of added) rows.push(row);
      return added;
    },
  };
}

interface StreamRow extends TokenTransfer {
  readonly transactionIndex: bigint | undefined;
}

function compareNewestFirst(a: StreamRow, b: StreamRow): number {
  const blocks = b.blockNumber - a.blockNumber;
  const difference = blocks === 0n ? (b.transactionIndex ?? 0n) - (a.transactionIndex ?? 0n) : blocks;
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

/** The transfers of one standard, newest first. */
interface TransferStream {
  readonly isAtEnd: boolean;
  readonly skipped: number;
  readonly reasons: readonly CompletenessReason[];
  /** The highest block of which rows are unread; -1 at the end. */
  readonly unreadBlock: bigint;
  /** Reads the next page. Nothing changes if it fails. @throws AppError as every request does. */
  next(signal: AbortSignal | undefined): Promise<void>;
  /** Removes and returns the rows above a block. */
  take(above: bigint): readonly StreamRow[];
}

/** Records of one response on the free plan, since July 2026. */
const MAX_ROWS = 1000;
/** `page` times `offset` may be 10,000. */
const MAX_PAGES = 10;
/** Above every block number in use. */
const NEWEST_BLOCK = 9_999_999_999n;

/**
 * Pages by block, as Etherscan recommends: rows of the last block of a full page are left to the next one, which ends at
 * that block, so that no row comes twice. A block that fills a page is read by page numbers; what is beyond the last of
 * them cannot be read, and a reason says so.
 */
function createTransferStream(
  { get }: EtherscanRequests,
  standard: TokenStandard,
  request: TransfersRequest,
): TransferStream {
  const { address, filter, clock } = request;
  const reasons: CompletenessReason[] = [];
  let buffered: StreamRow[] = [];
  let skipped = 0;
  let endBlock = NEWEST_BLOCK;
  let page = 1;

  async function fetchPage(signal: AbortSignal | undefined): Promise<Page> {
    const query = {
      ...{ module: 'account', action: actions[standard], address },
      ...(filter.token && { contractaddress: filter.token }),
      ...{ startblock: '0', endblock: `${endBlock}`, sort: 'desc', page: `${page}`, offset: `${MAX_ROWS}` },
    };
    return parsePage(await get(query, { signal }), endBlock);
  }

  function advance({ blocks }: Page, last: bigint): void {
    if (blocks.length < MAX_ROWS) endBlock = -1n;
    else if (blocks[0] !== last) [endBlock, page] = [last, 1];
    else if (endBlock !== last) [endBlock, page] = [last, 2];
    else if (page < MAX_PAGES) page++;
    else {
      reasons.push({ code: 'blockCut', block: last, most: MAX_PAGES * MAX_ROWS });
      [endBlock, page] = [last - 1n, 1];
    }
  }

  return {
    get isAtEnd() {
      return endBlock < 0n;
    },
    get skipped() {
      return skipped;
    },
    reasons,
    get unreadBlock() {
      return endBlock;
    },
    async next(signal) {
      const fetched = await fetchPage(signal);
      const { entries, blocks } = fetched;
      const last = blocks.at(-1) ?? 0n;
      const isCut = blocks.length >= MAX_ROWS && blocks[0] !== last;
      const whole = isCut ? entries.slice(0, blocks.indexOf(last)) : entries;
      const slices = createTimeSlices(clock);
      const { read } = await parseItems(TransferItem, whole, { slices });
      const rows = read.map((item) => toStreamRow(item, standard)).filter((row) => isOf(row, request));
      skipped += whole.length - rows.length;
      for (const row of rows) if (isWanted(row, request)) buffered.push(row);
      advance(fetched, last);
    },
    take(above) {
      const taken = buffered.filter(({ blockNumber }) => blockNumber > above);
      buffered = buffered.filter(({ blockNumber }) => blockNumber <= above);
      return taken;
    },
  };
}

interface Page {
  readonly entries: readonly unknown[];
  /** Of each entry. */
  readonly blocks: readonly bigint[];
}

const BlockItem = z.object({ blockNumber: uint256Field });

/** @throws AppError `badResponse` unless it is a list by block, newest first, of blocks up to `endBlock`. */
function parsePage(result: unknown, endBlock: bigint): Page {
  const entries: unknown = result ?? [];
  if (!Array.isArray(entries))
    throw new AppError('badResponse', 'The response of Etherscan is not a list of transfers.');
  const blocks: bigint[] = [];
  for (const entry of entries) {
    const { data, error } = BlockItem.safeParse(entry);
    if (!data || data.blockNumber > (blocks.at(-1) ?? endBlock)) {
      throw new AppError('badResponse', 'The response of Etherscan is not a list of transfers by block.', {
        cause: error,
      });
    }
    blocks.push(data.blockNumber);
  }
  return { entries, blocks };
}

const secondsField = z.pipe(
  z.string().check(z.regex(/^\d{1,12}$/)),
  z.transform((text) => Number(text) * 1000),
);

const decimalsField = z
  .pipe(
    z.string().check(z.regex(/^\d{1,3}$/)),
    z.transform((text) => Number(text)),
  )
  .check(z.maximum(255));

const TransferItem = z.object({
  hash: transactionHashField,
  blockNumber: uint256Field,
  transactionIndex: optionalField(uint256Field),
  timeStamp: optionalField(secondsField),
  from: addressField,
  to: addressField,
  contractAddress: addressField,
  tokenName: optionalField(textField),
  tokenSymbol: optionalField(textField),
  // Empty for a token without decimals.
  tokenDecimal: optionalField(decimalsField),
  /** Of ERC-20. */
  value: optionalField(uint256Field),
  /** Of ERC-1155. */
  tokenValue: optionalField(uint256Field),
  tokenID: optionalField(uint256Field),
});

/** Etherscan has no log index of a transfer. */
function toStreamRow(item: z.infer<typeof TransferItem>, standard: TokenStandard): StreamRow {
  const amounts = { erc20: item.value, erc721: 1n, erc1155: item.tokenValue };
  return {
    transactionHash: item.hash,
    blockNumber: item.blockNumber,
    transactionIndex: item.transactionIndex,
    logIndex: undefined,
    position: 0,
    time: item.timeStamp,
    from: item.from,
    to: item.to,
    contract: item.contractAddress,
    standard,
    name: item.tokenName,
    symbol: item.tokenSymbol,
    spam: undefined,
    decimals: item.tokenDecimal,
    tokenId: standard === 'erc20' ? undefined : item.tokenID,
    amount: amounts[standard],
  };
}

/** Whether a row is of the requested address and token. */
function isOf({ from, to, contract }: StreamRow, { address, filter }: TransfersRequest): boolean {
  return (from === address || to === address) && (filter.token ?? contract) === contract;
}

/** Etherscan has no filter for the direction. */
function isWanted(row: StreamRow, { address, filter: { direction } }: TransfersRequest): boolean {
  return direction === undefined || row[direction] === address;
}
