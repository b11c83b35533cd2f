// All that the help, the manual and the parser know of commands and options.

export interface Command {
  /** Its arguments and what else it needs. */
  readonly takes: string;
  /** What it prints, or does, in one line. */
  readonly summary: string;
  readonly details?: string;
  /** Names of its options, beside those of the endpoint. */
  readonly options: readonly OptionName[];
  /** Arguments, as a user types them in a shell. */
  readonly examples: readonly string[];
}

/** An option: `parseArgs` reads `type`, `short` and `multiple`, the help reads the rest. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: true;
  /** The placeholder of its value. */
  readonly value?: string;
  readonly about: string;
}

export const OPTIONS = {
  rpc: {
    type: 'string',
    value: 'URL',
    about: `a node, an explorer’s …/api/eth-rpc, or, for block and logs, an SQD Portal’s …/datasets/NAME, or Etherscan’s https://api.etherscan.io/v2/api?chainid=N&apikey=\${key}. \${env:NAME} in its path or query is the value of an environment variable`,
  },
  'rpc-key-env': {
    type: 'string',
    value: 'NAME',
    about: `environment variable with the key of --rpc. The key is sent as --rpc-key-in says, or replaces \${key} in the path or query of --rpc. Put that URL in single quotes, or the shell expands it`,
  },
  'rpc-key-in': {
    type: 'string',
    value: 'bearer|header:NAME',
    about: 'where the key of --rpc is sent',
  },
  'chain-id': {
    type: 'string',
    value: 'N',
    about: 'the chain ID, if the endpoint does not report it',
  },
  at: {
    type: 'string',
    value: 'TIME',
    about: 'a time: 2026-11-01, 2026-11-01T12:30Z, -7d (UTC without a time zone), or seconds since 1970',
  },
  query: {
    type: 'string',
    value: 'FILE|-',
    about:
      'the query, from a file or from standard input, as JSON: {address?, event?, args?, topics?, fromBlock?, toBlock?}. args are by name: {"event":"Paid(address indexed by)","args":{"by":"0x…"}}',
  },
  from: {
    type: 'string',
    value: 'BLOCK|ADDRESS',
    about:
      'with read, the sender of the call: an address, or a name in DIR; else the first block, which overrides the query: a number, latest-1000, -1000 for the last thousand, or a time: 2026-11-01, 2026-11-01T12:30Z, -7d (UTC without a time zone)',
  },
  to: {
    type: 'string',
    value: 'BLOCK',
    about: 'the last block, which overrides the query (default: latest)',
  },
  pages: { type: 'string', value: 'N', about: 'number of pages to load (default: 1)' },
  all: { type: 'boolean', about: 'loads all pages; with state, compares every row' },
  'newest-first': { type: 'boolean', about: 'the newest logs first' },
  times: {
    type: 'boolean',
    about: 'adds the time of its block to each row, or null if it is unknown',
  },
  decode: {
    type: 'string',
    value: 'DIR',
    about: 'decodes each row with the projects in DIR and well-known standards',
  },
  'group-by': {
    type: 'string',
    value: 'FIELD[,FIELD]',
    multiple: true,
    about:
      'counts the logs by one or two FIELDs: parameters of the event, address, event, block or day (UTC), and prints the groups in place of the logs, largest sum (else count) first. Implies --all, unless --pages is set. ungrouped in the verdict is the number of logs that lack a FIELD',
  },
  sum: {
    type: 'string',
    value: 'FIELD',
    about: 'adds sum, min and max of a parameter to each group; without --group-by, of all logs',
  },
  second: {
    type: 'string',
    value: 'URL',
    about:
      'loads the same logs from another endpoint of the chain and compares the rows. The verdict has the result',
  },
  sample: {
    type: 'string',
    value: 'N',
    about: 'compares only N windows of 1,000 blocks with --second',
  },
  prove: {
    type: 'boolean',
    about:
      'proves by the hashes of the chain that no log is missing and none is wrong, for up to 10,000 blocks of a node. Implies --all. The verdict has the proof. With --prove=required, the exit code is 1 unless it is proven',
  },
  'trust-hash': {
    type: 'string',
    value: 'HASH',
    about:
      'the hash of the last block of the range, or of a later one, that --prove starts from; without it, that which the endpoint reports',
  },
  token: {
    type: 'string',
    value: 'ADDRESS',
    multiple: true,
    about: 'only this token; of a node, those of several such options',
  },
  address: {
    type: 'string',
    value: 'ADDRESS',
    about:
      'with transaction --failed, only transactions that were sent to it, or would have created it; with decode, the contract that was called, reverted or emitted; needs --chain-id there',
  },
  contract: {
    type: 'string',
    value: 'NAME',
    about:
      'the contract of the project, such as Vault, or src/Vault.sol:Vault where names repeat (default: the one that the project says is deployed there, else the one with this code)',
  },
  block: {
    type: 'string',
    value: 'N|TAG|TIME',
    about:
      'the state after that block. TAG is latest, latest-1000, finalized, safe or earliest; --simulate takes a number or latest',
  },
  compare: {
    type: 'string',
    value: 'N|TAG|TIME',
    about:
      'also reads the state after another block, as in --block: read adds its values in compared, and whether they changed; state prints only the rows that changed, each before (in that block) and after',
  },
  trace: {
    type: 'boolean',
    about:
      'adds the calls as a tree, each with contract, function, arguments, gas, result or error, and logs, and in failedAt the line in DIR that failed, with the calls above it; or, if it is not certain, the lines that may have. trace is null with a reason where the node cannot trace',
  },
  failed: {
    type: 'boolean',
    about:
      'prints each transaction of the blocks --from to --to that failed, oldest first, then the verdict. At most 10,000 blocks and 1,000 transactions at once',
  },
  simulate: {
    type: 'boolean',
    about:
      'runs the call again, on the state before its block or after --block, and prints in simulation what it would do. Nothing is sent',
  },
  dir: { type: 'string', value: 'DIR', about: 'a folder with projects, whose names and ABIs are used' },
  update: { type: 'boolean', about: 'writes the results into the files' },
  strict: {
    type: 'boolean',
    about: 'also fails where nothing is expected, and where an ok rests on what could not be checked',
  },
  'strict-names': {
    type: 'boolean',
    about: 'refuses a name of several deployments, in place of taking the newest one',
  },
  timeout: {
    type: 'string',
    value: 'SECONDS',
    about: 'ends each query after SECONDS; with transaction --failed, ends it (default: 300)',
  },
  format: {
    type: 'string',
    value: 'FORMAT',
    about:
      'json (default, except in a terminal), text (default there), or for CI: github (annotations), junit (XML) or sarif',
  },
  sources: {
    type: 'string',
    value: 'LIST',
    about:
      'more providers of ABIs, in this order: explorer (of --rpc) and sourcify by address, signatures by hash; etherscan by address, always last, with a key of your own',
  },
  'etherscan-key-env': {
    type: 'string',
    value: 'NAME',
    about: 'environment variable with the key of etherscan. It is sent only to https://api.etherscan.io',
  },
  sourcify: { type: 'string', value: 'URL', about: 'another Sourcify server' },
  signatures: { type: 'string', value: 'URL', about: 'another signature database' },
  'data-api': { type: 'string', value: 'URL', about: 'a data API; needs --chain-id and --key-env' },
  'key-env': { type: 'string', value: 'NAME', about: 'environment variable with the data API key' },
  'key-in': {
    type: 'string',
    value: 'auto|header|query',
    about:
      'where the data API key is sent. auto (default): in a header, and as the parameter key of the URL if the server refuses it there',
  },
  'quote-currency': {
    type: 'string',
    value: 'CODE',
    about: 'currency of token values (default: USD)',
  },
  out: { type: 'string', value: 'DIR', about: 'the only folder that files are written to' },
  name: { type: 'string', value: 'NAME', about: 'name of the network in results' },
  symbol: { type: 'string', value: 'SYMBOL', about: 'symbol of the native coin in results' },
  decimals: { type: 'string', value: 'N', about: 'decimals of the native coin (default: 18)' },
  json: { type: 'boolean', about: 'prints JSON in a terminal too, which else shows tables and text' },
  help: { type: 'boolean', short: 'h', about: 'prints how to use the program, or a command' },
  version: { type: 'boolean', about: 'prints the version' },
} as const satisfies Readonly<Record<string, Option>>;

