import type { Hex } from 'ox';
import { readHoldings } from '../tokens/holdings.ts';
import { notTold } from './access.ts';
import { type RestCall, type RestRoute, restReply } from './restCall.ts';
import {
  type InstanceFacts,
  instanceJson,
  isHidden,
  nodeOf,
  priceOf,
  readTokenFacts,
  type TokenFacts,
  tokenJson,
} from './restFacts.ts';
import { integer, invalid, type PagedList, pageReply, refuseUnexpected } from './restPages.ts';

/** A row of the indexer's table of current balances. */
export type BalanceRow = {
  readonly id: number;
  readonly token: TokenFacts;
  readonly value: bigint;
  /** Of ERC-1155 only: of ERC-721 the row counts how many there are. */
  readonly tokenId: bigint | null;
  /** Dollars; null without a price. */
  readonly fiat: number | null;
};

/** `/addresses/{a}/token-balances`: everything at once, as a bare list. */
const tokenBalances: RestRoute = {
  pattern: /^\/api\/v2\/addresses\/([^/]+)\/token-balances$/,
  async answer(call, [written = '']) {
    const refused = (await notTold(call, written)) ?? refuseUnexpected(call, []);
    if (refused) return refused;
    const rows = await readBalanceRows(call, written.toLowerCase() as Hex.Hex);
    return restReply(
      200,
      rows.map((row) => balanceJson(call, row)),
    );
  },
};

/** `/addresses/{a}/tokens?type=`: the same by pages. */
const tokens: RestRoute = {
  pattern: /^\/api\/v2\/addresses\/([^/]+)\/tokens$/,
  async answer(call, [written = '']) {
    const refused = await notTold(call, written);
    if (refused) return refused;
    const fiat = call.query.get('fiat_value');
    const isStrict = call.era === 'v10' || call.era === 'v12';
    if (isStrict && fiat !== null && !/^(?:|null|-?\d+(?:\.\d+)?)$/.test(fiat))
      return invalid('fiat_value', 'Invalid format');
    const all = await readBalanceRows(call, written.toLowerCase() as Hex.Hex);
    const types = call.query.get('type')?.split(',');
    return pageReply(call, listOf(all.filter(({ token }) => !types || types.includes(token.type))), (row) =>
      balanceJson(call, row),
    );
  },
};

export const addressTokenRoutes: readonly RestRoute[] = [tokenBalances, tokens];

function listOf(rows: readonly BalanceRow[]): PagedList<BalanceRow> {
  return {
    ...{ rows, filters: ['type'], members: ['fiat_value', 'id', 'value'] },
    before(query) {
      const [value, id] = [integer(query, 'value'), integer(query, 'id')];
      if (value === undefined || id === undefined) return undefined;
      const price = Number.parseFloat(query.get('fiat_value') ?? '');
      const place = { value, id: Number(id), fiat: Number.isNaN(price) ? null : price };
      const index = rows.findIndex((row) => compareRows(row, place) > 0);
      return index < 0 ? rows.length : index;
    },
    cursor(last) {
      const { fiat, value, id } = rows[last] as BalanceRow;
      return { fiat_value: fiat?.toString() ?? null, value: value.toString(), id };
    },
  };
}

type Place = Pick<BalanceRow, 'fiat' | 'id' | 'value'>;

/** By worth, the most first and unknown worth last, then by amount, then the latest row. */
function compareRows(a: Place, b: Place): number {
  if (a.fiat !== b.fiat) return (b.fiat ?? -1) - (a.fiat ?? -1);
  if (a.value !== b.value) return a.value > b.value ? -1 : 1;
  return b.id - a.id;
}

/** What was read of an index at its newest block, by what was asked and how the explorer is set up. */
const known = new WeakMap<
  object,
  { head: number | undefined; rows: Map<string, Promise<readonly BalanceRow[]>> }
>();

/**
 * What an address holds, that of nothing left out, in the order of both routes. Each page of a list asks for all of it,
 * so it is kept until there is another block.
 */
export async function readBalanceRows(call: RestCall, holder: Hex.Hex): Promise<readonly BalanceRow[]> {
  const { index, knobs } = call;
  const head = index.head();
  const kept = known.get(index);
  const rows = kept && kept.head === head ? kept.rows : new Map<string, Promise<readonly BalanceRow[]>>();
  known.set(index, { head, rows });
  const hidden = knobs.scam?.filter((token) => isHidden(call, token));
  const name = JSON.stringify([holder, hidden, knobs]);
  const asked = rows.get(name) ?? makeBalanceRows(call, holder);
  rows.set(name, asked);
  asked.catch(() => rows.delete(name));
  return asked;
}

async function makeBalanceRows(call: RestCall, holder: Hex.Hex): Promise<readonly BalanceRow[]> {
  const held = await readHoldings({ index: call.index, node: nodeOf(call) }, holder);
  const rows: Omit<BalanceRow, 'id' | 'fiat'>[] = [];
  for (const { address, balance } of held.tokens) {
    if (balance === 0n) continue;
    rows.push({ token: await readTokenFacts(call, address, 'erc20'), value: balance, tokenId: null });
  }
  for (const { address, standard, nfts } of held.collections) {
    const token = await readTokenFacts(call, address, standard);
    if (standard === 'erc721') rows.push({ token, value: BigInt(nfts.length), tokenId: null });
    else for (const { tokenId, amount } of nfts) rows.push({ token, value: amount, tokenId });
  }
  return [...rows, ...crowd(call, holder)]
    .filter(({ token }) => !isHidden(call, token.address))
    .map((row, index) => ({ ...row, id: index + 1, fiat: fiatOf(call, row) }))
    .sort(compareRows);
}

function fiatOf(call: RestCall, { token, value }: Pick<BalanceRow, 'token' | 'value'>): number | null {
  const price = priceOf(call, token.symbol);
  return price === null || token.decimals === undefined
    ? null
    : (Number(value) / 10 ** token.decimals) * Number(price);
}

function crowd({ knobs }: RestCall, holder: Hex.Hex): readonly Omit<BalanceRow, 'id' | 'fiat'>[] {
  if (knobs.crowd?.holder !== holder) return [];
  return Array.from({ length: knobs.crowd.count }, (_, index) => ({
    token: {
      address: `0xc0${index.toString(16).padStart(38, '0')}`,
      ...{ type: 'ERC-20', name: `Crowd ${index + 1}`, symbol: `CROWD${index + 1}` },
      ...{ decimals: 18, supply: 10n ** 24n },
    },
    // Many of the same amount: what stands between them is the number of the row alone.
    value: BigInt(1 + (index % 7)) * 10n ** 18n,
    tokenId: null,
  }));
}

function balanceJson(call: RestCall, { token, value, tokenId }: BalanceRow) {
  const instance: InstanceFacts | undefined =
    tokenId === null ? undefined : { token, standard: 'erc1155', tokenId, owner: undefined, value: null };
  return {
    ...{ value: value.toString(), token_id: tokenId?.toString() ?? null },
    token: tokenJson(call, token),
    token_instance: instance ? instanceJson(call, instance) : null,
  };
}
