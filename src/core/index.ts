export { type ChainClient, createChainClient } from './chainClient.ts';
export { type Clock, systemClock } from './clock.ts';
export { type CreditCost, creditCosts, creditsOf, type DataApiCall } from './dataApi/credits.ts';
export {
  createDataApiClient,
  type DataApiCallOptions,
  type DataApiClient,
  type DataApiClientOptions,
  type ListOptions,
  type TokenBalancesOptions,
} from './dataApi/dataApiClient.ts';
export { MOST_ITEMS } from './dataApi/fields.ts';
export { type Holdings, type HoldingsOptions, readHoldings } from './dataApi/holdings.ts';
export { findKeyPlace, type KeyCheck, type KeyVerdict } from './dataApi/keyCheck.ts';
export type { NftBalances, NftCollection } from './dataApi/nftBalances.ts';
export type { NftHolding, TokenStandard } from './dataApi/nftHoldings.ts';
export type { ListedCollection, NftCollections, NftTokenIds } from './dataApi/nftLists.ts';
export type { NftAttribute, NftMetadata, NftToken } from './dataApi/nftToken.ts';
export type { NftTransactions } from './dataApi/nftTransactions.ts';
export type { ListEnd } from './dataApi/pages.ts';
export { arrangePortfolio, type Portfolio, type PortfolioTotal } from './dataApi/portfolio.ts';
export { parseQuoteCurrency, type QuoteCurrency, quoteCurrencies } from './dataApi/quoteCurrency.ts';
export type { ServedChain } from './dataApi/servedChains.ts';
export type { TokenBalance, TokenBalances } from './dataApi/tokenBalances.ts';
export type { TokenTransfer, TokenTransfers } from './dataApi/tokenTransfers.ts';
export { createDataApiRateLimit, type KeyPlace } from './dataApi/transport.ts';
export {
  AppError,
  asAppError,
  badInput,
  type ErrorDetails,
  type ErrorKind,
  isAppError,
  safeUrl,
} from './errors.ts';
export { type ExportFormat, encodeLogs, exportFormats } from './export/encodeLogs.ts';
export { type ExportFacts, exportRecord } from './export/exportRecord.ts';
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
export { type LogJson, logToJson } from './logs/logJson.ts';
export type { LoadProgress, LogPage, LogQuery, RestOfLogs } from './logs/logQuery.ts';
export { createLogStore, type LogColumn, type LogStore } from './logs/logStore.ts';
export {
  appendsOnly,
  emptyLogView,
  extendLogView,
  type LogArrangement,
  type LogSort,
  type LogView,
} from './logs/logView.ts';
export { type ReasonCode, reasonText, type Verdict, type VerdictReason } from './logs/verdict.ts';
export type { NetworkFailure } from './networkFailure.ts';
export {
  builtInNetworks,
  isHttpUrl,
  type Network,
  type NetworkProblem,
  networkFieldProblem,
  resolveNetworks,
} from './networks/network.ts';
export { publicExplorers } from './networks/publicExplorers.ts';
export { type AssetUrl, assetAddress, parseAssetUrl, requireIpfsGateway } from './nfts/assetUrl.ts';
export type { NftContract } from './nfts/nftContract.ts';
export {
  type NftHistory,
  type NftHistoryFromDataApi,
  type NftHistoryFromLogs,
  type NftHistorySources,
  type NoDataApi,
  nftHistory,
} from './nfts/nftHistory.ts';
export { fetchNftPicture, type NftPicture, type NftPictureOptions } from './nfts/nftPicture.ts';
export {
  compareNftTransfers,
  MOST_TRANSFERS,
  type NftTransfer,
  type NftTransferPlace,
} from './nfts/nftTransfer.ts';
export {
  type NftQuestion,
  type NftTransfersOptions,
  type NftTransfersPage,
  nftTransfersFromLogs,
} from './nfts/nftTransfersFromLogs.ts';
export { PictureRefusal } from './nfts/pictureRefusal.ts';
export { parseTokenId, requireTokenId } from './nfts/tokenId.ts';
export { isRetryable, retryDelay } from './retry.ts';
export type { NativeBalance } from './rpc/methods.ts';
export { createExpiringCache, type ExpiringCache } from './shared/expiringCache.ts';
export { createRateLimit, type RateLimit } from './shared/rateLimit.ts';
export { createTimeSlices, type TimeSlices } from './shared/timeSlices.ts';
export { untilAborted } from './shared/untilAborted.ts';
export { createWaits, type ToldWait, type Waits } from './shared/waits.ts';
export type { Erc20Balance } from './tokens/erc20.ts';
export type { NftContractOnChain } from './tokens/nftContractReader.ts';
export {
  type Address,
  type ChecksumState,
  checksumState,
  parseAddress,
  requireAddress,
  shortAddress,
  toChecksumAddress,
} from './values/address.ts';
export { durationText } from './values/durationText.ts';
export {
  type EventSignature,
  parseEventOrTopic0,
  parseEventSignature,
  requireTopic,
} from './values/eventSignature.ts';
export { type Hex, toQuantity } from './values/hex.ts';
export { plainText } from './values/plainText.ts';
export { withoutTrailingSlashes } from './values/trailingSlashes.ts';
export { formatUnits, formatUnitsGrouped, groupDigits } from './values/units.ts';
