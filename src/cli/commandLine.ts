import { parseArgs } from 'node:util';
import {
  type Address,
  badInput,
  type ChainAddress,
  editDistance,
  extractKey,
  isHttpUrl,
  type LogOrder,
  notTimeError,
  parseDatasetUrl,
  parseRpcAuth,
  parseTimeTag,
  type RpcAuth,
  requireWrittenAddress,
  resolveTimeTag,
  SECRET_PLACEHOLDER,
  sanitizeText,
  systemClock,
  validateNetworkField,
} from '../core/index.ts';

export const usage = `Usage: npm run -s headless -- COMMAND --rpc URL [--chain-id N] [--data-api URL --key-env NAME]

  block [--at TIME]         number of the latest block; with --at, the last block at or before a time (as
                            below, or seconds since 1970), its time and the source of that time
  balance ADDRESS           native balance in wei
  tokens ADDRESS            token balances, one a line, then their provider and the verdict. They come from a
                            data API (with --chain-id, --data-api and --key-env), else from an explorer. From
                            a node, only those of --token ADDRESS, which can be repeated
  transfers ADDRESS [--token ADDRESS] [--pages N | --all]
                            token transfers of an address from an explorer, newest first, one a line, then
                            the verdict
  balances ADDRESS [--pages N | --all]
                            native balances over time from an explorer, newest first, one a line, then the
                            verdict
  identify ADDRESS          what is at an address: account, contract or delegated account; its token, its
                            proxy with the implementations, its creation. null means absent or unknown:
                            the sources say which
  logs [--query FILE|-] [--from BLOCK] [--to BLOCK] [--pages N | --all] [--newest-first] [--times]
                            [--decode DIR] [--group-by FIELD[,FIELD]] [--sum FIELD]
                            [--second URL [--sample N]]
                            event logs, one a line, oldest first, then the verdict. The query is JSON:
                            {address?, event?, args?, topics?, fromBlock?, toBlock?}.
                            Blocks can be latest-1000, fromBlock -1000 for the last thousand, or times:
                            2026-11-01, 2026-11-01T12:30Z, -7d (UTC without a time zone).
                            --from and --to replace the blocks of the query.
                            args are by name: {"event":"Paid(address indexed by)","args":{"by":"0x…"}}.
                            --times adds the time of its block to each row, or null if it is unknown.
                            --decode decodes each row with the projects in DIR and well-known standards.
                            --group-by counts the logs by one or two FIELDs: parameters of the event, address,
                            event, block or day (UTC). --sum adds sum, min and max of a parameter; alone, of
                            all logs. Prints the groups, largest sum (else count) first, in place of the logs.
                            Implies --all, unless --pages is set. ungrouped in the verdict is the number of
                            logs that lack a FIELD.
                            --second loads the same logs from another endpoint of the chain and compares
                            the rows; with --sample, only those of N windows of 1,000 blocks. The verdict
                            has the result
  contracts DIR             contracts and deployments of the projects in a folder, one a line; sends no
                            requests
  decode HEX|- [--dir DIR] [--address A --chain-id N]
                            what hex may be, one meaning a line: a selector, a topic0, a call, a revert,
                            encoded values. Uses the projects in DIR and well-known standards; sends no
                            requests
  transaction HASH [--trace] [--simulate [--block N|latest]] [--dir DIR]
                            a transaction: facts, decoded call and logs, token transfers. If it failed, also
                            why, with the lines of the projects in DIR that may have reverted. For any other
                            hash, what it is. --trace adds its calls as a tree, each with contract, function,
                            arguments, gas, result or error, and logs, and in failedAt the line in DIR that
                            failed, with the calls above it; or, if it is not certain, the lines that may
                            have. trace is null with a reason where the node cannot trace. --simulate runs
                            its call again, on the state before its block or after --block, and prints in
                            simulation what it would do. Nothing is sent
  read ADDRESS FUNCTION [ARG…] [--block N|TAG|TIME] [--dir DIR]
                            what a view function returns, and in which block. FUNCTION is its name, or is
                            declared: "balanceOf(address) view returns (uint256)". ARG is text, or JSON for
                            lists and structs: '[1, 2]' '{"to": "0x…", "amount": "5"}'; also 1.5ether, 1e18, a
                            member of an enum, and the name of an address in DIR. The ABI is that of DIR, of
                            the implementation of a proxy in that block, of --sources, or of a standard.
                            TAG is latest, latest-1000, finalized, safe or earliest
  check FILE|FOLDER|'PATTERN'… [--dir DIR] [--update] [--strict] [--timeout SECONDS]
                            runs the queries of files (*.chainlog.json, *.chain.md), one a line: whether the
                            result is complete, its number of logs, their SHA-256, and whether both are as
                            the file expects. Names come from the projects in DIR, else from the project of
                            the file. Fails unless all results are complete and as expected. --update writes
                            the results into the files. --strict also fails where nothing is expected.
                            --timeout ends each query after SECONDS
  mcp [--dir DIR] [--out DIR] [--sources LIST] [--name NAME] [--symbol SYMBOL] [--decimals N]
                            serves agents over standard input and output by the Model Context Protocol, with
                            the operations of the next command as tools. Files are written only to --out
  ask OPERATION [JSON|-] [--dir DIR] [--out DIR] [--sources LIST]
                            runs one operation and prints its result as one line: get_network,
                            resolve_contract, get_address, query_events, decode_data, get_transaction,
                            read_contract

  --sources LIST            for logs, read, decode and transaction: more providers of ABIs, in this order:
                            explorer (of --rpc) and sourcify by address, signatures by hash
  --sourcify URL            another Sourcify server
  --signatures URL          another signature database

  --rpc URL                 a node, an explorer's …/api/eth-rpc, or, for block and logs, an SQD Portal's
                            …/datasets/NAME. \${env:NAME} in its path or query is the value of an environment
                            variable
  --rpc-key-env NAME        environment variable with the key of --rpc. The key is sent as --rpc-key-in says
                            (bearer or header:NAME), or replaces \${key} in the path or query of --rpc.
                            Put that URL in single quotes, or the shell expands it
  --key-in header|query     where the data API key is sent (default: header)
  --quote-currency CODE     currency of token values (default: USD)`;

