import type { Behaviour, HostileResponse } from './hostileServer.ts';

/** A way in which a data API means harm to whoever asks it what an address holds. */
export interface DataApiAttack {
  readonly name: string;
  readonly answer: () => HostileResponse;
  readonly short?: true;
}

const MIB = 1024 * 1024;

const items = (list: string): HostileResponse => ({ body: `{"data":{"items":[${list}]},"error":false}` });
const repeated = (value: string, count: number) => `${`${value},`.repeat(count - 1)}${value}`;
const address = (index: number) => `0x${index.toString(16).padStart(40, '0')}`;
const refusal = (words: string): HostileResponse => ({
  status: 400,
  body: JSON.stringify({ data: null, error: true, error_message: words, error_code: 400 }),
});

function token(index: number, change: object = {}): string {
  return JSON.stringify({
    ...{ contract_address: address(index + 1), balance: '1', contract_decimals: 18 },
    ...{ contract_name: `Token ${index}`, contract_ticker_symbol: `T${index}`, supports_erc: ['erc20'] },
    ...{ type: 'cryptocurrency', quote_rate: 1, quote: 1, ...change },
  });
}

const tokens = (count: number, change: object = {}) =>
  Array.from({ length: count }, (_, index) => token(index, change)).join(',');

export const dataApiAttacks: readonly DataApiAttack[] = [
  { name: '31 MiB of empty objects', answer: () => items(repeated('{}', 10_000_000)) },
  { name: '31 MiB of empty lists', short: true, answer: () => items(repeated('[]', 10_000_000)) },
  { name: '80,000 tokens', short: true, answer: () => items(tokens(80_000)) },
  { name: '80,000 tokens that are spam', answer: () => items(tokens(80_000, { is_spam: true })) },
  {
    name: 'a collection of a million NFTs',
    answer: () =>
      items(token(1, { nft_data: Array.from({ length: 500_000 }, (_, id) => ({ token_id: `${id}` })) })),
  },
  {
    name: 'a million standards of one token',
    answer: () => items(token(1, { supports_erc: Array.from({ length: 1_000_000 }, () => 'erc20') })),
  },
  { name: 'a name of 30 MiB', answer: () => items(token(1, { contract_name: '\u202e'.repeat(10 * MIB) })) },
  { name: 'an error of 20 MB', short: true, answer: () => refusal('chain not supported '.repeat(MIB)) },
];

export const onDataApi =
  (answer: () => HostileResponse): Behaviour =>
  ({ url }) =>
    url.startsWith('/v1/') ? answer() : undefined;
