import { parseArgs } from 'node:util';
import {
  type Address,
  badInput,
  type ChainAddress,
  englishMessage,
  extractKey,
  type Hex,
  isHttpUrl,
  type LogOrder,
  notTimeError,
  parseDatasetUrl,
  parseHexData,
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
import { COMMANDS, type Command, listCommandOptions, OPTIONS, type OptionName } from './commandTable.ts';
import type { ProofDemand } from './exitCode.ts';
import { createUnknownCommandError, formatSuggestion } from './help.ts';

export interface CommandLine {
  readonly command: string;
  /** The first argument of the command: an address, a hash, hex, a folder, or an operation. */
  readonly subject: string | undefined;
  /** Only for `read`. */
  readonly readFunction: string | undefined;
  readonly readArguments: readonly string[];
  /** Only for `state`: the contract or account, and the owner of allowances. */
  readonly stateOf: readonly string[];
  /** Whether results are JSON in a terminal too. */
  readonly json: boolean;
  /** Of `--contract`. */
  readonly contract: string | undefined;
  /** Of `--block`. */
  readonly block: string | undefined;
  /** The other block, as in `--block`. */
  readonly compare: string | undefined;
  /** The sender of the call of `read`. */
  readonly from: string | undefined;
  /** Only for `check`. */
  readonly files: readonly string[];
  /** Whether `check` writes the results into the files. */
  readonly update: boolean;
  /** Whether `check` fails where nothing is expected. */
  readonly strict: boolean;
  /** Whether `check` refuses a name of several deployments. */
  readonly strictNames: boolean;
  /** Of each query of `check`, or of all failed transactions; undefined for no limit of the user. */
  readonly timeoutMs: number | undefined;
  /** How `check` prints its results; undefined for text in a terminal, else JSON. */
  readonly format: CheckFormat | undefined;
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
  readonly keyIn: KeyPlaceOption;
  readonly quoteCurrency: string;
  readonly tokens: readonly Address[];
  readonly query: string | undefined;
  /** Override the bounds of the query. */
  readonly bounds: { readonly fromBlock?: string; readonly toBlock?: string };
  /** Whether a transaction is printed with its calls. */
  readonly trace: boolean;
  /** Whether the failed transactions of `bounds` are printed. */
  readonly failed: boolean;
  /** The only address whose failed transactions are printed. */
  readonly sentTo: Address | undefined;
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
  /** Whether the result is proven by the hashes of the chain; undefined for no proof. */
  readonly prove: ProofDemand | undefined;
  /** The hash that the proof starts from; undefined for that of the endpoint. */
  readonly trustHash: Hex | undefined;
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
  /** Name of the environment variable with the Etherscan key. */
  readonly etherscanKeyEnv: string | undefined;
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

/** Where the data API key is sent; `auto` for where the server accepts it. */
type KeyPlaceOption = 'auto' | 'header' | 'query';

/** Stands for an unknown chain ID: no chain has the ID 0, so nothing is deployed on it. */
export const NO_CHAIN_ID = 0;

/** A part of the URL of at least this many letters and digits counts as a key, which is never printed. */
const MIN_KEY_CHARS = 8;

/** What they need is in options. */
const WITHOUT_ARGUMENT: readonly string[] = ['block', 'logs', 'mcp'];

const CHECK_FORMATS = ['json', 'text', 'github', 'junit', 'sarif'] as const;
export type CheckFormat = (typeof CHECK_FORMATS)[number];

/** Parses the arguments. @throws AppError `badInput` with the invalid option as `field`. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const isProofRequired = args.includes(REQUIRED_PROOF);
  const { values, positionals } = parseArguments(
    args.map((arg) => (arg === REQUIRED_PROOF ? '--prove' : arg)),
  );
  const [named, argument, ...others] = positionals;
  const command = values.help ? 'help' : values.version ? 'version' : named;
  // Of `check --help` it is the command.
  const subject = values.help && named !== 'help' ? named : argument;
  const files = command === 'check' ? positionals.slice(1) : [];
  const input = command === 'ask' ? others.shift() : undefined;
  const [readFunction, ...readArguments] = command === 'read' ? others.splice(0) : [];
  const stateOf = command === 'state' ? others.splice(0, argument === 'allowances' ? 2 : 1) : [];
  const hasNoArgument = WITHOUT_ARGUMENT.includes(command ?? '') || values.failed === true;
  const [extra] = hasNoArgument ? [subject] : others;
  if (command === undefined) throw badInput('command', 'There is no command. Enter one of those below.');
  if (!['help', 'version'].includes(command) && !findCommand(command))
    throw createUnknownCommandError(command);
  if (extra !== undefined && !['check', 'help'].includes(command))
    throw badInput(
      'argument',
      englishMessage`The argument ${sanitizeText(extra, 60)} is not expected. Remove it.`,
    );
  refuseOptions(command, Object.keys(values) as OptionName[]);
  refuseWithoutOther(command, values);
  if (values.all && values.pages !== undefined) throw badInput('pages', 'Use --pages or --all, not both.');
  if (values.prove && values.pages !== undefined)
    throw badInput('pages', 'Use --pages or --prove, not both.');
  if (values.json && ![undefined, 'json'].includes(values.format))
    throw badInput('format', 'Use --json or --format, not both.');
  const chainId = parseCount('chain-id', values['chain-id']);
  return {
    command,
    subject,
    readFunction,
    readArguments,
    stateOf,
    json: values.json === true,
    contract: values.contract,
    block: values.block,
    compare: values.compare,
    from: command === 'read' ? values.from : undefined,
    files,
    update: values.update === true,
    strict: values.strict === true,
    strictNames: values['strict-names'] === true,
    timeoutMs: parseTimeout(values.timeout),
    format: parseFormat(values.format),
    input,
    rpcKeyEnv: values['rpc-key-env'],
    ...splitRpcKey(values),
    rpcAuth: parseAuthOption(values['rpc-key-in']),
    chainId,
    at: values.failed ? undefined : parseContract(values.address, chainId),
    dataApiUrl: parseUrl('data-api', values['data-api']),
    keyEnv: values['key-env'],
    keyIn: parseKeyPlace(values['key-in']),
    quoteCurrency: values['quote-currency'] ?? 'USD',
    tokens: (values.token ?? []).map((token) => requireWrittenAddress(token, 'token')),
    query: values.query,
    bounds: {
      ...(command !== 'read' && values.from !== undefined && { fromBlock: values.from }),
      ...(values.to !== undefined && { toBlock: values.to }),
    },
    time: parseTime(values.at),
    times: values.times === true,
    trace: values.trace === true,
    failed: values.failed === true,
    sentTo:
      values.failed && values.address !== undefined
        ? requireWrittenAddress(values.address, 'address')
        : undefined,
    simulate: values.simulate === true,
    ...splitSecondKey(parseUrl('second', values.second)),
    sample: parseCount('sample', values.sample),
    prove: values.prove ? (isProofRequired ? 'required' : 'wanted') : undefined,
    trustHash: parseTrustHash(values['trust-hash'], values.prove),
    projectFolder: values.decode ?? values.dir,
    providers: values.sources,
    outFolder: values.out,
    networkName: values.name,
    coinSymbol: values.symbol,
    coinDecimals: parseDecimals(values.decimals),
    etherscanKeyEnv: values['etherscan-key-env'],
    sourcifyUrl: parseUrl('sourcify', values.sourcify),
    signaturesUrl: parseUrl('signatures', values.signatures),
    order: values['newest-first'] ? 'newestFirst' : 'oldestFirst',
    groupBy: values['group-by']?.join(','),
    sum: values.sum,
    pages: values.all || values.prove ? Number.POSITIVE_INFINITY : parseCount('pages', values.pages),
  };
}

/** The option takes no other value, and `parseArgs` knows no optional ones. */
const REQUIRED_PROOF = '--prove=required';

function findCommand(name: string | undefined): Command | undefined {
  return name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
}

/** The first argument of a command line that may be wrong; undefined if it has none. */
export function findCommandName(args: readonly string[]): string | undefined {
  const { positionals } = parseArgs({ args: [...args], options: OPTIONS, strict: false });
  return positionals[0];
}

/** @throws AppError `badInput` for an option that the command would ignore. */
function refuseOptions(command: string, options: readonly OptionName[]): void {
  const found = findCommand(command);
  // `check --dir . --help` explains `check`.
  const own = found && listCommandOptions(found);
  const option = own && options.find((name) => !own.includes(name));
  if (option === undefined) return;
  const commands = Object.keys(COMMANDS).filter((name) => COMMANDS[name]?.options.includes(option));
  const last = commands.pop();
  const list = commands.length === 0 ? (last ?? '') : `${commands.join(', ')} and ${last}`;
  throw badInput(option, englishMessage`--${option} is only for ${list}.`);
}

/** Options that mean nothing without another one, by command. */
const NEEDED_OPTIONS: Readonly<Record<string, Partial<Record<OptionName, OptionName>>>> = {
  logs: { sample: 'second' },
  transaction: {
    ...{ block: 'simulate', failed: 'from' },
    ...{ from: 'failed', to: 'failed', address: 'failed', timeout: 'failed' },
  },
};

/** @throws AppError `badInput` for an option that needs one which is missing. */
function refuseWithoutOther(command: string, values: Partial<Record<OptionName, unknown>>): void {
  for (const [option, other] of Object.entries(NEEDED_OPTIONS[command] ?? {}))
    if (values[option as OptionName] !== undefined && values[other] === undefined)
      throw badInput(option, englishMessage`--${option} needs --${other}. Add it, or remove --${option}.`);
}

function parseArguments(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: markDashes(args),
      allowPositionals: true,
      options: OPTIONS,
    });
    const unmarked = Object.entries(values).map(([name, value]) => [name, unmarkDash(value)]);
    return {
      values: Object.fromEntries(unmarked) as typeof values,
      positionals: positionals.map((text) => unmarkDash(text)),
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, option] = MISSING_VALUE.exec(message) ?? [];
    if (option !== undefined)
      throw badInput(
        option,
        englishMessage`--${option} needs a value. If it begins with a dash, write --${option}=VALUE.`,
      );
    const [, unknown] = UNKNOWN_OPTION.exec(message) ?? [];
    throw badInput(
      'option',
      englishMessage`${unknown === undefined ? `${message}.` : formatUnknownOption(unknown, args)}`,
    );
  }
}