export interface CommandLine {
  readonly command: string;
  /** The first argument of the command: an address, a hash, hex, a folder, or an operation. */
  readonly subject: string | undefined;
  /** Only for `read`. */
  readonly readFunction: string | undefined;
  readonly readArguments: readonly string[];
  /** Of `--block`. */
  readonly block: string | undefined;
  /** Only for `check`. */
  readonly files: readonly string[];
  /** Whether `check` writes the results into the files. */
  readonly update: boolean;
  /** Whether `check` fails where nothing is expected. */
  readonly strict: boolean;
  /** Of each query of `check`; undefined for no limit. */
  readonly timeoutMs: number | undefined;
  /** The input of an operation: JSON, or `-` for standard input. */
  readonly input: string | undefined;
  /** With a placeholder in place of a key that the URL contained. */
  readonly rpcUrl: string | undefined;
  /** The key that was taken out of the URL. */
  readonly rpcKey: string | undefined;
  /** Name of the environment variable with the key of the JSON-RPC endpoint. */
  readonly rpcKeyEnv: string | undefined;
  readonly rpcAuth: RpcAuth | undefined;
  readonly chainId: number | undefined;
  /** The contract of `--address`, which was called, reverted or emitted. */
  readonly at: ChainAddress | undefined;
  readonly dataApiUrl: string | undefined;
  /** Name of the environment variable with the data API key. The key itself is never an argument. */
  readonly keyEnv: string | undefined;
  readonly keyIn: 'header' | 'query';
  readonly quoteCurrency: string;
  readonly tokens: readonly Address[];
  readonly query: string | undefined;
  /** Override the bounds of the query. */
  readonly bounds: { readonly fromBlock?: string; readonly toBlock?: string };
  /** Whether a transaction is printed with its calls. */
  readonly trace: boolean;
  /** Whether the call of a transaction is run again. */
  readonly simulate: boolean;
  /** Of `block --at`, in milliseconds since the Unix epoch. */
  readonly time: number | undefined;
  /** Whether each log is printed with the time of its block. */
  readonly times: boolean;
  /** The endpoint of the second opinion. */
  readonly secondUrl: string | undefined;
  /** The key that was taken out of its URL. */
  readonly secondKey: string | undefined;
  /** Number of windows that the second opinion compares; undefined for all blocks. */
  readonly sample: number | undefined;
  /** Of `--decode` or `--dir`: the folder with the projects that provide the ABIs. */
  readonly projectFolder: string | undefined;
  /** The list of ABI providers as typed; undefined for none. */
  readonly providers: string | undefined;
  /** Name of the network in results. */
  readonly networkName: string | undefined;
  readonly coinSymbol: string | undefined;
  readonly coinDecimals: number;
  /** The only folder that files may be written to. */
  readonly outFolder: string | undefined;
  readonly sourcifyUrl: string | undefined;
  readonly signaturesUrl: string | undefined;
  readonly order: LogOrder;
  /** What `logs` groups by: FIELDs between commas; undefined to print logs. */
  readonly groupBy: string | undefined;
  /** The parameter that `logs` sums. */
  readonly sum: string | undefined;
  /** `Infinity` for all; undefined if not set. */
  readonly pages: number | undefined;
}

