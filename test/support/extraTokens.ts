import type { Intercept } from '../../localnet/http/faults.ts';

/** A token that an address is made to hold beside those that it has. */
export interface ExtraToken {
  readonly name: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** `count` tokens with names of their own, of which every third has a price. */
export function createExtraTokens(count: number): readonly ExtraToken[] {
  return Array.from({ length: count }, (_, index) => {
    const price = index % 3 === 0 ? { quote_rate: 1 + index, quote: 1 + index } : {};
    return { name: `Crowd ${index + 1}`, fields: price };
  });
}

/** Adds tokens to every balance that the local data API tells, in the shape of the key's generation. */
export function addTokens(tokens: readonly ExtraToken[]): Intercept {
  const change = (body: string) => {
    const answer = JSON.parse(body);
    const pattern = answer.data?.items?.[0];
    if (!pattern) return body;
    const added = tokens.map(({ name, fields }, index) => ({
      ...pattern,
      ...{ native_token: false, is_native_token: false, type: 'cryptocurrency', supports_erc: ['erc20'] },
      ...{ contract_address: `0xc0${index.toString(16).padStart(38, '0')}`, contract_decimals: 18 },
      ...{ contract_name: name, contract_ticker_symbol: name, contract_display_name: name },
      ...{ balance: `${10n ** 18n}`, quote_rate: null, quote: null, pretty_quote: null, is_spam: false },
      ...fields,
    }));
    answer.data.items.push(...added);
    return JSON.stringify(answer);
  };
  return ({ url }) => (url.includes('/balances_v2/') ? { kind: 'edit', change } : undefined);
}
