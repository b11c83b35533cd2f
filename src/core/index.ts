export type { AbiError, AbiEvent, AbiFunction, AbiItem, AbiItemText } from './abi/abiItem.ts';
export type { AbiParameter, AbiType, AbiValue, EventParameter } from './abi/abiType.ts';
export { toAbiWord } from './abi/abiWord.ts';
export { loadBundledEvents, loadBundledLookup } from './abi/bundled/loadBundledLookup.ts';
export type {
  AbiLookup,
  Candidate,
  OnChain,
  Origin,
  Trust,
  VerifiedOrigin,
} from './abi/candidates.ts';
export type {
  ChainPlace,
  CodeVersions,
  Readings,
  RunningCode,
  VersionDoubt,
  VersionedCandidate,
  VersionedLookup,
} from './abi/codeVersions.ts';
export { alignedInput } from './abi/decode/alignedInput.ts';
export { type AskedEvents, askedEvent, layoutsOf, onlyAddress } from './abi/decode/askedEvent.ts';
export type { DecodeFault, FaultCode } from './abi/decode/decodeFault.ts';
export { isHashed } from './abi/decode/isHashed.ts';
export {
  createLogDecoder,
  type DecodedLog,
  type KnownLog,
  type LogDecoder,
} from './abi/decode/logDecoder.ts';
export { type RawReason, rawReasonText } from './abi/decode/rawReason.ts';
export { encodeParameters } from './abi/encode/encodeParameters.ts';
export { encodeTopic } from './abi/encode/encodeTopic.ts';
export { boundText, integerBounds } from './abi/encode/readValue.ts';
export {
  type EventSignature,
  parseEventOrTopic0,
  parseEventSignature,
  requireTopic,
} from './abi/eventSignature.ts';
export type {
  BareMeaning,
  DataMeaning,
  HashMeaning,
  HexMeaning,
  NestedMeaning,
  UnfitMeaning,
} from './abi/hex/hexMeaning.ts';
export { knownWord } from './abi/hex/knownWord.ts';
export { type MeaningJson, meaningToJson } from './abi/hex/meaningJson.ts';
export { nestedPathText } from './abi/hex/nestedPathText.ts';
export { explainHex, MOST_HEX_DIGITS, noMeaningText } from './abi/hex/readHexMeaning.ts';
export { type DecodedJson, decodedLogToJson } from './abi/json/logJson.ts';
export type { AbiJson } from './abi/json/valueJson.ts';
export { createAbiLookup, joinLookups, type PreparedLookup } from './abi/lookup/abiLookup.ts';
export type { KnownItem } from './abi/lookup/itemIndex.ts';
export { joinKnownCode, type KnownAbi, type KnownCode, knownAbiId } from './abi/lookup/knownCode.ts';
export { abiItemText } from './abi/read/abiItemText.ts';
export { parseAbiItem } from './abi/read/parseAbiItem.ts';
export { amountText, hasAmount, isAmount, type TokenUnits } from './abi/tokenAmounts.ts';
export { transferEvents } from './abi/transferEvents.ts';
export { type UnknownType, unknownTypes, withNearestTypes } from './abi/typedTypes.ts';
export { abiValueText } from './abi/valueText.ts';
export { type Clock, systemClock } from './base/clock.ts';
export { compareValues } from './base/compareValues.ts';
export { eachLimited } from './base/eachLimited.ts';
export { editDistance } from './base/editDistance.ts';
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
export type { InputCode, InputProblem } from './base/inputProblem.ts';
export type { KeptText } from './base/keptText.ts';
export { late } from './base/late.ts';
export type { NetworkFailure } from './base/networkFailure.ts';
export { createRateLimit, type RateLimit } from './base/rateLimit.ts';
export { isRecord } from './base/records.ts';
export {
  type AskOptions,
  type Cost,
  type KeyPlace,
  MOST_ITEMS,
  type Offers,
  type Price,
  type Provenance,
  type SourceLabel,
  type SourceWord,
  sourceWord,
} from './base/source.ts';
export { createTimeSlices, type TimeSlices } from './base/timeSlices.ts';
export { untilAborted } from './base/untilAborted.ts';
export { createWaits, type ToldWait, type Waits } from './base/waits.ts';
export type { BalancesAsked, BalancesRead } from './chainCalls.ts';
export { type ChainClient, createChainClient } from './chainClient.ts';
export { type ContractIndex, createContractIndex } from './contracts/index/contractIndex.ts';
export type {
  FilePlace,
  IndexedContract,
  IndexedDeployment,
  IndexedLabel,
} from './contracts/index/indexed.ts';
export { type ProjectLayout, readLayout } from './contracts/layout/projectLayout.ts';
export type { FileStat, FolderEntry, ProjectFiles } from './contracts/projects/projectFiles.ts';
export {
  createProjectIndexer,
  type ProjectIndexer,
  type ProjectIndexerOptions,
} from './contracts/projects/projectIndexer.ts';
export type { SkippedFile } from './contracts/projects/skippedFiles.ts';
export { teamLabelsPath } from './contracts/readers/teamLabels.ts';
export { LONGEST_SOURCE } from './contracts/sources/limits.ts';
export type { SourceAt } from './contracts/sources/link/declared.ts';
export {
  createImportResolver,
  type ImportRemapping,
  type ImportRules,
} from './contracts/sources/link/importResolver.ts';
export { linkLoading } from './contracts/sources/link/linkLoading.ts';
export {
  createSourceLinker,
  type DeclaredAt,
  linkSource,
  type SourceLinker,
} from './contracts/sources/link/linkSource.ts';
export type { SourceFiles } from './contracts/sources/link/sourceNames.ts';
export { readSource, readSourceInSlices } from './contracts/sources/readSource.ts';
export { solidityTokens } from './contracts/sources/solidityTokens.ts';
export type { SourceContract, SourceFacts, SourceItem, SourceUse } from './contracts/sources/sourceFacts.ts';
export { explorerApi, gatewayChain } from './explorer/explorerUrls.ts';
export { tableLine } from './export/csv.ts';
export { encodeLogs } from './export/encodeLogs.ts';
export { type ExportDecoding, exportDecoding } from './export/exportDecoding.ts';
export {
  type ExportFacts,
  type ExportOrder,
  type ExportTimesFacts,
  exportRecord,
} from './export/exportRecord.ts';
export { type ExportFormat, exportFormats, formatOf } from './export/formats.ts';
export { type EndpointSearch, firstAnswering, type UnusableEndpoint } from './firstAnswering.ts';
export {
  blocksOf,
  type Handed,
  type HandedLog,
  type HandedQuery,
  type HandoverRefusal,
} from './handover/handed/handover.ts';
export { MOST_EXPECTED } from './handover/solidity/foundryTest.ts';
export { logsTargets, queryForLog, queryTargets } from './handover/targets.ts';
export type { CoinBalance } from './history/coinBalance.ts';
export type { HistoryList, HistorySource } from './history/historySource.ts';
export type { TokenTransfer } from './history/tokenTransfer.ts';
export {
  type Completeness,
  type CompletenessReason,
  completenessOf,
  completenessText,
  percentText,
} from './holdings/completeness.ts';
export type { Erc20Balance } from './holdings/erc20.ts';
export { type Holdings, joinHoldings } from './holdings/holdings.ts';
export type { HoldingsOptions, HoldingsQuestion, HoldingsSource } from './holdings/holdingsSource.ts';
export { arrangePortfolio, type Portfolio, type PortfolioTotal } from './holdings/portfolio.ts';
export { parseQuoteCurrency, type QuoteCurrency, quoteCurrencies } from './holdings/quoteCurrency.ts';
export { NATIVE_STAND_IN, type TokenBalance, type TokenBalances } from './holdings/tokenBalances.ts';
export { compareTokens } from './holdings/tokenOrder.ts';
export type { CreditsLeft, FetchLike, HttpDeps, HttpExchange } from './http/http.ts';
export { createOriginGates, type OriginGate, type OriginGates } from './http/originGate.ts';
export { isRetryable, mayPassLater, retryDelay } from './http/retry.ts';
export type {
  Creation,
  Identity,
  IdentityGap,
  IdentityKind,
  IdentityTeller,
  TokenIdentity,
} from './identity/identity.ts';
export { type IdentityJson, identityToJson } from './identity/identityJson.ts';
export type { IdentityAsk, IdentitySource } from './identity/identitySource.ts';
export type { Implementation, ProxyIdentity, ProxyType } from './identity/proxies/proxy.ts';
export {
  type ChartScale,
  type ChartSpan,
  type ChartUnit,
  chartScale,
  spanOfBar,
} from './logs/chart/chartScale.ts';
export { barStarts, countBars, rowFromOldest } from './logs/chart/countBars.ts';
export { type ComparableRun, compareRuns, type RunComparison } from './logs/compare/compareRuns.ts';
export { type ComparedSource, type CompareOptions, compareSources } from './logs/compare/compareSources.ts';
export { loadedBlocks, loadedSource } from './logs/compare/loadedSource.ts';
export type { SampleSize } from './logs/compare/sampleWindows.ts';
export {
  type DifferenceCounts,
  type OpinionReason,
  opinionReasonText,
  opinionToJson,
  type RowDifference,
  type SecondOpinion,
} from './logs/compare/secondOpinion.ts';
export {
  type EventTallies,
  type EventTally,
  type TallyQuestion,
  tallyEvents,
} from './logs/count/tallyEvents.ts';
export type { Patience } from './logs/follow/belief.ts';
export type { FollowedLogs, FollowOptions, LogFollower } from './logs/follow/followedLogs.ts';
export { type BlockTag, parseBlockTag, resolveRelative } from './logs/query/blockTag.ts';
export type { LogOrder } from './logs/query/direction.ts';
export {
  argumentField,
  declaredEvent,
  type EventArgument,
  eventArguments,
  splitArgument,
  topicsOfArgument,
} from './logs/query/eventArguments.ts';
export { emptyForm, type FormField, isFormField, textOf, withText } from './logs/query/formFields.ts';
export { type ListItem, listItems, splitTexts } from './logs/query/listTexts.ts';
export { compareLogs, type Log, type PlacedLog } from './logs/query/log.ts';
export { createLogFilter, type LogFilter } from './logs/query/logFilter.ts';
export { type LogJson, logToJson } from './logs/query/logJson.ts';
export type { LoadProgress, LogPage, LogQuery, LogSource, RestOfLogs } from './logs/query/logQuery.ts';
export {
  type AddressesNamed,
  addressFields,
  type UnclearName,
  withAddresses,
} from './logs/query/namedAddresses.ts';
export { nextPages } from './logs/query/nextPages.ts';
export {
  type QueryForm,
  queryFormOf,
  queryFormSchema,
  readQueryForm,
} from './logs/query/queryForm.ts';
export { logFilterToJson, parseLogFilter, parseQueryArguments } from './logs/query/queryJson.ts';
export { readTopicText, type TopicText, topicTypes } from './logs/query/topicTexts.ts';
export { splitValues } from './logs/query/valueTexts.ts';
export {
  type FoundBound,
  type ReasonCode,
  reasonText,
  type Verdict,
  type VerdictReason,
} from './logs/query/verdict.ts';
export { verdictToJson } from './logs/query/verdictJson.ts';
export { type Dialect, describeDialect, type ServerDescription } from './logs/server/dialect.ts';
export {
  type BlockField,
  type FilteredBlocks,
  filteredBlocks,
  withFilteredBlocks,
} from './logs/store/filteredBlocks.ts';
export { createLogStore, type LogSortKey, type LogStore } from './logs/store/logStore.ts';
export {
  type ArgumentColumn,
  appendsOnly,
  emptyLogView,
  extendLogView,
  type LogArrangement,
  type LogSort,
  type LogView,
} from './logs/store/logView.ts';
export type { NamedArgument, NamePart, RowKnowledge } from './logs/store/rowKnowledge.ts';
export {
  createRowSequence,
  type PlaceRange,
  type PlacesMoved,
  type RowSequence,
  rangesOf,
} from './logs/store/rowSequence.ts';
export { type StoredArgument, storedArgument } from './logs/store/storedArgument.ts';
export { versionedArgument } from './logs/store/versionedArgument.ts';
export {
  type FoundryEndpoint,
  foundryEndpoints,
  type ResolvedEndpoint,
  resolveEndpoint,
} from './networks/foundryEndpoints.ts';
export { builtInNetworks, isHttpUrl, type Network } from './networks/network.ts';
export {
  findNetworkFault,
  longestTexts,
  type NetworkFault,
  type NetworkProblem,
  resolveNetworks,
} from './networks/networkSetting.ts';
export { chainOfDataset, publicPortal } from './networks/portalDatasets.ts';
export { gatewayUrl, type PublicEndpoint, publicEndpoints } from './networks/publicEndpoints.ts';
export { publicExplorers } from './networks/publicExplorers.ts';
export {
  type RpcAuth,
  readRpcAuth,
  SECRET_MARK,
  type SecretEndpoint,
  takesSecret,
} from './networks/rpcAuth.ts';
export { mayHoldKey, typedUrl } from './networks/typedUrl.ts';
export { type WellKnownChain, wellKnownChain } from './networks/wellKnownChains.ts';
export { fetchNftMetadata } from './nfts/metadata/metadataJson.ts';
export type { TokenAssets } from './nfts/metadata/tokenAssets.ts';
export type { NftBalances, NftCollection, NftHolding } from './nfts/nftBalances.ts';
export type { NftContract } from './nfts/nftContract.ts';
export type { NftContractOnChain } from './nfts/nftContractReader.ts';
export {
  type NftHistory,
  type NftHistoryFromLogs,
  type NftHistoryFromSource,
  type NftHistorySources,
  type NoNftSource,
  nftHistory,
} from './nfts/nftHistory.ts';
export type { NftSource, NftSourceQuestion } from './nfts/nftSource.ts';
export type { NftAttribute, NftMetadata, NftToken } from './nfts/nftToken.ts';
export type { NftTransactions } from './nfts/nftTransactions.ts';
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
export {
  type AssetUrl,
  assetAddress,
  parseAssetUrl,
  requireIpfsGateway,
} from './nfts/pictures/assetUrl.ts';
export { fetchNftPicture, type NftPicture, type NftPictureOptions } from './nfts/pictures/nftPicture.ts';
export { PictureRefusal } from './nfts/pictures/pictureRefusal.ts';
export { parseTokenId, requireTokenId } from './nfts/tokenId.ts';
export type { TokenStandard } from './nfts/tokenStandard.ts';
export { resolveEvents } from './operations/events/resolveEvents.ts';
export { completeBy, reasonsOf } from './operations/events/verdictWords.ts';
export type { Json, JsonObject, OperationAnswer } from './operations/kit/answer.ts';
export type { EventFiles, WrittenFile } from './operations/kit/eventFiles.ts';
export { fitAnswer, MOST_ANSWER_BYTES } from './operations/kit/fitAnswer.ts';
export { type OpenQueryInput, openQueryInput } from './operations/kit/inputs.ts';
export type {
  OperationDeps,
  OperationKnowledge,
  OperationOptions,
  OperationPort,
  OperationProgress,
} from './operations/kit/operation.ts';
export { readInput } from './operations/kit/readInput.ts';
export { type OperationName, runOperation } from './operations/runOperation.ts';
export { toolSchema } from './operations/toolSchemas.ts';
export { type OperationTool, operationTools } from './operations/tools.ts';
export { datasetUrl } from './portal/portalUrl.ts';
export { type EndpointFacts, probeEndpoint } from './probeEndpoint.ts';
export { addressesCalled, type NamedPlace } from './questions/addressesCalled.ts';
export { type AnswerDigest, digestAnswer } from './questions/digestAnswer.ts';
export { type DocumentPiece, parseDocument } from './questions/files/document.ts';
export { upToKept } from './questions/files/questionDocument.ts';
export { isReadable, LONGEST_QUESTIONS } from './questions/files/questionJson.ts';
export {
  pathOfField,
  type QuestionCursor,
  type QuestionPath,
  type QuestionPlaces,
  type QuestionSoFar,
  questionCursor,
  questionPlaces,
  questionSoFar,
  type TextSpan,
} from './questions/files/questionPlaces.ts';
export type { FoundQuestion } from './questions/files/questionReader.ts';
export { questionsIn, withExpectation } from './questions/files/questionsIn.ts';
export { type DocumentQuestion, questionsInDocument } from './questions/files/questionsInDocument.ts';
export { parseVerdictLine, verdictLine, type WrittenVerdict } from './questions/files/verdictLine.ts';
export { type ReadPiece, type WrittenPiece, writeDocument } from './questions/files/writeDocument.ts';
export { type CreatedAt, type DeployedAt, type FirstBlock, firstBlock } from './questions/firstBlock.ts';
export { indexKnowledge } from './questions/indexKnowledge.ts';
export { type Judgement, judgeAnswer } from './questions/judgeAnswer.ts';
export {
  type Expectation,
  type FiledQuestion,
  parseFiledQuestion,
  parseQuestion,
  type Question,
  questionToJson,
} from './questions/question.ts';
export { questionOf } from './questions/questionOf.ts';
export { readRows } from './questions/readRows.ts';
export {
  type QuestionKnowledge,
  type ResolvedQuestion,
  resolveQuestion,
} from './questions/resolveQuestion.ts';
export { rowsDigest } from './questions/rowsDigest.ts';
export type { NativeBalance } from './rpc/methods.ts';
export { requireEndpointSecret } from './secrets/endpointSecret.ts';
export { type KeyOutOfUrl, keyInUrl } from './secrets/keyInUrl.ts';
export { type KeptSecret, withEndpointSecret } from './secrets/withEndpointSecret.ts';
export {
  createDataApiClient,
  type DataApiClient,
  type DataApiClientOptions,
} from './sources/covalent/dataApiClient.ts';
export { findKeyPlace, type KeyCheck, type KeyVerdict } from './sources/covalent/keyCheck.ts';
export type { SourceKind, SourceOffers, SourceOptions, SourcePorts } from './sources/kind/sourceKind.ts';
export { sourceKinds } from './sources/sources.ts';
export { thirdParties } from './sources/thirdParties.ts';
export type { BlockAtTime } from './times/blockAt.ts';
export type { LogsInBlocks } from './times/explorerTimes.ts';
export { type KnownTime, MOST_BLOCK_TIMES } from './times/knownTime.ts';
export { isoTime, isTimeTag, notTime, parseTimeTag, timeOfTag } from './times/timeText.ts';
export {
  type ExplainedTransaction,
  explainTransaction,
} from './transactions/explainTransaction.ts';
export { type KnownHash, knownHash } from './transactions/hashMeaning.ts';
export { isSupply, type Movement, netOf } from './transactions/movements.ts';
export { revertCause } from './transactions/revertCause.ts';
export { findRevertPlaces, type RevertPlace } from './transactions/revertPlaces.ts';
export type { FailureReason, HashAnswer, Transaction } from './transactions/transaction.ts';
export { sourceToJson, transactionToJson } from './transactions/transactionJson.ts';
export type { TransactionSource } from './transactions/transactionSource.ts';
export { type AskedHistories, type CodeHistories, createCodeHistories } from './upgrades/codeHistories.ts';
export { createVersionLookup, type VersionLookup } from './upgrades/versionLookup.ts';
export {
  type Address,
  parseAddress,
  requireAddress,
  shortAddress,
  ZERO_ADDRESS,
} from './values/address.ts';
export { type ChecksumState, checksumState, toChecksumAddress } from './values/checksum.ts';
export { durationText } from './values/durationText.ts';
export { type Hex, parseHexData, toQuantity } from './values/hex.ts';
export { joinBytes } from './values/joinBytes.ts';
export { type KnownAddress, knownAddress, knownAddresses } from './values/knownAddresses.ts';
export { isLoopbackUrl } from './values/loopbackUrl.ts';
export { plainText } from './values/plainText.ts';
export { shortUnits } from './values/shortUnits.ts';
export { withoutTrailingSlashes } from './values/trailingSlashes.ts';
export { formatUnits, formatUnitsGrouped, groupDigits } from './values/units.ts';
export { chainsWith } from './verified/chainsWith.ts';
export { declaredIn, usedIn } from './verified/declaredIn.ts';
export { createFilesReader, type FilesReader } from './verified/filesReader.ts';
export { type AbiSource, firstVerified } from './verified/firstVerified.ts';
export { createKeptVerified, type KeptVerified } from './verified/keptVerified.ts';
export type { SignatureSource } from './verified/signatureSource.ts';
export { createSignatureStore, type SignatureStore } from './verified/signatureStore.ts';
export type { VerifiedContract, VerifiedFiles, VerifiedSource } from './verified/verifiedContract.ts';
export { createVerifiedStore, type VerifiedStore } from './verified/verifiedStore.ts';
export { wantMeaning } from './verified/wantMeaning.ts';