/** Stands for an unknown chain ID: no chain has the ID 0, so nothing is deployed on it. */
export const NO_CHAIN_ID = 0;

/** A part of the URL of at least this many letters and digits counts as a key, which is never printed. */
const MIN_KEY_CHARS = 8;

/** What they need is in options. */
const WITHOUT_ARGUMENT: readonly string[] = ['block', 'logs', 'mcp'];

/** Options that change the meaning of a result, and must not be ignored by other commands. */
const OPTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  'group-by': ['logs'],
  sum: ['logs'],
  block: ['read', 'transaction'],
  trace: ['transaction'],
  simulate: ['transaction'],
};

/** Parses the arguments. @throws AppError `badInput` with the invalid option as `field`. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parseArguments(args);
  const [named, subject, ...others] = positionals;
  const command = values.help ? 'help' : named;
  const files = command === 'check' ? positionals.slice(1) : [];
  const input = command === 'ask' ? others.shift() : undefined;
  const [readFunction, ...readArguments] = command === 'read' ? others.splice(0).map(toArgument) : [];
  const [extra] = WITHOUT_ARGUMENT.includes(command ?? '') ? [subject] : others;
  if (command === undefined) throw badInput('command', 'There is no command. Write one of those below.');
  if (extra !== undefined && command !== 'check')
    throw badInput('argument', `The argument ${sanitizeText(extra, 60)} is not expected. Remove it.`);
  for (const [option, commands] of Object.entries(OPTIONS_OF)) {
    if (Object.hasOwn(values, option) && !['help', ...commands].includes(command))
      throw badInput(option, `--${option} is only for ${commands.join(' and ')}.`);
  }
  if (command === 'transaction' && values.block !== undefined && !values.simulate)
    throw badInput('block', '--block needs --simulate. Add it, or remove --block.');
  if (values.all && values.pages !== undefined) throw badInput('pages', 'Use --pages or --all, not both.');
  const keyIn = values['key-in'] ?? 'header';
  if (keyIn !== 'header' && keyIn !== 'query') throw badInput('key-in', '--key-in must be header or query.');
  const chainId = parseCount('chain-id', values['chain-id']);
  return {
    command,
    subject,
    readFunction,
    readArguments,
    block: values.block,
    files,
    update: values.update === true,
    strict: values.strict === true,
    timeoutMs: parseTimeout(values.timeout),
    input,
    rpcKeyEnv: values['rpc-key-env'],
    ...splitRpcKey(values),
    rpcAuth: parseAuthOption(values['rpc-key-in']),
    chainId,
    at: parseContract(values.address, chainId),
    dataApiUrl: parseUrl('data-api', values['data-api']),
    keyEnv: values['key-env'],
    keyIn,
    quoteCurrency: values['quote-currency'] ?? 'USD',
    tokens: (values.token ?? []).map((token) => requireWrittenAddress(token, 'token')),
    query: values.query,
    bounds: {
      ...(values.from !== undefined && { fromBlock: values.from }),
      ...(values.to !== undefined && { toBlock: values.to }),
    },
    time: parseTime(values.at),
    times: values.times === true,
    trace: values.trace === true,
    simulate: values.simulate === true,
    ...splitSecondKey(parseUrl('second', values.second)),
    sample: parseCount('sample', values.sample),
    projectFolder: values.decode ?? values.dir,
    providers: values.sources,
    outFolder: values.out,
    networkName: values.name,
    coinSymbol: values.symbol,
    coinDecimals: parseDecimals(values.decimals),
    sourcifyUrl: parseUrl('sourcify', values.sourcify),
    signaturesUrl: parseUrl('signatures', values.signatures),
    order: values['newest-first'] ? 'newestFirst' : 'oldestFirst',
    groupBy: values['group-by']?.join(','),
    sum: values.sum,
    pages: values.all ? Number.POSITIVE_INFINITY : parseCount('pages', values.pages),
  };
}

function parseArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: joinNegativeValues(args),
      allowPositionals: true,
      options: OPTIONS,
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, option] = MISSING_VALUE.exec(message) ?? [];
    if (option !== undefined)
      throw badInput(option, `--${option} needs a value. If it begins with a dash, write --${option}=VALUE.`);
    const [, unknown] = UNKNOWN_OPTION.exec(message) ?? [];
    throw badInput('option', unknown === undefined ? `${message}.` : formatUnknownOption(unknown));
  }
}

function formatUnknownOption(option: string): string {
  const near = Object.keys(OPTIONS).find((name) => editDistance(`--${name}`, option, 2) !== undefined);
  return `There is no option ${sanitizeText(option, 60)}.${near === undefined ? '' : ` Did you mean --${near}?`}`;
}

const UNKNOWN_OPTION = /^Unknown option '([^']*)'/;

const MISSING_VALUE = /^Option '(?:-\w, )?--([\w-]+)(?: <value>)?' (?:argument (?:missing|is ambiguous))/;

const OPTIONS = {
  rpc: { type: 'string' },
  'rpc-key-env': { type: 'string' },
  'rpc-key-in': { type: 'string' },
  'chain-id': { type: 'string' },
  address: { type: 'string' },
  'data-api': { type: 'string' },
  'key-env': { type: 'string' },
  'key-in': { type: 'string' },
  'quote-currency': { type: 'string' },
  token: { type: 'string', multiple: true },
  query: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  at: { type: 'string' },
  block: { type: 'string' },
  times: { type: 'boolean' },
  trace: { type: 'boolean' },
  simulate: { type: 'boolean' },
  second: { type: 'string' },
  sample: { type: 'string' },
  decode: { type: 'string' },
  sources: { type: 'string' },
  sourcify: { type: 'string' },
  signatures: { type: 'string' },
  dir: { type: 'string' },
  out: { type: 'string' },
  name: { type: 'string' },
  symbol: { type: 'string' },
  decimals: { type: 'string' },
  pages: { type: 'string' },
  all: { type: 'boolean' },
  'newest-first': { type: 'boolean' },
  'group-by': { type: 'string', multiple: true },
  sum: { type: 'string' },
  update: { type: 'boolean' },
  strict: { type: 'boolean' },
  timeout: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/**
 * Lets `--from`, `--to`, `--at` and `--block` take a value that begins with a minus, such as -7d, and `--name` and
 * `--symbol` any text that is no option: `parseArgs` would read it as one. A negative argument gets a space in front.
 */
