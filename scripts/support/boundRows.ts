/** The tests are below `test/`. */
type Bound = readonly [what: string, bound: string, test: string, ...more: readonly string[]];

/**
 * The rows of *Your editor stays responsive* in SECURITY.md. A number is a constant of a file below `src`, with a unit
 * where its name says none: `fillIn` of `boundTable.ts` writes it. A row names tests that fail without one of
 * its bounds.
 */
export const BOUNDS: readonly Bound[] = [
  [
    'a wait that a server asks for',
    '{core/http/retry.ts:MAX_HOLD_MS}, then an error with what it asked for; polling resumes after at most {features/status/headPoller.ts:MAX_BACKOFF_MS} or one interval',
    'unit/core/logs/engine/limits.test.ts',
    'unit/features/status/headPoller.test.ts',
  ],
  [
    'a response body',
    '{core/http/exchange.ts:DEFAULT_MAX_BYTES}, for JSON-RPC {core/rpc/rpcClient.ts:MAX_RESPONSE_BYTES}; {core/http/response.ts:JSON_LIMITS.maxValues} JSON values, for JSON-RPC {core/rpc/rpcClient.ts:MAX_RESPONSE_VALUES}; {core/http/response.ts:JSON_LIMITS.maxDepth} levels deep',
    'unit/core/http/exchange.test.ts',
  ],
  [
    "a server's message",
    '{core/http/response.ts:MAX_MESSAGE_CHARS} characters, cut before anything reads it; its version {core/logs/engine/probeServer.ts:MAX_VERSION_CHARS}',
    'unit/core/http/response.test.ts',
  ],
  [
    'a response to `eth_getLogs`',
    '{core/logs/engine/parseLogs.ts:MAX_ROWS} logs; more are requested in parts',
    'unit/core/logs/engine/parseLogs.test.ts',
  ],
  [
    'the logs of one block',
    '{core/logs/engine/limits.ts:MAX_BLOCK_ROWS} and {core/logs/engine/limits.ts:MAX_BLOCK_BYTES}; then the result is *not certain*, and what was loaded stays',
    'unit/core/logs/engine/limits.test.ts',
  ],
  [
    'events that are counted at once',
    '{features/source/countEvents.ts:MAX_ADDRESSES} addresses; {features/source/countEvents.ts:MAX_ROWS} logs for each event of the file, then *at least* that many',
    'unit/features/source/countEvents.test.ts',
  ],
  [
    'logs loaded ahead of those that are shown',
    '{core/logs/engine/windowReader.ts:MAX_WINDOWS_WAITING} windows of blocks, {core/logs/engine/limits.ts:MAX_WAITING_BYTES}',
    'unit/core/logs/readAhead.test.ts',
  ],
  [
    'a list of the data API',
    '{core/base/provenance.ts:MAX_LIST_ITEMS} entries; a row says how many were left out',
    'unit/core/providers/covalent/bounds.test.ts',
  ],
  [
    "a token's metadata",
    '{core/nfts/fetchMetadata.ts:MAX_METADATA_BYTES}, {core/nfts/fetchMetadata.ts:LIMITS.maxValues} JSON values, {core/nfts/fetchMetadata.ts:LIMITS.maxDepth} levels; {core/nfts/fetchAsset.ts:MAX_REDIRECTS as spelled} redirects',
    'unit/core/nfts/fetchAsset.test.ts',
  ],
  [
    'what is at an address',
    'results of calls {core/rpc/ethCall.ts:MAX_RESPONSE_BYTES}, code {core/rpc/callAtBlock.ts:MAX_CODE_BYTES}, of the explorer {core/providers/blockscout/identity.ts:LIMITS.maxBytes as bytes} and {core/providers/blockscout/identity.ts:LIMITS.timeoutMs as MS}; bytecode scanned up to {core/identity/proxyPatterns.ts:MAX_CODE_CHARS as digits}; {core/identity/proxyPatterns.ts:MAX_FACETS} facets, {core/providers/blockscout/identity.ts:MAX_ADDRESS_IMPLEMENTATIONS} implementations; {core/identity/proxyReader.ts:MAX_PROXY_DEPTH as spelled} proxies behind one another; {features/addresses/identityCache.ts:MAX_LISTED_LOOKUPS} rows of a group, {features/addresses/identityCache.ts:MAX_CONCURRENT_LOOKUPS as spelled} at a time; {features/addresses/identityCache.ts:MAX_CACHED_IDENTITIES} known in a window, {core/providers/rpc/identity.ts:MAX_CACHE_ENTRIES} cached',
    'unit/core/identity/proxyPatterns.test.ts',
    'unit/core/rpc/callAtBlock.test.ts',
    'integration/core/providers/blockscout/identity.test.ts',
  ],
  [
    'tokens, NFTs and history of an address, from an explorer',
    "{core/providers/blockscout/rest.ts:MAX_RESPONSE_BYTES} a response; {core/base/provenance.ts:MAX_LIST_ITEMS} entries; {core/providers/blockscout/holdings.ts:MAX_TOKEN_PAGES} pages of tokens, {core/providers/blockscout/holdings.ts:MAX_NFT_PAGES} of NFT IDs, {core/providers/blockscout/nfts.ts:MAX_TRANSFER_PAGES} of an NFT's transfers; what a page says about the next one: {core/providers/blockscout/rest.ts:MAX_CURSOR_MEMBERS} members of {core/providers/blockscout/rest.ts:MAX_CURSOR_VALUE_CHARS} characters; the end after {core/providers/blockscout/rest.ts:MAX_EMPTY_PAGES as spelled} empty pages in a row; {core/providers/blockscout/history.ts:MAX_DAYS} days of balances; icons are never loaded",
    'unit/core/providers/blockscout/explorerPages.test.ts',
  ],
  [
    'verified contracts, and names by hash',
    '{core/verified/prefetchAbis.ts:MAX_PREFETCHED} contracts and {core/providers/signatures.ts:MAX_HASHES_PER_REQUEST} events at a time; {core/verified/verifiedCache.ts:MAX_PREFETCHED_ADDRESSES} addresses, {core/verified/signatureCache.ts:MAX_CACHED_HASHES} hashes; responses of {core/providers/sourcify.ts:MAX_RESPONSE_BYTES as Mi} and {core/providers/signatures.ts:MAX_RESPONSE_BYTES}; {core/verified/verifiedContract.ts:MAX_VERIFIED_FILES} files and {core/verified/verifiedContract.ts:MAX_SOURCE_TEXT_CHARS} characters of source, {core/providers/blockscout/contracts.ts:MAX_CACHED_SOURCES as spelled} contracts of an explorer cached, and {host/ui/virtualDocuments.ts:MAX_SOURCE_CHARS} characters in open tabs; proxies {core/verified/fetchVerified.ts:MAX_PROXY_DEPTH as spelled} deep, {core/verified/verifiedContract.ts:MAX_IMPLEMENTATIONS} implementations; {core/providers/signatures.ts:MAX_NAMES} names a hash; {core/providers/thirdParties.ts:RATE.count as spelled} requests a second to Sourcify; on disk {core/verified/contractStore.ts:MAX_STORED_CONTRACTS} contracts and {core/verified/contractStore.ts:MAX_STORED_CHARS} characters',
    'unit/core/verified/readVerified.test.ts',
    'unit/core/verified/sourcify.test.ts',
    'unit/core/verified/contractStore.test.ts',
  ],
  [
    'upgrades of a contract',
    '{core/upgrades/historyCache.ts:MAX_LOGS} logs, {core/upgrades/historyCache.ts:MAX_DATA_DIGITS} digits and {core/upgrades/historyCache.ts:MAX_READ_MS} an address; {core/upgrades/implementationHistory.ts:MAX_CHANGES} changes, {core/upgrades/implementationHistory.ts:MAX_CHANGES_PER_TRANSACTION} in a transaction; {core/upgrades/implementationHistory.ts:MAX_FACETS} facets, {core/upgrades/implementationHistory.ts:MAX_SELECTORS} selectors; {core/upgrades/historyCache.ts:MAX_BEACONS} beacons; {core/upgrades/historyCache.ts:MAX_PREFETCHED_CONTRACTS} contracts at a time, {host/logDecoding.ts:MAX_EXPORTED_CONTRACTS} of a page of an export; {core/upgrades/historyCache.ts:MAX_CACHED_HISTORIES} and {core/upgrades/historyCache.ts:MAX_CACHE_BYTES} cached',
    'unit/core/upgrades/implementationHistory.test.ts',
    'unit/core/upgrades/historyCache.test.ts',
  ],
  [
    'stored queries',
    '{features/logs/queries/queryHistory.ts:MAX_RECENT_QUERIES} recent, {features/logs/queries/queryHistory.ts:MAX_SAVED_QUERIES} saved; {features/logs/queries/queryHistory.ts:MAX_QUERY_CHARS} characters of one, {features/logs/queries/queryHistory.ts:MAX_TOTAL_CHARS} of all',
    'unit/features/logs/queries/queryHistory.test.ts',
  ],
  [
    'a query file',
    '{core/queries/queryText.ts:MAX_QUERY_FILE_CHARS} characters, {core/queries/queryText.ts:MAX_BRACKETS} brackets; {core/logs/query/addressNames.ts:MAX_NAMES} names a field, {core/logs/query/parseQuery.ts:MAX_TRIES} values of topics as they are tried, {core/abi/argument.ts:MAX_VALUES} values of an argument; {features/queryFiles/checkQuery.ts:MAX_ROWS} rows compared in the editor, {cli/checks/checkFiles.ts:MAX_ROWS} by the command line, which holds none of them; {cli/queryPaths.ts:MAX_FILES} files and {cli/queryPaths.ts:MAX_FOLDERS} folders below a folder to check',
    'unit/core/queries/questionFile.test.ts',
    'unit/core/logs/query/parseQuery.test.ts',
    'unit/features/logs/form/readForm.test.ts',
  ],
  [
    'times of blocks',
    "{core/eth/time.ts:MAX_BLOCK_TIMES} blocks a request, {core/rpc/blockTimes.ts:MAX_SINGLE_READS} one by one; {core/rpc/blockTimes.ts:MAX_RESPONSE_BYTES} of headers, {core/rpc/explorerTimes.ts:MAX_ROWS} rows and {core/rpc/explorerTimes.ts:LOGS_LIMIT.maxBytes as bytes} of the explorer's logs; a search for a time {core/rpc/blockTimes.ts:BLOCKS_PER_STEP} blocks a step and {core/rpc/blockTimes.ts:MAX_STEPS} steps; {features/logs/export/exportRows.ts:MAX_FETCHED_TIMES} blocks an export; {host/blockTimes.ts:MAX_PENDING_BLOCKS} waiting and {host/blockTimes.ts:MAX_CACHED_TIMES} cached in a panel",
    'unit/core/rpc/blockTimes.test.ts',
    'unit/host/blockTimes.test.ts',
  ],
  [
    'a transaction',
    '{core/logs/engine/parseLogs.ts:MAX_ROWS} logs; from an explorer {core/providers/blockscout/transactions.ts:MAX_PAGES} pages and {core/providers/blockscout/transactions.ts:MAX_DATA_CHARS} characters; {core/transactions/explainTransaction.ts:MAX_MOVEMENTS} token movements; {core/transactions/revertPlaces.ts:MAX_SOURCES} sources searched for where it reverted, {core/transactions/revertPlaces.ts:MAX_PLACES} lines shown; a hover twice {features/decode/transactionHover.ts:HOVER_TIMEOUT_MS}; the document {features/decode/formatTransaction.ts:MAX_LOGS} logs, units of {core/transactions/summaryText.ts:MAX_TOKENS} tokens within {features/decode/showTransaction.ts:UNITS_TIMEOUT_MS}; {core/transactions/transaction.ts:MAX_CACHE_ENTRIES} results cached',
    'unit/core/transactions/movements.test.ts',
    'unit/core/project/source/revertLines.test.ts',
  ],
  [
    'the calls of a transaction',
    '{core/traces/fetchTrace.ts:MAX_TRACE_BYTES} and {core/traces/fetchTrace.ts:LIMITS.maxValues} JSON values; {core/traces/callFrame.ts:MAX_CALLS} calls and ends of contracts, {core/traces/callFrame.ts:MAX_CALL_DEPTH} deep, errors of {core/http/response.ts:MAX_MESSAGE_CHARS} characters; {core/traces/structLogTree.ts:MAX_MEMORY_BYTES} of memory that steps name; the last {core/traces/steps.ts:MAX_FRAME_STEPS} steps of a call; code of {core/traces/traceTransaction.ts:MAX_CONTRACTS} contracts, {core/traces/findBuilds.ts:MAX_ARTIFACTS} artifacts, builds of {core/traces/readBuilds.ts:MAX_BUILD_BYTES} with {core/project/readers/openJson.ts:MAX_MEMBERS} members of an object; sources {core/traces/locate.ts:MAX_SOURCE_CHARS as bytes} each, with maps {core/traces/locate.ts:MAX_ALL_SOURCE_CHARS as bytes} in all, {core/traces/sourceText.ts:MAX_TEXT_BYTES} of a statement, functions {core/traces/locate.ts:MAX_FUNCTION_DEPTH} deep; {core/traces/candidates.ts:MAX_SOURCES} sources of {core/traces/candidates.ts:MAX_SEARCHED_CHARS as bytes}, {core/traces/candidates.ts:MAX_CANDIDATES} candidates',
    'unit/core/traces/fetchTrace.test.ts',
    'unit/core/traces/parseTraces.test.ts',
    'unit/core/traces/structLogTree.test.ts',
    'unit/core/traces/locate.test.ts',
    'unit/core/project/readers/openJson.test.ts',
  ],
  [
    'the proof of a result',
    'fields of a header {core/logs/proof/blockHeader.ts:MAX_FIELD_BYTES}; receipts and transactions are encoded and hashed in slices',
    'unit/core/logs/proof/encodings.test.ts',
  ],
  [
    'deployed code that differs',
    '{core/code/codeInstructions.ts:MAX_DIGITS as digits} of either code, {core/code/alignCode.ts:MAX_WORK} steps to find the functions that differ, in slices: beyond them no function is listed, with the reason',
    'unit/core/code/alignCode.test.ts',
  ],
  [
    'a storage layout',
    '{core/code/storageLayout.ts:MAX_VARIABLES} variables, {core/code/storageLayout.ts:MAX_TYPES} types, {core/code/storageLayout.ts:MAX_MEMBERS} members of structs',
    'unit/core/code/storageLayout.test.ts',
  ],
  [
    'holders, roles, allowances and groups of logs',
    '{core/state/balanceBook.ts:MAX_BALANCES} balances or approvals, {core/state/balanceBook.ts:MAX_COPIES} balances of single token IDs, {core/state/roles.ts:MAX_MEMBERS} members of roles; {core/logs/groups/logGrouper.ts:MAX_GROUPS} groups. So many take up to 450 MiB, and twice as much where two blocks are compared',
    'unit/core/state/fetchState.test.ts',
    'unit/core/state/tokenLedger.test.ts',
    'unit/core/state/roles.test.ts',
    'unit/core/logs/groups/groups.test.ts',
  ],
  [
    'a response of a portal',
    '{core/portal/portalClient.ts:MAX_RESPONSE_BYTES}, {core/portal/portalClient.ts:MAX_SHORT_RESPONSE_BYTES} for head and metadata; {core/portal/portalMessages.ts:MAX_LINES} lines; {core/logs/engine/limits.ts:MAX_BLOCK_ROWS} logs of a block; {core/portal/portalMessages.ts:MAX_PREVIOUS_BLOCKS} blocks of a fork, {core/logs/engine/rowChecks.ts:MAX_SEAM_BLOCKS} seams remembered, {core/logs/engine/portalLogs.ts:MAX_FORKS as spelled} fresh starts',
    'unit/core/logs/portalBounds.test.ts',
  ],
  [
    'a secret that a server repeats',
    'searched in pieces of some milliseconds; a body that repeats it more than {core/secrets/keyMatcher.ts:MAX_OCCURRENCES} times is refused; {core/secrets/secretSender.ts:MAX_PARTS} parts of a variable',
    'unit/core/secrets/redactKey.test.ts',
  ],
  [
    'a second opinion',
    '{core/logs/compare/secondOpinion.ts:MAX_WINDOWS} windows; {core/logs/compare/compareClients.ts:MAX_ROWS} rows of each kind are shown',
    'unit/core/logs/compare/compareClients.test.ts',
  ],
  [
    'endpoints of config files',
    '{host/settings/projectEndpoints.ts:MAX_CONFIG_FILES} files of {core/project/projectFiles.ts:MAX_CONFIG_BYTES}, {core/project/foundryEndpoints.ts:MAX_ENDPOINTS} endpoints each; a `.env` {core/project/foundryEndpoints.ts:MAX_DOTENV_CHARS as bytes}, a value and a URL with its values {core/project/foundryEndpoints.ts:MAX_URL_CHARS} characters, what values take from one another {core/project/foundryEndpoints.ts:MAX_EXPANDED_CHARS}; {host/session/localEndpoints.ts:MAX_REQUESTED_PORTS} ports of this machine are asked before you choose one',
    'unit/features/network/selectNetwork.test.ts',
  ],
  [
    "an endpoint's secret",
    '{core/secrets/secretSender.ts:MAX_SECRET_CHARS} printable characters, the name of its header {core/networks/network.ts:MAX_HEADER_CHARS}; credits are remembered for {host/session/http.ts:MAX_ORIGINS} origins',
    'unit/core/secrets/endpointSecret.test.ts',
    'unit/core/networks/endpointUrl.test.ts',
  ],
  [
    'a public endpoint that is tried',
    '{features/network/addNetwork.ts:TIMEOUT_MS} a request',
    'unit/core/http/exchange.test.ts',
  ],
  [
    'a document with queries',
    '{features/logs/notebook/documentFormat.ts:MAX_DOCUMENT_BYTES} as a notebook, as text the first {features/logs/notebook/documentQuery.ts:MAX_SEARCHED_CHARS} characters, for `check` {cli/queryFileText.ts:MAX_FILE_BYTES}; {core/queries/document.ts:MAX_DOCUMENT_LINES} lines, {core/queries/document.ts:MAX_DOCUMENT_QUERIES} queries, {core/queries/document.ts:MAX_LEVELS} levels of lists and quotations summed up over all lines; a query {features/logs/notebook/documentQuery.ts:MAX_QUERY_CHARS}; {features/logs/notebook/documents.ts:MAX_LENSES} lenses, {features/logs/notebook/documents.ts:MAX_CHECKED_QUERIES} queries validated; the rows of {features/logs/notebook/kernel.ts:MAX_CELL_RESULTS} cells, each up to `chainside.logs.loadAllLimit`',
    'unit/core/queries/document.test.ts',
  ],
  [
    'a picture',
    '{core/nfts/fetchAsset.ts:MAX_PICTURE_BYTES}, {core/nfts/checkPicture.ts:MAX_PIXELS as Mi} megapixels by its own header; SVG without anything that repeats, runs or loads',
    'unit/core/nfts/checkPicture.test.ts',
  ],
  [
    'a Solidity or Vyper file',
    '{core/project/source/declarations.ts:MAX_SOURCE_CHARS} characters, {core/project/source/declarations.ts:MAX_DECLARATIONS} declarations of a kind; in other files the first {host/workspace/listFiles.ts:MAX_READ_BYTES} is searched for addresses',
    'unit/core/project/source/readSource.test.ts',
  ],
  [
    'the files of a project',
    '{core/project/projectFiles.ts:MAX_PROJECT_FILES} files, {core/project/projectFiles.ts:MAX_FOLDERS} folders {core/project/projectFiles.ts:MAX_FOLDER_DEPTH} deep, {core/project/projectFiles.ts:MAX_FOLDER_ENTRIES} entries a folder; {core/project/projectFiles.ts:MAX_FILE_BYTES} a file, modules {core/project/readers/modules.ts:MAX_MODULE_CHARS as Mi}, maps of addresses {core/project/readers/readFacts.ts:MAX_MAP_CHARS as Mi}, `foundry.toml` {core/project/layout.ts:MAX_TOML_CHARS as bytes}; values of {core/project/readers/jsonScan.ts:MAX_VALUE_CHARS as bytes}, {core/project/readers/jsonScan.ts:MAX_VALUE_DEPTH} deep, skipped values {core/project/readers/jsonScan.ts:MAX_SKIP_DEPTH}; {core/project/readers/broadcast.ts:MAX_TRANSACTIONS} transactions of a run of forge, {core/project/readers/ignition.ts:MAX_LINES} lines of an Ignition journal; {host/workspace/workspaceFiles.ts:MAX_WATCHED_FOLDERS} new folders watched at once',
    'unit/core/project/index/bounds.test.ts',
    'unit/core/project/layout.test.ts',
  ],
  [
    'the imports of a project',
    '{core/project/layout.ts:MAX_FOLDERS} folders of libraries in all profiles together, and of each other kind; an import has {core/project/source/importResolver.ts:MAX_PLACES} places; an update searches {core/project/importFinder.ts:MAX_PLACE_CHARS} characters of places in {core/project/importFinder.ts:MAX_LISTED_FOLDERS} folders with {core/project/importFinder.ts:MAX_LISTED_NAMES} names; a source is read with {core/project/source/declarations.ts:MAX_LINKED_FILES} files of {core/project/projectSources.ts:MAX_PARSED_CHARS} characters by {core/project/projectSources.ts:MAX_CLOSURE_IMPORTS} imports; {core/project/projectSources.ts:MAX_SEARCHES} searches for names an update; remappings of libraries from {core/project/libraryRemappings.ts:MAX_LISTED_FOLDERS} folders of a project, {core/project/projectFiles.ts:MAX_LIBRARY_FOLDERS} of a workspace',
    'unit/core/project/importFinder.test.ts',
    'unit/core/project/libraryRemappings.test.ts',
  ],
  [
    'what is known of a workspace',
    '{core/project/projectFiles.ts:MAX_CONTRACTS} contracts, {core/project/projectFiles.ts:MAX_DEPLOYMENTS} deployments, {core/project/projectFiles.ts:MAX_TEXT_CHARS} characters; {core/project/projectFiles.ts:MAX_IMPORTED_SOURCES} imported sources; {core/project/indexStore.ts:MAX_INDEX_CHARS} characters stored',
    'unit/core/project/index/bounds.test.ts',
  ],
  [
    'an ABI',
    '{core/abi/item.ts:MAX_ABI_ITEMS} items, {core/abi/parseAbi.ts:MAX_ABI_PARAMETERS} parameters; an item {core/abi/parseAbi.ts:MAX_PARAMETERS} parameters, {core/abi/declaration.ts:MAX_TYPE_DEPTH} levels, {core/abi/item.ts:MAX_ITEM_CHARS} characters',
    'unit/core/abi/item.test.ts',
    'unit/core/abi/parseAbi.test.ts',
  ],
  [
    'names of addresses',
    '{host/names/addressName.ts:MAX_NAME_CHARS} characters each; from `.chainside/labels.json` {host/workspace/listFiles.ts:MAX_READ_BYTES} and {host/names/labelsFile.ts:MAX_TEAM_LABELS} labels',
    'unit/host/names/addressNames.test.ts',
    'unit/host/names/labelsFile.test.ts',
  ],
  [
    'hex to decode',
    '{core/abi/explainHex.ts:MAX_HEX_DIGITS as digits}, in a hover {features/decode/hexHover.ts:MAX_DECODED_CHARS as digits}; {core/abi/explainData.ts:MAX_CANDIDATES} candidates; calls within calls {core/abi/explainData.ts:MAX_DEPTH} deep and {core/abi/explainData.ts:MAX_NESTED} in all; {core/abi/explainHex.ts:MAX_WORDS} words; *Decode…* {features/decode/findItems.ts:MAX_ITEMS} of them in {features/decode/decodeInput.ts:MAX_INPUT_CHARS} characters',
    'unit/core/abi/explainHex.test.ts',
    'unit/features/decode/findItems.test.ts',
  ],
  [
    'the search of the workspace for addresses',
    '{host/workspace/walkFolders.ts:MAX_FILES} files, {host/workspace/walkFolders.ts:MAX_FOLDERS} folders, {host/workspace/walkFolders.ts:MAX_ENTRIES} entries a folder, {host/places/workspaceAddresses.ts:MAX_ADDRESSES} addresses; {host/workspace/walkFolders.ts:MAX_DEPTH} folders deep; of the `.gitignore` files that apply to a folder {host/workspace/ignoreRules.ts:MAX_GITIGNORE_LINES} lines each and {host/workspace/ignoreRules.ts:MAX_GITIGNORE_CHARS} characters in all; {host/places/workspaceSearch.ts:MAX_PATTERNS} patterns of a setting, {host/workspace/globs.ts:MAX_ALTERNATIVES} alternatives in braces; a pattern {host/workspace/globs.ts:MAX_PATTERN_CHARS} characters and {host/workspace/globs.ts:MAX_WILDCARDS_IN_NAME as spelled} `*` in a name; {host/timing.ts:MAX_CHANGES} changes at once, beyond which everything is read again',
    'unit/host/workspace/ignoreRules.test.ts',
    'unit/host/workspace/workspaceFiles.test.ts',
  ],
  [
    'rows that are copied',
    '{host/tableText.ts:MAX_COPIED_ROWS} rows, {host/tableText.ts:MAX_COPIED_CHARS} characters, {messaging/rowSelection.ts:MAX_ROW_RANGES} ranges',
    'unit/features/logs/export/exportRows.test.ts',
  ],
  [
    'what is typed into a log form',
    '{core/logs/query/addressNames.ts:MAX_NAMES} names looked up in a field; types checked in the first {core/abi/declaration.ts:MAX_DECLARATION_CHARS} characters',
    'unit/features/logs/form/readForm.test.ts',
    'unit/core/abi/declaration.test.ts',
  ],
  [
    'a result for an agent',
    '{core/operations/result.ts:MAX_RESULT_BYTES} as sent; untrusted texts {core/operations/agentText.ts:MAX_TEXT_CHARS} characters, bytes {core/operations/result.ts:MAX_VALUE_BYTES as number}, lists {core/operations/result.ts:MAX_ARRAY_ITEMS} items, a page {core/operations/tools.ts:MAX_ROWS} rows; a call {core/operations/continuation.ts:DEFAULT_LIMIT.ms as MS} and {core/operations/continuation.ts:DEFAULT_LIMIT.requests} requests, with an estimate above {core/operations/continuation.ts:MAX_UNCONFIRMED_REQUESTS}, confirmed {core/operations/continuation.ts:CONFIRMED_LIMIT.ms as MS} and {core/operations/continuation.ts:CONFIRMED_LIMIT.requests}; files into one folder, none overwritten',
    'unit/core/operations/events.test.ts',
  ],
  [
    'a regular expression',
    'time in proportion to the text, held by a test over all of them',
    'integration/build/patterns.test.ts',
  ],
];