function formatUnknownOption(option: string, args: readonly string[]): string {
  const command = findCommand(findCommandName(args));
  const options = command ? listCommandOptions(command) : Object.keys(OPTIONS);
  const suggestion = formatSuggestion(
    option,
    options.map((name) => `--${name}`),
  );
  return `There is no option ${sanitizeText(option, 60)}.${suggestion}`;
}

const UNKNOWN_OPTION = /^Unknown option '([^']*)'/;

const MISSING_VALUE = /^Option '(?:-\w, )?--([\w-]+)(?: <value>)?' (?:argument (?:missing|is ambiguous))/;

/**
 * Lets an argument or a value begin with a minus, such as -7d, and `--name` and `--symbol` take any text that is no
 * option: `parseArgs` would read it as one. It gets a mark in front.
 */
function markDashes(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const isNegative = /^-\d/.test(arg);
    const isText = /^--(?:name|symbol)$/.test(args[index - 1] ?? '') && arg.startsWith('-') && !isOption(arg);
    return isNegative || isText ? `${DASH_MARK}${arg}` : arg;
  });
}

/** No argument of a process contains it. */
const DASH_MARK = '\0';

function unmarkDash<T>(value: T): T {
  if (Array.isArray(value)) return value.map(unmarkDash) as T;
  return (typeof value === 'string' && value.startsWith(DASH_MARK) ? value.slice(1) : value) as T;
}

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
    throw badInput(
      name,
      englishMessage`--${name} must be an http or https URL without user name and password.`,
    );
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

