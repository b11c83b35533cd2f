import type { Network } from '../../src/core/index.ts';
import type { RowTimes } from '../../src/features/logs/decoded/rowReader.ts';
import type { TimesState } from '../../src/host/blockTimes.ts';
import type { Language, Localizer } from '../../src/host/l10n.ts';

/** English as it is written in the program. */
export const l10n: Localizer = {
  t: (message, ...values) => message.replaceAll(/\{(\d+)\}/g, (_, index) => String(values[Number(index)])),
};

export const english: Language = { l10n, locale: 'en' };

/** A network of a chain, whose endpoint nobody is to ask. */
export function anyNetwork(chainId: number): Network {
  const rpcUrl = 'http://127.0.0.1:1/api/eth-rpc';
  return { id: 'test', name: 'Test', chainId, rpcUrl, symbol: 'ETH', decimals: 18 };
}

/** Times of rows by their blocks, in milliseconds. */
export function rowTimes(
  times: ReadonlyMap<bigint, number> = new Map(),
  state: TimesState = 'asked',
): RowTimes {
  return {
    state,
    timeOf: ({ time, blockNumber }) => time ?? times.get(blockNumber),
    format: (time) => ({ text: `at ${time}`, hint: `exactly ${time}` }),
  };
}
