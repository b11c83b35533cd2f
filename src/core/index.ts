export { type ChainClient, createChainClient } from './chainClient.ts';
export { type Clock, systemClock } from './clock.ts';
export {
  createDataApiClient,
  createDataApiRateLimit,
  type DataApiClient,
  type DataApiClientOptions,
  type KeyPlace,
  type KeyVerdict,
  type TokenBalancesOptions,
} from './dataApi/dataApiClient.ts';
export type { NftBalances, NftCollection } from './dataApi/nftBalances.ts';
export type { NftHolding, TokenStandard } from './dataApi/nftHoldings.ts';
export { parseQuoteCurrency, type QuoteCurrency, quoteCurrencies } from './dataApi/quoteCurrency.ts';
export type { ServedChain } from './dataApi/servedChains.ts';
export type { TokenBalance, TokenBalances } from './dataApi/tokenBalances.ts';
export {
  AppError,
  asAppError,
  badInput,
  type ErrorDetails,
  type ErrorKind,
  isAppError,
  safeUrl,
} from './errors.ts';
export type { FetchLike, HttpDeps, HttpExchange } from './http.ts';
export { type Dialect, describeDialect } from './logs/dialect.ts';
export { compareLogs, type Log } from './logs/log.ts';
export {
  type BlockTag,
  createLogFilter,
  type LogFilter,
  parseBlockTag,
  parseLogFilter,
} from './logs/logFilter.ts';
export type { LoadProgress, LogPage, LogQuery, RestOfLogs } from './logs/logQuery.ts';
export { createLogStore, type LogStore } from './logs/logStore.ts';
export { type ReasonCode, reasonText, type Verdict, type VerdictReason } from './logs/verdict.ts';
export {
  builtInNetworks,
  isHttpUrl,
  type Network,
  type NetworkProblem,
  networkFieldProblem,
  resolveNetworks,
} from './networks/network.ts';
export { publicExplorers } from './networks/publicExplorers.ts';
export { isRetryable, retryDelay } from './retry.ts';
export type { NativeBalance } from './rpc/methods.ts';
export { createExpiringCache, type ExpiringCache } from './shared/expiringCache.ts';
export { createRateLimit, type RateLimit } from './shared/rateLimit.ts';
export {
  type Address,
  type ChecksumState,
  checksumState,
  parseAddress,
  requireAddress,
  shortAddress,
  toChecksumAddress,
} from './values/address.ts';
export {
  type EventSignature,
  parseEventOrTopic0,
  parseEventSignature,
  requireTopic,
} from './values/eventSignature.ts';
export { type Hex, toQuantity } from './values/hex.ts';
export { plainText } from './values/plainText.ts';
export { formatUnits, formatUnitsGrouped, groupDigits } from './values/units.ts';
