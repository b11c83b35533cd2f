export {
  type EventSignature,
  parseEventOrTopic0,
  parseEventSignature,
  requireTopic,
} from './abi/eventSignature.ts';
export { type Clock, systemClock } from './base/clock.ts';
export {
  AppError,
  asAppError,
  badInput,
  type ErrorDetails,
  type ErrorKind,
  isAppError,
  safeUrl,
} from './base/errors.ts';
export { createExpiringCache, type ExpiringCache } from './base/expiringCache.ts';
export type { NetworkFailure } from './base/networkFailure.ts';
export { createRateLimit, type RateLimit } from './base/rateLimit.ts';
export { createTimeSlices, type TimeSlices } from './base/timeSlices.ts';
export { untilAborted } from './base/untilAborted.ts';
export { createWaits, type ToldWait, type Waits } from './base/waits.ts';
export { type ChainClient, createChainClient } from './chainClient.ts';
export { type ExportFormat, encodeLogs, exportFormats } from './export/encodeLogs.ts';
export { type ExportFacts, exportRecord } from './export/exportRecord.ts';
export type { Erc20Balance } from './holdings/erc20.ts';
export { type Holdings, type HoldingsOptions, readHoldings } from './holdings/holdings.ts';
export { arrangePortfolio, type Portfolio, type PortfolioTotal } from './holdings/portfolio.ts';
export { parseQuoteCurrency, type QuoteCurrency, quoteCurrencies } from './holdings/quoteCurrency.ts';
export type { FetchLike, HttpDeps, HttpExchange } from './http/http.ts';
export { createOriginGates, type OriginGate, type OriginGates } from './http/originGate.ts';
export { isRetryable, retryDelay } from './http/retry.ts';
export { compareLogs, type Log } from './logs/query/log.ts';
export {
  type BlockTag,
  createLogFilter,
  type LogFilter,
  parseBlockTag,
  parseLogFilter,
} from './logs/query/logFilter.ts';
export { type LogJson, logToJson } from './logs/query/logJson.ts';
export type { LoadProgress, LogPage, LogQuery, RestOfLogs } from './logs/query/logQuery.ts';
export { type ReasonCode, reasonText, type Verdict, type VerdictReason } from './logs/query/verdict.ts';
export { type Dialect, describeDialect } from './logs/server/dialect.ts';
export { createLogStore, type LogColumn, type LogStore } from './logs/store/logStore.ts';
export {
  appendsOnly,
  emptyLogView,
  extendLogView,
  type LogArrangement,
  type LogSort,
  type LogView,
} from './logs/store/logView.ts';
export {
  builtInNetworks,
  isHttpUrl,
  type Network,
  type NetworkProblem,
  networkFieldProblem,
  resolveNetworks,
} from './networks/network.ts';
export { publicExplorers } from './networks/publicExplorers.ts';
export type { NftContract } from './nfts/nftContract.ts';
export type { NftContractOnChain } from './nfts/nftContractReader.ts';
export {
  type NftHistory,
  type NftHistoryFromDataApi,
  type NftHistoryFromLogs,
  type NftHistorySources,
  type NoDataApi,
  nftHistory,
} from './nfts/nftHistory.ts';
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
export { type AssetUrl, assetAddress, parseAssetUrl, requireIpfsGateway } from './nfts/pictures/assetUrl.ts';
export { fetchNftPicture, type NftPicture, type NftPictureOptions } from './nfts/pictures/nftPicture.ts';
export { PictureRefusal } from './nfts/pictures/pictureRefusal.ts';
export { parseTokenId, requireTokenId } from './nfts/tokenId.ts';
export type { NativeBalance } from './rpc/methods.ts';
export { type CreditCost, creditCosts, creditsOf, type DataApiCall } from './sources/covalent/credits.ts';
export {
  createDataApiClient,
  type DataApiCallOptions,
  type DataApiClient,
  type DataApiClientOptions,
  type ListOptions,
  type TokenBalancesOptions,
} from './sources/covalent/dataApiClient.ts';
export { MOST_ITEMS } from './sources/covalent/fields.ts';
export { findKeyPlace, type KeyCheck, type KeyVerdict } from './sources/covalent/keyCheck.ts';
export type { NftBalances, NftCollection } from './sources/covalent/nftBalances.ts';
export type { NftHolding, TokenStandard } from './sources/covalent/nftHoldings.ts';
export type { ListedCollection, NftCollections, NftTokenIds } from './sources/covalent/nftLists.ts';
export type { NftAttribute, NftMetadata, NftToken } from './sources/covalent/nftToken.ts';
export type { NftTransactions } from './sources/covalent/nftTransactions.ts';
export type { ListEnd } from './sources/covalent/pages.ts';
export type { ServedChain } from './sources/covalent/servedChains.ts';
export type { TokenBalance, TokenBalances } from './sources/covalent/tokenBalances.ts';
export type { TokenTransfer, TokenTransfers } from './sources/covalent/tokenTransfers.ts';
export { createDataApiRateLimit, type KeyPlace } from './sources/covalent/transport.ts';
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
export { type Hex, toQuantity } from './values/hex.ts';
export { joinBytes } from './values/joinBytes.ts';
export { plainText } from './values/plainText.ts';
export { withoutTrailingSlashes } from './values/trailingSlashes.ts';
export { formatUnits, formatUnitsGrouped, groupDigits } from './values/units.ts';