function parseKeyPlace(value = 'auto'): KeyPlaceOption {
  if (value === 'auto' || value === 'header' || value === 'query') return value;
  throw badInput('key-in', '--key-in must be auto, header or query.');
}

function parseContract(address: string | undefined, chainId: number | undefined): ChainAddress | undefined {
  if (address === undefined) return undefined;
  if (chainId === undefined) throw badInput('chain-id', '--address needs a chain. Set it with --chain-id N.');
  return { address: requireWrittenAddress(address), chainId };
}

function parseTrustHash(value: string | undefined, isProven: boolean | undefined): Hex | undefined {
  if (value === undefined) return undefined;
  const hash = parseHexData(value, 32);
  if (!hash) throw badInput('trust-hash', '--trust-hash must be a block hash: 0x and 64 hex digits.');
  if (!isProven) throw badInput('trust-hash', '--trust-hash needs --prove. Add it, or remove --trust-hash.');
  return hash;
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

function parseFormat(value: string | undefined): CheckFormat | undefined {
  if (value === undefined) return undefined;
  const format = CHECK_FORMATS.find((name) => name === value);
  if (format) return format;
  throw badInput('format', englishMessage`--format must be one of: ${CHECK_FORMATS.join(', ')}.`);
}

/** A day. */
const MAX_TIMEOUT_SECONDS = 86_400;

function parseCount(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const count = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(count) || count === 0) {
    throw badInput(name, englishMessage`--${name} must be a whole number above 0.`);
  }
  return count;
}