function joinNegativeValues(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const [index, arg] of args.entries()) {
    const before = args[index - 1] ?? '';
    const isNegative = /^-\d/.test(arg);
    const isBlock = /^--(?:from|to|at|block)$/.test(before) && isNegative;
    const isText = /^--(?:name|symbol)$/.test(before) && arg.startsWith('-') && !isOption(arg);
    const isValue = isBlock || isText;
    if (isValue) joined.push(`${joined.pop()}=${arg}`);
    else joined.push(isNegative ? ` ${arg}` : arg);
  }
  return joined;
}

const toArgument = (text: string) => text.replace(/^ (?=-\d)/, '');

const isOption = (arg: string) => Object.hasOwn(OPTIONS, arg.replace(/^--|=.*$/gs, '')) || arg === '-h';

/** From 1973 on. */
const UNIX_SECONDS = /^\d{9,11}$/;

function parseTime(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (UNIX_SECONDS.test(value)) return Number(value) * 1000;
  const tag = parseTimeTag(value, 'at');
  if (tag === undefined) throw notTimeError('at');
  return resolveTimeTag(tag, systemClock.now());
}

function parseUrl(name: string, value: string | undefined): string | undefined {
  if (value !== undefined && !isHttpUrl(value)) {
    throw badInput(name, `--${name} must be an http or https URL without user name and password.`);
  }
  return value;
}

