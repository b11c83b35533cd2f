import * as z from 'zod/mini';
import type { TimeSlices } from '../../../base/timeSlices.ts';
import type { TokenTransfer } from '../../../history/tokenTransfer.ts';
import {
  addressField,
  heightField,
  timeField,
  transactionHashField,
  uint256Field,
} from '../../../values/chainFields.ts';
import { type Hex, parseHexData } from '../../../values/hex.ts';
import { optionalField, readItems, textField } from '../../../values/outsideFields.ts';
import type { Cursor } from '../rest/cursor.ts';
import { decimalsField, partyField } from '../rest/fields.ts';
import { tokenFacts, tokenField } from '../rest/tokenFacts.ts';

const Total = z.object({
  value: optionalField(uint256Field),
  token_id: optionalField(uint256Field),
  decimals: decimalsField,
});

const Item = z.object({
  // Until v6 and since v8.
  tx_hash: optionalField(transactionHashField),
  transaction_hash: optionalField(transactionHashField),
  block_number: heightField,
  log_index: z.pipe(
    z.union([z.int().check(z.nonnegative()), z.string().check(z.regex(/^\d{1,9}$/))]),
    z.transform((written) => Number(written)),
  ),
  timestamp: optionalField(timeField),
  from: partyField,
  to: partyField,
  token: z.optional(z.union([tokenField, z.null()])),
  token_address: optionalField(addressField),
  type: optionalField(textField),
  total: z.nullish(Total),
});

/** The transfers of a page, each id of a batch by itself, and how many entries are none that can be read. */
export async function readTransferItems(
  items: readonly unknown[],
  { asked, slices }: { readonly asked: Cursor; readonly slices: TimeSlices },
) {
  const { read, skipped } = await readItems(Item, items, { slices });
  const rows: TokenTransfer[] = [];
  let last = beforeOf(asked);
  for (const item of read) {
    const hash = item.transaction_hash ?? item.tx_hash;
    const token = item.token ? tokenFacts(item.token) : undefined;
    if (!hash || !token) continue;
    const { log_index: logIndex, total } = item;
    const isSameLog = last?.hash === hash && last.logIndex === logIndex;
    const position: number = isSameLog && last ? last.position + 1 : 0;
    last = { hash, logIndex, position };
    const isSingle = token.standard === 'erc721';
    rows.push({
      ...{ transactionHash: hash, blockNumber: item.block_number, logIndex, position },
      ...{ time: item.timestamp, from: item.from, to: item.to, contract: token.contract },
      ...{ standard: token.standard, name: token.name, symbol: token.symbol, spam: token.spam },
      decimals: total?.decimals ?? token.decimals,
      tokenId: total?.token_id,
      amount: total?.value ?? (isSingle && total ? 1n : undefined),
    });
  }
  return { rows, skipped: skipped + read.length - rows.length };
}

/** The last transfer of the page before, where that ended inside of a batch. */
function beforeOf(asked: Cursor): { hash: Hex; logIndex: number; position: number } | undefined {
  const hash = parseHexData(asked.batch_transaction_hash ?? '', 32);
  const [logIndex, position] = [Number(asked.batch_log_index), Number(asked.index_in_batch)];
  if (!hash || !Number.isSafeInteger(logIndex) || !Number.isSafeInteger(position)) return undefined;
  return { hash, logIndex, position };
}

/** One transfer: its log, and its place among the ids of a batch, which may name an id twice. */
export function transferKey({ transactionHash, logIndex, tokenId, position }: TokenTransfer): string {
  return `${transactionHash} ${logIndex} ${tokenId ?? ''} ${position}`;
}
