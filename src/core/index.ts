export { listIntegers, parseAmountUnit } from './abi/amountUnit.ts';
export { formatArgumentExample, formatArguments, parseArguments } from './abi/argument.ts';
export { type Attribution, parseAttribution } from './abi/callSuffix.ts';
export type {
  AbiLookup,
  Candidate,
  ChainAddress,
  Origin,
  VerifiedOrigin,
  VersionedLookup,
} from './abi/candidates.ts';
export {
  type EventSignature,
  findUnknownTypes,
  parseEventOrTopic0,
  parseEventSignature,
  replaceUnknownTypes,
} from './abi/declaration.ts';
export { encodeParameters, encodeTopic, toAbiWord } from './abi/encode.ts';
export { describeUndecoded } from './abi/eventDecoder.ts';
export { isPanic, listUnknownSelectors, type PrefetchSelectors } from './abi/explainData.ts';
export { describeNoMeaning, explainHex, findWordPreimage, MAX_HEX_DIGITS } from './abi/explainHex.ts';
export {
  attributionToJson,
  type BareMeaning,
  formatNestedPath,
  type HexMeaning,
  meaningToJson,
  type NestedMeaning,
} from './abi/hexMeaning.ts';
export {
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
  type DecodedLog,
  decodedLogToJson,
  type LogDecoder,
} from './abi/logDecoder.ts';
export {
  type AbiResolver,
  createAbiLookup,
  type LocatedItem,
  mergeAbiResolvers,
  mergeLookups,
} from './abi/lookup.ts';
export {
  type AbiParameter,
  type AbiType,
  type AbiValue,
  type AmountUnit,
  type EnumType,
  type EventParameter,
  formatWrittenType,
  isHashed,
} from './abi/type.ts';
export {
  abiValueToJson,
  formatAbiValue,
  formatExactNumber,
  formatIntegerBound,
  getIntegerBounds,
  namedValueToJson,
} from './abi/value.ts';
export {
  type BackoffControl,
  type Clock,
  createBackoffControl,
  createRequestThrottle,
  formatLocalTime,
  formatTimeOfDay,
  type RequestThrottle,
  systemClock,
  type VisibleBackoff,
} from './base/clock.ts';
export { createLimiter, forEachLimited, lazy, untilAborted } from './base/concurrency.ts';
export { AppError, asAppError, badInput, type ErrorKind, isAppError, safeUrl } from './base/errors.ts';
export { createExpiringCache, type TextStore } from './base/expiringCache.ts';
export { judge } from './base/judgement.ts';
export { looksLikeAddress, sanitizeName } from './base/names.ts';
export type { NetworkError } from './base/networkErrors.ts';
export { decimal, ownText } from './base/ownText.ts';
export {
  type FetchOptions,
  getProviderId,
  type KeyPlace,
  MAX_LIST_ITEMS,
  type Price,
  type ProviderId,
  type ProviderLabel,
} from './base/provenance.ts';
export {
  createMessage,
  editDistance,
  englishMessage,
  foreign,
  formatDuration,
  formatMessage,
  formatQuantity,
  groupDigits,
  type Message,
  sanitizeText,
} from './base/text.ts';
export {
  createTimeSlices,
  forEachInSlices,
  runInSlices,
  runToEnd,
  type SliceOptions,
  sortInSlices,
  type TimeSlices,
} from './base/timeSlices.ts';
export { isLoopbackUrl, trimTrailingSlashes } from './base/urls.ts';
export { addToList, compareValues, isRecord, pushAll } from './base/values.ts';
export type { BalancesRequest } from './client/chainCalls.ts';
export { type ChainClient, createChainClient } from './client/chainClient.ts';
export type { Erc20Balance } from './client/contractCalls.ts';
export {
  type EndpointFacts,
  type EndpointSearch,
  findWorkingEndpoint,
  probeChainId,
  probeEndpoint,
  type UnusableEndpoint,
} from './client/probeEndpoint.ts';
export type { AbiChange } from './code/abiChanges.ts';
export {
  type BuildChanges,
  type BuildFacts,
  compareBuilds,
  readBuildFacts,
  readContractFacts,
} from './code/buildChanges.ts';
export { createDeploymentChecker, listAddressesToCheck } from './code/checkDeployments.ts';
export type { CodeComparison, CodeMatch, FilledImmutable, SelectorName } from './code/codeComparison.ts';
export { comparisonToJson, isSameCode } from './code/codeJson.ts';
export { compareCode } from './code/compareCode.ts';
export type { ComparedSetting } from './code/compilerSettings.ts';
export { type ContractAt, findContractAt } from './code/findContract.ts';
export type { StorageChange } from './code/storageChanges.ts';
export {
  type CopyError,
  type CopyLog,
  type CopyQuery,
  type CopyResult,
  toCopyBlocks,
} from './copyAs/copyQuery.ts';
export type { CopyRead } from './copyAs/copyRead.ts';
export { MAX_EXPECTED_LOGS } from './copyAs/foundryTest.ts';
export { copyLogsTargets, copyQueryTargets, copyReadTargets, createQueryForLog } from './copyAs/targets.ts';
export { requireWrittenAddress } from './eth/address.ts';
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
export { getChecksumState, hashData, hashText, toChecksumAddress } from './eth/keccak.ts';
export {
  type BlockTime,
  formatIsoTime,
  MAX_BLOCK_TIMES,
  notTimeError,
  parseTimeTag,
  resolveTimeTag,
} from './eth/time.ts';
export { formatUnits, formatUnitsGrouped } from './eth/units.ts';
export { createExportDecoding, type ExportDecoding } from './export/columns.ts';
export {
  createExportRecord,
  type ExportFormat,
  type ExportOrder,
  type ExportTimesFacts,
  encodeLogs,
  exportFormats,
  getExportFormat,
} from './export/formats.ts';
export { formatTableLine } from './export/textFormats.ts';
export {
  createTempNames,
  type Disk,
  type DiskPlace,
  type Draft,
  findDiskPlace,
  getSiblingPath,
  isForbiddenOnWindows,
  isSamePlace,
  isTempPath,
  MIN_FREE_BYTES,
  type NodeFileWriter,
  openDiskDraft,
  PlaceError,
  type PlaceErrorReason,
  removeDiskDraft,
  restoreOriginal,
} from './files/disk.ts';
export { createFilesInside, type NodeFileReader } from './files/filesInside.ts';
export { replaceFile, writeInside } from './files/writeInside.ts';
export type { FetchLike, HttpDeps, HttpExchange, RemainingCredits } from './http/exchange.ts';
export { createPageFetch } from './http/pageFetch.ts';
export { createOriginGates, getRetryDelay, isRetryable, isTemporary } from './http/retry.ts';
export { listDevelopmentAccounts } from './identity/developmentAccounts.ts';
export {
  type Identity,
  type IdentityKind,
  type IdentityOptions,
  type IdentityProvider,
  type IdentityReason,
  type Implementation,
  identityToJson,
  isNftContract,
  type ProxyIdentity,
  type ProxyType,
  type TokenIdentity,
} from './identity/identity.ts';
export { knownAddresses } from './identity/knownAddresses.ts';
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
export { compareClients, createLoadedClient, getLoadedBlocks } from './logs/compare/compareClients.ts';
export {
  type DifferenceCounts,
  describeOpinionReason,
  isOtherChain,
  opinionToJson,
  type RowDifference,
  type SampleSize,
  type SecondOpinion,
} from './logs/compare/secondOpinion.ts';
export { type EventTally, tallyEvents } from './logs/countEvents.ts';
export { describeDialect, type ServerDescription } from './logs/engine/dialect.ts';
export type { ConfirmationPolicy } from './logs/follow/confirmation.ts';
export type { LogFollower } from './logs/follow/logFollower.ts';
export type { AnonymousTest } from './logs/groups/anonymousRows.ts';
export { type BlockDays, createBlockDays } from './logs/groups/blockDays.ts';
export {
  findQueriedEvents,
  type GroupField,
  type Grouping,
  isNumber,
  needsDecoding,
  parseGrouping,
  validateGrouping,
} from './logs/groups/grouping.ts';
export { createLogGroups, groupToJson, type LogGroups } from './logs/groups/groupLogs.ts';
export { groupRows, type RowArgument, type RowGroupField, type RowGroups } from './logs/groups/groupRows.ts';
export { type GroupValue, readGroupValue } from './logs/groups/groupValue.ts';
export { type Log, type LogJson, type LogOrder, logToJson, type PositionedLog } from './logs/log.ts';
export { describeProof, type LogProof, requireProvableRange } from './logs/proof/logProof.ts';
export { type AmbiguousName, listAddressFields, replaceAddressNames } from './logs/query/addressNames.ts';
export {
  type FindDeclaredEvents,
  formatArgumentMembers,
  formatEnumMembers,
  ignoreEnumMembers,
  listArgumentEnums,
  listEnumFields,
  replaceEnumMembers,
} from './logs/query/enumNames.ts';
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
export { parseListItems, splitList, splitValues } from './logs/query/fieldValues.ts';
export { type BlockTag, type DeploymentBlock, isMovingTag, type LogFilter } from './logs/query/filter.ts';
export {
  emptyForm,
  type FormField,
  getFieldText,
  isFormField,
  isTopic0List,
  type QueryForm,
  queryFormSchema,
  withFieldText,
} from './logs/query/form.ts';
export { iteratePages, type LoadProgress, type LogPage, type LogQuery } from './logs/query/logQuery.ts';
export { listTopicTypes, parseQueryForm, parseTopicText } from './logs/query/parseQuery.ts';
export { logFilterToJson, parseLogFilter, parseQueryArguments, toQueryForm } from './logs/query/queryJson.ts';
export {
  createVerdict,
  describeReasons,
  type FoundBound,
  foundBoundsToJson,
  isUnreached,
  reasonCodes,
  type Verdict,
  type VerdictReason,
  verdictToJson,
  withProof,
} from './logs/query/verdict.ts';
export { createVersionedArgument, type StoredArgument, toStoredArgument } from './logs/store/argument.ts';
export type { NamedArgument, NamePart, RowKnowledge } from './logs/store/fieldTest.ts';
export {
  type BlockField,
  type FilteredBlocks,
  type FilterTerm,
  parseFilteredBlocks,
  parseFilterTerms,
  replaceFilteredBlocks,
} from './logs/store/filterTerms.ts';
export { createLogStore, type LogSortKey, type LogStore } from './logs/store/logStore.ts';
export {
  type ArgumentColumn,
  emptyLogView,
  extendLogView,
  isAppendOnly,
  type LogArrangement,
  type LogView,
} from './logs/store/logView.ts';
export { explainRowFilter } from './logs/store/rowFilter.ts';
export {
  createRowSequence,
  type PlaceRange,
  type PlacesMoved,
  type RowSequence,
  toPlaceRanges,
} from './logs/store/rowSequence.ts';
export { findWellKnownChain, publicExplorers } from './networks/chains.ts';
export { extractKey, mayHoldKey, parseEndpointUrl } from './networks/endpointUrl.ts';
export {
  builtInNetworks,
  explorerApiUrl,
  getChainKey,
  getGatewayChain,
  isDevelopmentChain,
  isHttpUrl,
  listUrlVariables,
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
export { type AssetUrl, PictureError } from './nfts/assetUrl.ts';
export { fetchNftPicture, type NftPicture } from './nfts/fetchAsset.ts';
export { fetchNftMetadata } from './nfts/fetchMetadata.ts';
export { requireIpfsGateway } from './nfts/ipfsGateway.ts';
export {
  compareNftTransfers,
  MAX_TRANSFERS,
  type NftCollection,
  type NftContract,
  type NftHolding,
  type NftMetadata,
  type NftProvider,
  type NftToken,
  type NftTransfer,
  type NftTransferPlace,
  parseTokenId,
  requireTokenId,
} from './nfts/nft.ts';
export {
  fetchNftHistory,
  type NftHistory,
  type NftHistoryFromLogs,
  type NoNftProviderReason,
} from './nfts/nftHistory.ts';
export { untrustedText, userText } from './operations/agentText.ts';
export { compareDeployedCode, findContract } from './operations/compareCode.ts';
export { createGroupDecoder } from './operations/declaredEvent.ts';
export { isComplete, listReasons } from './operations/eventModes.ts';
export { fetchWrittenState, type WrittenContractState } from './operations/getState.ts';
export type {
  EventFiles,
  OperationDeps,
  OperationKnowledge,
  OperationOptions,
  OperationPort,
} from './operations/operation.ts';
export { parseInput } from './operations/parseInput.ts';
export { type OpenReads, openReads, readState } from './operations/readState.ts';
export { createNameBook, resolveEvents } from './operations/resolveEvents.ts';
export {
  type JsonObject,
  MAX_RESULT_BYTES,
  type OperationResult,
  toAgentError,
  toCompletion,
} from './operations/result.ts';
export { type OperationName, runOperation } from './operations/runOperation.ts';
export { getToolSchema, type OpenQueryInput, openQueryInput, operationTools } from './operations/tools.ts';
export {
  findEtherscanKey,
  listFoundryEtherscanKeys,
  listHardhatEtherscanKeys,
} from './project/etherscanKeys.ts';
export {
  listTemplateVariables,
  type ProjectEndpoint,
  parseDotenv,
  parseFoundryEndpoints,
  type ResolvedEndpoint,
  type ResolvedUrl,
  resolveEndpoint,
  resolveProjectEndpoint,
} from './project/foundryEndpoints.ts';
export { readFoundryConfig } from './project/foundryExtends.ts';
export { parseHardhatEndpoints } from './project/hardhatEndpoints.ts';
export { type ContractIndex, createContractIndex } from './project/index/contractIndex.ts';
export type { ContractDeployment, DeployedContract } from './project/index/deployedContracts.ts';
export { formatContractKey, groupDeployments } from './project/index/deployedContracts.ts';
export {
  type AddressCheck,
  compareNewestFirst,
  isOfOlderRun,
  listNewest,
} from './project/index/deploymentTable.ts';
export type { IndexedContract, IndexedDeployment, IndexedLabel } from './project/index/joinContracts.ts';
export { explainUnit, getLabeledFolder } from './project/index/unitTable.ts';
export { type FoundryToml, parseLayout } from './project/layout.ts';
export type { FileStat, FolderEntry } from './project/projectFiles.ts';
export { decodeFileText, type ProjectFiles, readProject } from './project/projectFiles.ts';
export { createProjectIndexer, type ProjectIndexer } from './project/projectIndexer.ts';
export { teamLabelsPath } from './project/readers/addressLists.ts';
export {
  MAX_SOURCE_CHARS,
  type SourceContract,
  type SourceFacts,
  type SourceItem,
  type SourceUse,
} from './project/source/declarations.ts';
export { createImportResolver } from './project/source/importResolver.ts';
export { type LocatedDeclaration, linkWithLoading } from './project/source/linkSource.ts';
export { parseSourceInSlices } from './project/source/readSource.ts';
export type { SourceFiles } from './project/source/sourceNames.ts';
export { tokenizeSolidity } from './project/source/tokens.ts';
export { createDataApiClient, type DataApiClient, type KeyStatus } from './providers/covalent/client.ts';
export { createKeyPlaceFinder, type KeyPlaceFinder } from './providers/covalent/keyPlace.ts';
export { withCreation } from './providers/creation.ts';
export { checkEtherscanKey } from './providers/etherscan/contracts.ts';
export {
  ETHERSCAN_URL,
  getEtherscanEndpoint,
  type PortOffers,
  type Provider,
  type ProviderPorts,
} from './providers/provider.ts';
export { loadCreation, openKeyPlaceFinder, providers } from './providers/providers.ts';
export { thirdPartyProviders } from './providers/thirdParties.ts';
export type { FiledCheckOutcome } from './queries/checkOutcome.ts';
export {
  contractStateToJson,
  describeFilled,
  listStateRows,
  summarizeCode,
  summarizeState,
} from './queries/checkSummary.ts';
export type { CodeExpectation } from './queries/codeDefinition.ts';
export {
  type DocumentPiece,
  type DocumentQuery,
  findDocumentQueries,
  findStrayVerdicts,
  parseDocument,
  type StrayVerdict,
} from './queries/document.ts';
export {
  type ChainFiledCheck,
  expectsNothing,
  type FiledCheck,
  findFiledCheckErrors,
  isFiledCheck,
  isFiledCheckJson,
  parseFileDefinition,
  parseFiledCheck,
  runFiledCheck,
} from './queries/filedCheck.ts';
export { createFiledCheckDeps } from './queries/filedCheckDeps.ts';
export { createFileContext, explainNamedContract, type FileContext } from './queries/filedNames.ts';
export {
  findAddressesByName,
  formatDistinctName,
  formatPickedName,
  listNamed,
  listNameEntries,
  type NameEntry,
  type NameOptions,
} from './queries/namedAddresses.ts';
export { fetchNamedUnits, findNamedToken } from './queries/namedTokens.ts';
export {
  type ChainQueryDefinition,
  type Expectation,
  parseChainQueryDefinition,
  parseQueryDefinition,
  type QueryDefinition,
  queryDefinitionToJson,
} from './queries/queryDefinition.ts';
export {
  findQueries,
  isQueryFile,
  type PinnedRange,
  type RecordedResult,
  withRecordedVerdict,
  writeExpectation,
} from './queries/queryFiles.ts';
export { createLineFinder } from './queries/queryLines.ts';
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
export type { ReadExpectation } from './queries/readDefinition.ts';
export { formatVerdictLine, type RecordedVerdict } from './queries/recordedVerdict.ts';
export {
  createAnonymousError,
  createIndexKnowledge,
  type FindCreation,
  type FindDeployment,
  type FirstBlock,
  findFirstBlock,
  isAnonymousSignature,
  type QueryKnowledge,
  type ResolvedQuery,
  resolveQuery,
  toQueryDefinition,
} from './queries/resolveQuery.ts';
export {
  checkExpectation,
  digestContents,
  digestResult,
  type ExpectationResult,
  type ResultDigest,
} from './queries/resultDigest.ts';
export type { StateExpectation } from './queries/stateDefinition.ts';
export { type EditedPiece, formatDocument, type OriginalPiece } from './queries/writeDocument.ts';
export {
  type ContractViews,
  describeMissingFunction,
  fetchContractViews,
  listFunctions,
} from './reads/contractViews.ts';
export { describeReplaced, readOneBlock } from './reads/oneBlock.ts';
export { fetchReadBlock, parseReadBlock } from './reads/readBlock.ts';
export { type ReadDeps, type ReadResult, readResultToJson, readView } from './reads/readContract.ts';
export { parseWrittenFunction } from './reads/readFunction.ts';
export { formatReadValue, formatReadValues, listReadValues, type ReadFormat } from './reads/readValues.ts';
export type { LogsInBlocks } from './rpc/explorerTimes.ts';
export type { NativeBalance } from './rpc/methods.ts';
export { requireEndpointSecret } from './secrets/secretSender.ts';
export { type StoredSecret, withEndpointSecret } from './secrets/withEndpointSecret.ts';
export { loadStandardEvents, loadStandardLookup } from './standards/standards.ts';
export { joinStates } from './state/compareStates.ts';
export {
  type ContractState,
  isNamedRole,
  type StateKind,
  type StateRow,
  type StateVerdict,
} from './state/contractState.ts';
export { fetchState } from './state/fetchState.ts';
export { describeConfirmation, stateRowToJson, stateVerdictToJson } from './state/stateJson.ts';
export {
  formatAmount,
  formatShortUnits,
  getDeclaredUnit,
  getUnit,
  hasUnit,
  listEventTokens,
  noTokens,
  resolveUnit,
  type TokenUnits,
  type UnitsOf,
} from './tokens/amounts.ts';
export {
  type Completeness,
  type CompletenessReason,
  describeCompleteness,
  toCompleteness,
} from './tokens/completeness.ts';
export type {
  CoinBalance,
  HistoryList,
  HistoryMethod,
  HistoryProvider,
  TokenTransfer,
} from './tokens/history.ts';
export {
  compareTokens,
  type Holdings,
  type HoldingsProvider,
  NATIVE_TOKEN_ADDRESS,
  type Portfolio,
  type TokenBalance,
  type TokenBalances,
} from './tokens/holdings.ts';
export { parseQuoteCurrency, type QuoteCurrency, quoteCurrencies } from './tokens/quoteCurrency.ts';
export { transferEvents } from './tokens/transferEvents.ts';
export {
  type CallFrame,
  findFailedPath,
  getTypeName,
  isCreation,
  iterateFrames,
} from './traces/callFrame.ts';
export type { ExplainedFrame } from './traces/explainTrace.ts';
export { describeUnknownCode } from './traces/failedAt.ts';
export type { TraceReader } from './traces/fetchTrace.ts';
export { describeHalt, isRevertError } from './traces/halts.ts';
export { type BuildReader, createBuildReader } from './traces/readBuilds.ts';
export {
  type Simulation,
  type SimulationPoint,
  simulateCall,
  simulateTransaction,
  simulationToJson,
} from './traces/simulate.ts';
export {
  type TransactionTrace,
  traceTransaction,
  transactionTraceToJson,
} from './traces/traceTransaction.ts';
export type { Block, BlockHeader, BlockTransaction } from './transactions/block.ts';
export {
  type ExplainedTransaction,
  explainTransaction,
  findKnownHash,
  getNetAmount,
  isSupply,
  type KnownHash,
  type Movement,
  type UnclearTransfer,
} from './transactions/explainTransaction.ts';
export { findRevertCause, findRevertPlaces, type RevertPlace } from './transactions/revertPlaces.ts';
export { summarizeTransaction } from './transactions/summary.ts';
export { fetchTransactionUnits, findCoin, type SummaryNames } from './transactions/summaryText.ts';
export type {
  HashResult,
  RepeatedCall,
  Transaction,
  TransactionFailure,
  TransactionProvider,
} from './transactions/transaction.ts';
export { providerToJson, transactionToJson } from './transactions/transactionJson.ts';
export { createHistoryCache, type HistoryCache } from './upgrades/historyCache.ts';
export { isUpgradeEvent } from './upgrades/upgradeEvents.ts';
export { createVersionLookup, type VersionLookup } from './upgrades/versionLookup.ts';
export { createVerifiedContractStore, type VerifiedContractStore } from './verified/contractStore.ts';
export {
  type AbiProvider,
  chainAbiProviders,
  createDelegateProvider,
  fetchVerifiedChains,
} from './verified/fetchVerified.ts';
export { prefetchAbis } from './verified/prefetchAbis.ts';
export { createSignatureCache, type SignatureProvider } from './verified/signatureCache.ts';
export {
  createSourceFilesReader,
  findDeclaration,
  findUsedDeclarations,
  type SourceFilesReader,
} from './verified/sourceFiles.ts';
export { createVerifiedCache } from './verified/verifiedCache.ts';
export type { VerifiedContract, VerifiedFiles, VerifiedProvider } from './verified/verifiedContract.ts';