function parseRpcUrl(value: string | undefined): string | undefined {
  const url = parseUrl('rpc', value);
  if (url === undefined || validateNetworkField('rpcUrl', url) === undefined) return url;
  throw badInput('rpc', `${SECRET_PLACEHOLDER} must be in the path or query of --rpc.`);
}

/**
 * Takes a key out of the URL, so that no error or result contains it. A URL of an SQD Portal has no key in its
 * path.
 */
function splitRpcKey(values: {
  readonly rpc?: string | undefined;
  readonly 'rpc-key-env'?: string | undefined;
}): Pick<CommandLine, 'rpcUrl' | 'rpcKey'> {
  const url = parseRpcUrl(values.rpc);
  const found = values['rpc-key-env'] === undefined ? splitKey(url) : undefined;
  return { rpcUrl: found?.url ?? url, rpcKey: found?.key };
}

function splitSecondKey(url: string | undefined): Pick<CommandLine, 'secondKey' | 'secondUrl'> {
  const found = splitKey(url);
  return { secondUrl: found?.url ?? url, secondKey: found?.key };
}

function splitKey(url: string | undefined) {
  const mayHold = url !== undefined && parseDatasetUrl(url) === undefined;
  return mayHold ? extractKey(url, MIN_KEY_CHARS) : undefined;
}

function parseAuthOption(value: string | undefined): RpcAuth | undefined {
  const auth = value === undefined ? undefined : parseRpcAuth(value);
  if (value === undefined || auth !== undefined) return auth;
  throw badInput(
    'rpc-key-in',
    '--rpc-key-in must be bearer or header:NAME, with a header that can carry a key.',
  );
}

function parseContract(address: string | undefined, chainId: number | undefined): ChainAddress | undefined {
  if (address === undefined) return undefined;
  if (chainId === undefined) throw badInput('chain-id', '--address needs a chain. Set it with --chain-id N.');
  return { address: requireWrittenAddress(address), chainId };
}

function parseDecimals(value = '18'): number {
  if (/^\d{1,2}$/.test(value)) return Number(value);
  throw badInput('decimals', '--decimals must be a whole number: the decimals of the native coin.');
}

function parseTimeout(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^\d{1,6}(?:\.\d{1,3})?$/.test(value) ? Number(value) : 0;
  if (seconds > 0 && seconds <= MAX_TIMEOUT_SECONDS) return Math.ceil(seconds * 1000);
  throw badInput('timeout', `--timeout must be a number of seconds above 0, up to ${MAX_TIMEOUT_SECONDS}.`);
}

/** A day. */
const MAX_TIMEOUT_SECONDS = 86_400;

function parseCount(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const count = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(count) || count === 0) {
    throw badInput(name, `--${name} must be a whole number above 0.`);
  }
  return count;
}