export type OptionName = keyof typeof OPTIONS;

const PROVIDERS: readonly OptionName[] = ['sources', 'etherscan-key-env', 'sourcify', 'signatures'];
const DATA_API: readonly OptionName[] = ['data-api', 'key-env', 'key-in'];
const AGENTS: readonly OptionName[] = [
  ...(['dir', 'out'] as const),
  ...PROVIDERS,
  ...DATA_API,
  ...(['name', 'symbol', 'decimals'] as const),
];

/** Options of every command that asks an endpoint. */
export const ENDPOINT_OPTIONS: readonly OptionName[] = ['rpc', 'rpc-key-env', 'rpc-key-in', 'chain-id'];

/** Options of every command. */
export const COMMON_OPTIONS: readonly OptionName[] = ['json', 'help', 'version'];

/** All options that a command takes. Each other one is an error, since it would be ignored. */
export function listCommandOptions({ takes, options }: Command): readonly OptionName[] {
  return [...options, ...(takes.includes('--rpc') ? ENDPOINT_OPTIONS : []), ...COMMON_OPTIONS];
}

const LOCAL = '--rpc http://127.0.0.1:8545';

export const COMMANDS: Readonly<Record<string, Command>> = {
  block: {
    takes: '--rpc URL',
    summary: 'the latest block, or the last block at or before a time',
    details: 'With --at, the line also has the time of the block and the source of that time.',
    options: ['at'],
    examples: [`block ${LOCAL}`, `block --at -1h ${LOCAL}`],
  },
  balance: {
    takes: 'ADDRESS --rpc URL',
    summary: 'the native balance in wei',
    options: [],
    examples: [`balance 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 ${LOCAL}`],
  },
  tokens: {
    takes: 'ADDRESS --rpc URL',
    summary: 'token balances, one a line, then their provider and the verdict',
    details:
      'They come from a data API (with --chain-id, --data-api and --key-env), else from an explorer. From a node, only those of --token.',
    options: ['token', ...DATA_API, 'quote-currency'],
    examples: [
      'tokens 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --rpc https://eth.blockscout.com/api/eth-rpc',
      `tokens 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --token 0x5FbDB2315678afecb367f032d93F642f64180aa3 ${LOCAL}`,
    ],
  },
  transfers: {
    takes: 'ADDRESS --rpc URL',
    summary: 'token transfers of an address from an explorer, newest first, one a line, then the verdict',
    details: 'If the endpoint is not an explorer, Etherscan has the transfers, with --etherscan-key-env.',
    options: ['token', 'pages', 'all', 'etherscan-key-env'],
    examples: [
      'transfers 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --all --rpc https://eth.blockscout.com/api/eth-rpc',
    ],
  },
  balances: {
    takes: 'ADDRESS --rpc URL',
    summary: 'native balances over time from an explorer, newest first, one a line, then the verdict',
    options: ['pages', 'all'],
    examples: [
      'balances 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --all --rpc https://eth.blockscout.com/api/eth-rpc',
    ],
  },
  identify: {
    takes: 'ADDRESS --rpc URL',
    summary: 'what is at an address: account, contract or delegated account, its token, proxy and creation',
    details:
      'null means absent or unknown: the sources say which. With --etherscan-key-env, Etherscan tells the creation of a contract that the endpoint does not report.',
    options: ['etherscan-key-env'],
    examples: [`identify 0x5FbDB2315678afecb367f032d93F642f64180aa3 ${LOCAL}`],
  },
  logs: {
    takes: '[--query FILE|-] --rpc URL',
    summary: 'event logs, one a line, oldest first, then the verdict',
    details:
      'Without a query, of all contracts. The verdict says whether the result is complete, and why not. Groups and --decode use the declaration of the query, well-known standards and the projects in DIR.',
    options: [
      ...(['query', 'from', 'to', 'pages', 'all', 'newest-first', 'times', 'decode', 'dir'] as const),
      ...(['group-by', 'sum', 'second', 'sample', 'prove', 'trust-hash'] as const),
      ...PROVIDERS,
    ],
    examples: [
      `logs --query transfers.json --all ${LOCAL}`,
      `logs --query transfers.json --from -7d --group-by to --sum value ${LOCAL}`,
    ],
  },
  contracts: {
    takes: 'DIR [--rpc URL]',
    summary: 'contracts and deployments of the projects in a folder, one per line',
    details:
      'At each address the newest record is the deployment, and the others have the state older. No request is sent without --rpc. With it, the state of each record of that chain is current (by the code, or by its transaction), unconfirmed, undecided (several names, and nothing decides), replaced, or missing (no code).',
    options: [],
    examples: ['contracts .', `contracts . ${LOCAL}`],
  },
  decode: {
    takes: 'HEX|- [--rpc URL]',
    summary: 'what hex may be, one meaning a line: a selector, a topic0, a call, a revert, encoded values',
    details:
      'Uses the projects in DIR and well-known standards. Sends no requests, unless --sources names providers, or --rpc is set with --address and --dir: the code that the address runs now, as a proxy too, then comes first.',
    options: ['dir', 'address', ...PROVIDERS],
    examples: [
      'decode 0xa9059cbb',
      'decode - --dir . --address 0x5FbDB2315678afecb367f032d93F642f64180aa3 --chain-id 31337 < calldata.txt',
    ],
  },
  read: {
    takes: 'ADDRESS FUNCTION [ARG…] --rpc URL',
    summary: 'what a view function or public variable returns, at any block',
    details:
      'FUNCTION is its name, or is declared: "balanceOf(address) view returns (uint256)". ARG is text, or JSON for lists and structs: \'[1, 2]\' \'{"to": "0x…", "amount": "5"}\'; also 1.5ether, 1e18, a member of an enum, and the name of an address in DIR. The ABI is that of DIR, of the implementation of a proxy in that block, of --sources, or of a standard.',
    options: ['block', 'compare', 'from', 'dir', ...PROVIDERS],
    examples: [
      `read 0x5FbDB2315678afecb367f032d93F642f64180aa3 totalSupply ${LOCAL}`,
      `read 0x5FbDB2315678afecb367f032d93F642f64180aa3 "balanceOf(address)(uint256)" 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --block latest-100 ${LOCAL}`,
    ],
  },
  state: {
    takes: 'holders|roles|allowances ADDRESS [OWNER] --rpc URL',
    summary:
      'holders of a token, members of roles, or allowances, at any block, one a line, then the verdict',
    details:
      'Rebuilt from all logs up to the block, and compared with calls at that block. holders: of ERC-20, ERC-721 and ERC-1155. roles: of AccessControl and similar, owners, and who may upgrade a proxy. allowances: of a token, or, without OWNER, of an account in all tokens. confirmed in the verdict is true if the logs are complete and all rows equal what the contract says; restsOn lists what that leaves open. Up to 500 rows are compared, with --all every row. --prove proves the logs.',
    options: ['block', 'compare', 'dir', 'all', 'prove', 'trust-hash', ...PROVIDERS],
    examples: [
      `state holders 0x5FbDB2315678afecb367f032d93F642f64180aa3 ${LOCAL}`,
      `state roles 0x5FbDB2315678afecb367f032d93F642f64180aa3 --block latest-100 --dir . ${LOCAL}`,
    ],
  },
  code: {
    takes: 'ADDRESS --dir DIR --rpc URL',
    summary: 'whether the deployed code is that of a contract of the project, at any block',
    details:
      'match is exact, metadata (only comments, names or paths differ), immutables (and libraries: with their values), settings (same sources, other settings of the compiler: listed), different (with the functions and selectors; isPartial: others may differ too), none (no code) or unknown; the reasons say why. A proxy is compared by the code that it runs. Fails unless match is exact, metadata or immutables.',
    options: ['contract', 'block', 'dir'],
    examples: [`code 0x5FbDB2315678afecb367f032d93F642f64180aa3 --contract Vault --dir . ${LOCAL}`],
  },
  transaction: {
    takes: 'HASH|-|--failed --rpc URL',
    summary: 'a decoded transaction, its logs, token transfers and calls, and why it failed',
    details:
      'If it failed, also the lines of the projects in DIR that may have reverted. For any other hash, what it is. With -, the hashes are lines of standard input (10,000 at most): one line is printed for each, and the projects are read once. With --failed, they are those of all transactions that failed in a range of blocks, and the verdict says whether the whole range is read.',
    options: [
      ...(['trace', 'simulate', 'block', 'failed', 'from', 'to', 'address', 'timeout'] as const),
      ...(['dir', 'symbol', 'decimals'] as const),
      ...PROVIDERS,
    ],
    examples: [
      `transaction 0x6768c5532452c5e1081eee943dad046ccf8a7c411ec766661226f66f9183c9a8 --trace --dir . ${LOCAL}`,
      `transaction 0x6768c5532452c5e1081eee943dad046ccf8a7c411ec766661226f66f9183c9a8 --simulate --block latest ${LOCAL}`,
      `transaction --failed --from -1000 --address 0x5FbDB2315678afecb367f032d93F642f64180aa3 --dir . ${LOCAL}`,
    ],
  },
  check: {
    takes: "FILE|FOLDER|'PATTERN'… --rpc URL",
    summary: 'whether query files and documents match their expected results, one query a line',
    details:
      'Runs the queries of files (*.chainlog.json, *.chain.md) and prints whether each result is complete, its number of logs, their SHA-256, and whether both are as the file expects. Names come from the projects in DIR, else from the project of the file; a name of several deployments means the newest that is on the chain, and Token@0x12ab or Token@run-1795948161687 another. Fails unless all results are complete and as expected.',
    options: ['dir', 'update', 'strict', 'strict-names', 'timeout', 'format'],
    examples: [`check queries ${LOCAL}`, `check 'queries/**/*.chain.md' --strict --timeout 60 ${LOCAL}`],
  },
  mcp: {
    takes: '--rpc URL',
    summary: 'nothing: serves agents over standard input and output (Model Context Protocol)',
    details: 'The operations of ask are its tools. Files are written only to --out.',
    options: AGENTS,
    examples: [`mcp --dir . ${LOCAL}`],
  },
  ask: {
    takes: 'OPERATION [JSON|-] --rpc URL',
    summary: 'the result of one agent tool, as one line',
    details:
      'OPERATION is get_network, resolve_contract, get_address, query_events, decode_data, get_transaction, read_contract, compare_code or get_state.',
    options: AGENTS,
    examples: [
      `ask query_events '{"address":"0x5FbDB2315678afecb367f032d93F642f64180aa3","event":"Transfer"}' ${LOCAL}`,
    ],
  },
};
