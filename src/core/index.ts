export type {
  AbiLookup,
  ActiveImplementation,
  Candidate,
  CandidateTiers,
  ChainAddress,
  ContractVersions,
  LogPosition,
  Origin,
  Trust,
  VerifiedOrigin,
  VersionedCandidate,
  VersionedLookup,
  VersionReason,
} from './abi/candidates.ts';
export {
  type EventSignature,
  findUnknownTypes,
  parseEventOrTopic0,
  parseEventSignature,
  replaceUnknownTypes,
  requireTopic,
  type UnknownType,
} from './abi/declaration.ts';
export type { DecodeError, DecodeErrorCode } from './abi/decode.ts';
export { encodeParameters, encodeTopic, toAbiWord } from './abi/encode.ts';
export { formatUndecodedReason, type UndecodedReason } from './abi/eventDecoder.ts';
export { explainHex, findWordPreimage, formatNoMeaning, MAX_HEX_DIGITS } from './abi/explainHex.ts';
export {
  type BareMeaning,
  type DataMeaning,
  formatNestedPath,
  type HashMeaning,
  type HexMeaning,
  type MeaningJson,
  meaningToJson,
  type NestedMeaning,
  type UnfitMeaning,
} from './abi/hexMeaning.ts';
export {
  type AbiError,
  type AbiEvent,
  type AbiFunction,
  type AbiItem,
  type AbiItemText,
  formatAbiItem,
  parseAbiItem,
} from './abi/item.ts';
export {
  createLogDecoder,
  type DecodedEvent,
  type DecodedJson,
  type DecodedLog,
  decodedLogToJson,
  type LogDecoder,
} from './abi/logDecoder.ts';
export {
  type AbiResolver,
  type ContractAbi,
  contractAbiId,
  createAbiLookup,
  type LocatedItem,
  mergeAbiResolvers,
  mergeLookups,
  type PreparedLookup,
} from './abi/lookup.ts';
export { type AbiParameter, type AbiType, type AbiValue, type EventParameter, isHashed } from './abi/type.ts';
export { type AbiJson, formatAbiValue, formatIntegerBound, getIntegerBounds } from './abi/value.ts';
export {
  type BackoffControl,
  type Clock,
  createBackoffControl,
  createRequestThrottle,
  type RequestThrottle,
  systemClock,
  type VisibleBackoff,
} from './base/clock.ts';
export { forEachLimited, lazy, untilAborted } from './base/concurrency.ts';
export {
  AppError,
  asAppError,
  badInput,
  type ErrorDetails,
  type ErrorKind,
  isAppError,
  safeUrl,
  type ValidationCode,
  type ValidationError,
} from './base/errors.ts';
export { createExpiringCache, type ExpiringCache, type TextStore } from './base/expiringCache.ts';
export type { NetworkError } from './base/networkErrors.ts';
export {
  type Cost,
  type FetchOptions,
  getProviderId,
  type KeyPlace,
  MAX_LIST_ITEMS,
  type Offers,
  type Price,
  type Provenance,
  type ProviderId,
  type ProviderLabel,
} from './base/provenance.ts';
export { editDistance, formatDuration, sanitizeText } from './base/text.ts';
export { createTimeSlices, type TimeSlices } from './base/timeSlices.ts';
export { isLoopbackUrl, trimTrailingSlashes } from './base/urls.ts';
export { compareValues, isRecord } from './base/values.ts';
export type { BalancesRequest, BalancesResponse } from './client/chainCalls.ts';
export { type ChainClient, createChainClient } from './client/chainClient.ts';
export type { Erc20Balance } from './client/contractCalls.ts';
export {
  type EndpointFacts,
  type EndpointSearch,
  findWorkingEndpoint,
  probeEndpoint,
  type UnusableEndpoint,
} from './client/probeEndpoint.ts';
export {
  type CopyError,
  type CopyLog,
  type CopyQuery,
  type CopyResult,
  toCopyBlocks,
} from './copyAs/copyQuery.ts';
export { MAX_EXPECTED_LOGS } from './copyAs/foundryTest.ts';
export { copyLogsTargets, copyQueryTargets, createQueryForLog } from './copyAs/targets.ts';
export { concatBytes } from './eth/bytes.ts';
export {
  type Address,
  formatShortAddress,
  type Hex,
  parseAddress,
  parseHexData,
  requireAddress,
  toQuantity,
  ZERO_ADDRESS,
} from './eth/hex.ts';
export { type ChecksumState, getChecksumState, toChecksumAddress } from './eth/keccak.ts';
export {
  type BlockTime,
  formatIsoTime,
  isTimeTag,
  MAX_BLOCK_TIMES,
  notTimeError,
  parseTimeTag,
  resolveTimeTag,
} from './eth/time.ts';
export { formatUnits, formatUnitsGrouped, groupDigits } from './eth/units.ts';
export { createExportDecoding, type ExportDecoding } from './export/columns.ts';
export {
  createExportRecord,
  type ExportFacts,
  type ExportFormat,
  type ExportOrder,
  type ExportTimesFacts,
  encodeLogs,
  exportFormats,
  getExportFormat,
} from './export/formats.ts';
export { formatTableLine } from './export/textFormats.ts';
export type { FetchLike, HttpDeps, HttpExchange, RemainingCredits } from './http/exchange.ts';
export {
  createOriginGates,
  getRetryDelay,
  isRetryable,
  isTemporary,
  type OriginGate,
  type OriginGates,
} from './http/retry.ts';
export {
  type Creation,
  type Identity,
  type IdentityJson,
  type IdentityKind,
  type IdentityOptions,
  type IdentityProvider,
  type IdentityProviderResult,
  type IdentityReason,
  type Implementation,
  identityToJson,
  type ProxyIdentity,
  type ProxyType,
  type TokenIdentity,
} from './identity/identity.ts';
export { findKnownAddress, type KnownAddress, knownAddresses } from './identity/knownAddresses.ts';
export {
  type ChartScale,
  type ChartSpan,
  type ChartUnit,
  countBars,
  createChartScale,
  findBarStarts,
  getBarSpan,
  rowFromOldest,
} from './logs/chart.ts';
export {
  type ComparedClient,
  type CompareOptions,
  compareClients,
  createLoadedClient,
  getLoadedBlocks,
} from './logs/compare/compareClients.ts';
export {
  type DifferenceCounts,
  formatOpinionReason,
  type OpinionReason,
  opinionToJson,
  type RowDifference,
  type SampleSize,
  type SecondOpinion,
} from './logs/compare/secondOpinion.ts';
export { type EventTallies, type EventTally, type TallyRequest, tallyEvents } from './logs/countEvents.ts';
export { type Dialect, describeDialect, type ServerDescription } from './logs/engine/dialect.ts';
export type { ConfirmationPolicy } from './logs/follow/confirmation.ts';
export type { FollowedLogs, FollowOptions, LogFollower } from './logs/follow/logFollower.ts';
export {
  compareLogs,
  type Log,
  type LogJson,
  type LogOrder,
  logToJson,
  type PositionedLog,
} from './logs/log.ts';
export {
  type AmbiguousName,
  type FindAddressesByName,
  listAddressFields,
  replaceAddressNames,
} from './logs/query/addressNames.ts';
export {
  type EventArgument,
  encodeArgument,
  getArgumentField,
  listEventArguments,
  parseDeclaredEvent,
  splitArgument,
} from './logs/query/eventArguments.ts';
export {
  findAlignedInput,
  findQueriedEvent,
  getOnlyAddress,
  listEventLayouts,
  type QueriedEventInput,
} from './logs/query/eventOfQuery.ts';
export { type ListItem, parseListItems, splitList, splitValues } from './logs/query/fieldValues.ts';
export {
  type BlockTag,
  createLogFilter,
  type LogFilter,
  parseBlockTag,
  resolveRelative,
} from './logs/query/filter.ts';
export {
  emptyForm,
  type FormField,
  getFieldText,
  isFormField,
  parseQueryForm,
  type QueryForm,
  queryFormSchema,
  toQueryForm,
  withFieldText,
} from './logs/query/form.ts';
export {
  iteratePages,
  type LoadProgress,
  type LoadRestOptions,
  type LogClient,
  type LogPage,
  type LogQuery,
} from './logs/query/logQuery.ts';
export { listTopicTypes, type ParsedTopic, parseTopicText } from './logs/query/parseQuery.ts';
export { logFilterToJson, parseLogFilter, parseQueryArguments } from './logs/query/queryJson.ts';
export {
  type FoundBound,
  formatVerdictReason,
  type ReasonCode,
  type Verdict,
  type VerdictReason,
  verdictToJson,
} from './logs/query/verdict.ts';
export { createVersionedArgument, type StoredArgument, toStoredArgument } from './logs/store/argument.ts';
export type { NamedArgument, NamePart, RowKnowledge } from './logs/store/fieldTest.ts';
export {
  type BlockField,
  type FilteredBlocks,
  parseFilteredBlocks,
  replaceFilteredBlocks,
} from './logs/store/filterTerms.ts';
export { createLogStore, type LogSortKey, type LogStore } from './logs/store/logStore.ts';
export {
  type ArgumentColumn,
  emptyLogView,
  extendLogView,
  isAppendOnly,
  type LogArrangement,
  type LogSort,
  type LogView,
} from './logs/store/logView.ts';
export {
  createRowSequence,
  type PlaceRange,
  type PlacesMoved,
  type RowSequence,
  toPlaceRanges,
} from './logs/store/rowSequence.ts';
export { findWellKnownChain, publicExplorers, type WellKnownChain } from './networks/chains.ts';
export { type ExtractedKey, extractKey, mayHoldKey, parseEndpointUrl } from './networks/endpointUrl.ts';
export {
  builtInNetworks,
  explorerApiUrl,
  getGatewayChain,
  isHttpUrl,
  type Network,
  parseRpcAuth,
  type RpcAuth,
  requiresSecret,
  SECRET_PLACEHOLDER,
  type SecretEndpoint,
} from './networks/network.ts';
export {
  maxTextChars,
  type NetworkFieldError,
  type NetworkValidationError,
  resolveNetworks,
  validateNetworkField,
} from './networks/networkSetting.ts';
export { getDatasetChain, getPublicPortal, parseDatasetUrl } from './networks/portalDatasets.ts';
export { getGatewayUrl, listPublicEndpoints, type PublicEndpoint } from './networks/publicEndpoints.ts';
export {
  type AssetUrl,
  PictureError,
  parseAssetUrl,
  requireIpfsGateway,
  toAssetRequestUrl,
} from './nfts/assetUrl.ts';
export { fetchNftPicture, type NftPicture, type NftPictureOptions } from './nfts/fetchAsset.ts';
export { type AssetContext, fetchNftMetadata } from './nfts/fetchMetadata.ts';
export {
  compareNftTransfers,
  MAX_TRANSFERS,
  type NftAttribute,
  type NftBalances,
  type NftCollection,
  type NftContract,
  type NftHolding,
  type NftMetadata,
  type NftMethod,
  type NftProvider,
  type NftToken,
  type NftTransactions,
  type NftTransfer,
  type NftTransferPlace,
  parseTokenId,
  requireTokenId,
} from './nfts/nft.ts';
export type { NftContractResult } from './nfts/nftContractReader.ts';
export {
  fetchNftHistory,
  fetchNftTransfersFromLogs,
  type NftHistory,
  type NftHistoryFromLogs,
  type NftHistoryFromProvider,
  type NftHistoryInputs,
  type NftHistoryRequest,
  type NftTransfersOptions,
  type NftTransfersPage,
  type NoNftProviderReason,
} from './nfts/nftHistory.ts';
export { isComplete, listReasons } from './operations/eventModes.ts';
export type {
  EventFiles,
  OperationDeps,
  OperationKnowledge,
  OperationOptions,
  OperationPort,
  OperationProgress,
  WrittenFile,
} from './operations/operation.ts';
export { resolveEvents } from './operations/resolveEvents.ts';
export {
  fitResult,
  type Json,
  type JsonObject,
  MAX_RESULT_BYTES,
  type OperationResult,
} from './operations/result.ts';
export { type OperationName, runOperation } from './operations/runOperation.ts';
export {
  getToolSchema,
  type OpenQueryInput,
  type OperationTool,
  openQueryInput,
  operationTools,
  parseInput,
} from './operations/tools.ts';
export {
  type FoundryEndpoint,
  parseFoundryEndpoints,
  type ResolvedEndpoint,
  resolveEndpoint,
} from './project/foundryEndpoints.ts';
export { type ContractIndex, createContractIndex } from './project/index/contractIndex.ts';
export type {
  FilePlace,
  IndexedContract,
  IndexedDeployment,
  IndexedLabel,
} from './project/index/joinContracts.ts';
export { type ProjectLayout, parseLayout } from './project/layout.ts';
export type { FileStat, FolderEntry, ProjectFiles, SkippedFile } from './project/projectFiles.ts';
export {
  createProjectIndexer,
  type ProjectIndexer,
  type ProjectIndexerOptions,
} from './project/projectIndexer.ts';
export { teamLabelsPath } from './project/readers/addressLists.ts';
export {
  MAX_SOURCE_CHARS,
  type SourceContract,
  type SourceFacts,
  type SourceItem,
  type SourceUse,
} from './project/source/declarations.ts';
export {
  createImportResolver,
  type ImportRemapping,
  type ImportRules,
} from './project/source/importResolver.ts';
export {
  createSourceLinker,
  type LocatedDeclaration,
  linkSource,
  linkWithLoading,
  type SourceLinker,
} from './project/source/linkSource.ts';
export { parseSource, parseSourceInSlices } from './project/source/readSource.ts';
export type { SourceFiles, SourceLocation } from './project/source/sourceNames.ts';
export { tokenizeSolidity } from './project/source/tokens.ts';
export {
  createDataApiClient,
  type DataApiClient,
  type DataApiClientOptions,
  findKeyPlace,
  type KeyCheck,
  type KeyStatus,
} from './providers/covalent/client.ts';
export type { PortOffers, Provider, ProviderOptions, ProviderPorts } from './providers/provider.ts';
export { providers } from './providers/providers.ts';
export { thirdPartyProviders } from './providers/thirdParties.ts';
export {
  type DocumentPiece,
  type DocumentQuery,
  findDocumentQueries,
  formatVerdictLine,
  parseDocument,
  parseVerdictLine,
  type RecordedVerdict,
} from './queries/document.ts';
export {
  type ChainQueryDefinition,
  type Expectation,
  parseChainQueryDefinition,
  parseQueryDefinition,
  type QueryDefinition,
  queryDefinitionToJson,
} from './queries/queryDefinition.ts';
export { type FoundQuery, findQueries, withRecordedVerdict, writeExpectation } from './queries/queryFiles.ts';
export {
  findFieldPath,
  findQueryCursor,
  isParsable,
  locateQueryParts,
  MAX_QUERY_FILE_CHARS,
  type PartialQuery,
  parsePartialQuery,
  type QueryCursor,
  type QueryLocations,
  type QueryPath,
  type TextSpan,
} from './queries/queryText.ts';
export {
  createIndexKnowledge,
  type FindCreation,
  type FindDeployment,
  type FirstBlock,
  findAddressesByName,
  findFirstBlock,
  type NameEntry,
  type QueryKnowledge,
  type ResolvedQuery,
  resolveQuery,
  toQueryDefinition,
} from './queries/resolveQuery.ts';
export {
  checkExpectation,
  digestResult,
  digestRows,
  type ExpectationResult,
  type ResultDigest,
} from './queries/resultDigest.ts';
export { type EditedPiece, formatDocument, type OriginalPiece } from './queries/writeDocument.ts';
export type { BlockAtTime } from './rpc/blockTimes.ts';
export type { LogsInBlocks } from './rpc/explorerTimes.ts';
export type { NativeBalance } from './rpc/methods.ts';
export { requireEndpointSecret } from './secrets/secretSender.ts';
export { type StoredSecret, withEndpointSecret } from './secrets/withEndpointSecret.ts';
export { loadStandardEvents, loadStandardLookup } from './standards/standards.ts';
export { formatAmount, formatShortUnits, hasAmount, isAmount, type TokenUnits } from './tokens/amounts.ts';
export {
  type Completeness,
  type CompletenessReason,
  formatCompletenessReason,
  formatPercent,
  toCompleteness,
} from './tokens/completeness.ts';
export type { CoinBalance, HistoryList, HistoryProvider, TokenTransfer } from './tokens/history.ts';
export {
  arrangePortfolio,
  compareTokens,
  type Holdings,
  type HoldingsMethod,
  type HoldingsOptions,
  type HoldingsProvider,
  mergeHoldings,
  NATIVE_TOKEN_ADDRESS,
  type Portfolio,
  type PortfolioTotal,
  type TokenBalance,
  type TokenBalances,
} from './tokens/holdings.ts';
export { parseQuoteCurrency, type QuoteCurrency, quoteCurrencies } from './tokens/quoteCurrency.ts';
export { type TokenStandard, transferEvents } from './tokens/transferEvents.ts';
export {
  type ExplainedTransaction,
  explainTransaction,
  findKnownHash,
  getNetAmount,
  isSupply,
  type KnownHash,
  type Movement,
} from './transactions/explainTransaction.ts';
export { findRevertCause, findRevertPlaces, type RevertPlace } from './transactions/revertPlaces.ts';
export type {
  HashResult,
  Transaction,
  TransactionFailure,
  TransactionProvider,
} from './transactions/transaction.ts';
export { providerToJson, transactionToJson } from './transactions/transactionJson.ts';
export { createHistoryCache, type HistoryCache, type HistoryRequest } from './upgrades/historyCache.ts';
export { createVersionLookup, type VersionLookup } from './upgrades/versionLookup.ts';
export { createVerifiedContractStore, type VerifiedContractStore } from './verified/contractStore.ts';
export { type AbiProvider, chainAbiProviders, fetchVerifiedChains } from './verified/fetchVerified.ts';
export { prefetchAbis } from './verified/prefetchAbis.ts';
export {
  createSignatureCache,
  type SignatureCache,
  type SignatureProvider,
} from './verified/signatureCache.ts';
export {
  createSourceFilesReader,
  findDeclaration,
  findUsedDeclarations,
  type SourceFilesReader,
} from './verified/sourceFiles.ts';
export { createVerifiedCache, type VerifiedCache } from './verified/verifiedCache.ts';
export type { VerifiedContract, VerifiedFiles, VerifiedProvider } from './verified/verifiedContract.ts';
