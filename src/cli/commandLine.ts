import { parseArgs } from 'node:util';
import {
  type Address,
  badInput,
  type ChainAddress,
  extractKey,
  isHttpUrl,
  type LogOrder,
  notTimeError,
  parseDatasetUrl,
  parseRpcAuth,
  parseTimeTag,
  type RpcAuth,
  requireAddress,
  resolveTimeTag,
  SECRET_PLACEHOLDER,
  systemClock,
  validateNetworkField,
} from '../core/index.ts';

export const usage = `Usage: npm run -s headless -- COMMAND --rpc URL [--chain-id N] [--data-api URL --key-env NAME]

  block [--at TIME]         number of the newest block; with --at the last block at or before a time (as
                            below, or seconds since 1970), when it was made and what told
  balance ADDRESS           native balance in wei
  tokens ADDRESS            token balances, one a line, then whose they are and what the list is worth: of an
                            explorer; with --chain-id, --data-api and --key-env of a data API before that; of
                            a node only those of --token ADDRESS, which can be given more than once
  transfers ADDRESS [--token ADDRESS] [--pages N | --all]
                            token transfers of an address as an explorer knows them, newest first, one a line,
                            then what they are worth
  balances ADDRESS [--pages N | --all]
                            native balances over time as an explorer knows them, newest first, one a line,
                            then what they are worth
  identify ADDRESS          what is at an address: account, contract or delegated account; its token, its
                            proxy with what it runs, its creation; null for what there is not or nobody tells,
                            which of the two is in the sources
  logs [--query FILE|-] [--from BLOCK] [--to BLOCK] [--pages N | --all] [--newest-first] [--times]
                            [--decode DIR] [--second URL [--sample N]]
                            event logs, one a line, oldest first, then the verdict; the query is JSON:
                            {address?, event?, args?, topics?, fromBlock?, toBlock?},
                            blocks also as latest-1000 and, for the last thousand, fromBlock -1000, or
                            as times: 2026-11-01, 2026-11-01T12:30Z, -7d (UTC where no zone is given);
                            --from and --to go before those of the query;
                            args by name: {"event":"Paid(address indexed by)","args":{"by":"0x…"}};
                            with --times each row has the time of its block, or null where nothing tells;
                            with --decode each row says what it means, by the projects below DIR and by
                            well-known standards; with --second the same is asked of another endpoint of the
                            chain and the rows are compared, or with --sample those of N windows of 1,000
                            blocks: what came of it is in the verdict
  contracts DIR             contracts and deployments of the projects below a folder, one a line; asks no
                            server
  decode HEX|- [--dir DIR] [--address A --chain-id N]
                            what hex may be, one meaning a line: a selector, a topic0, a call, a revert,
                            encoded values; by the projects below DIR and by well-known standards; asks no
                            server
  transaction HASH [--dir DIR]
                            a transaction: facts, call and logs decoded, tokens moved, and of a failed one
                            why, with the lines of the projects below DIR that may have reverted; of a hash
                            that is none, what it is
  check FILE… [--dir DIR] [--update]
                            questions of files (*.chainlog.json, *.chain.md), one a line: whether the answer is
                            complete, how many logs it has, their SHA-256, and whether both are as the file expects;
                            names are those of the projects below DIR, else of the project that the file lies in;
                            fails unless all are complete and as expected; --update writes into the files what came
  mcp [--dir DIR] [--out DIR] [--sources LIST] [--name NAME] [--symbol SYMBOL] [--decimals N]
                            serves agents over standard input and output, as the Model Context Protocol has it,
                            with the operations of the next command as tools; --out is the only folder that
                            files are written to
  ask OPERATION [JSON|-] [--dir DIR] [--out DIR] [--sources LIST]
                            one operation, its answer as one line: get_network, resolve_contract, get_address,
                            query_events, decode_data, get_transaction

  --sources LIST            for logs, decode and transaction: also asks others what logs and hex mean, in this order:
                            explorer (of --rpc) and sourcify by addresses, signatures by hashes
  --sourcify URL            another server of Sourcify
  --signatures URL          another database of signatures

  --rpc URL                 a node, an explorer's …/api/eth-rpc, or for block and logs an SQD Portal's
                            …/datasets/NAME
  --rpc-key-env NAME        environment variable that holds the key of --rpc, which goes where --rpc-key-in
                            says: bearer or header:NAME, or in place of \${key} in the path or query of
                            --rpc (in single quotes, or the shell takes it)
  --key-in header|query     where the data API key goes (header)
  --quote-currency CODE     currency of token values (USD)`;

export interface CommandLine {
  readonly command: string;
  /** The first argument of the command: an address, a hash, hex, a folder, or an operation. */
  readonly subject: string | undefined;
  /** Only for `check`. */
  readonly files: readonly string[];
  /** Whether `check` writes the results into the files. */
  readonly update: boolean;
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
  /** Of `block --at`, in milliseconds since the Unix epoch. */
  readonly time: number | undefined;
  /** Whether each log is printed with the time of its block. */
  readonly times: boolean;
  /** The endpoint of the second opinion. */
  readonly secondUrl: string | undefined;
  /** Number of windows that the second opinion compares; undefined for all blocks. */
  readonly sample: number | undefined;
  /** Of `--decode` or `--dir`: the folder whose projects give the ABIs. */
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
  /** `Infinity` for all. */
  readonly pages: number;
}

/** Stands for an unknown chain ID: no chain has the ID 0, so nothing is deployed on it. */
export const NO_CHAIN_ID = 0;

/** A part of the URL of at least this many letters and digits counts as a key, which is never printed. */
const MIN_KEY_CHARS = 8;

/** Parses the arguments. @throws AppError `badInput` with the invalid option as `field`. */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parseArguments(args);
  const [named, subject, ...others] = positionals;
  const command = values.help ? 'help' : named;
  const files = command === 'check' ? positionals.slice(1) : [];
  const input = command === 'ask' ? others.shift() : undefined;
  const [extra] = others;
  if (command === undefined) throw badInput('command', 'Give a command; they are listed below.');
  if (extra !== undefined && command !== 'check')
    throw badInput('command', `${extra} is one argument too many.`);
  if (values.all && values.pages !== undefined) throw badInput('pages', 'Give --pages or --all, not both.');
  const keyIn = values['key-in'] ?? 'header';
  if (keyIn !== 'header' && keyIn !== 'query') throw badInput('key-in', '--key-in takes header or query.');
  const chainId = parseCount('chain-id', values['chain-id']);
  return {
    command,
    subject,
    files,
    update: values.update === true,
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
    tokens: (values.token ?? []).map((token) => requireAddress(token, 'token')),
    query: values.query,
    bounds: {
      ...(values.from !== undefined && { fromBlock: values.from }),
      ...(values.to !== undefined && { toBlock: values.to }),
    },
    time: parseTime(values.at),
    times: values.times === true,
    secondUrl: parseUrl('second', values.second),
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
    pages: values.all ? Number.POSITIVE_INFINITY : (parseCount('pages', values.pages) ?? 1),
  };
}

function parseArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: joinNegativeValues(args),
      allowPositionals: true,
      options: {
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
        times: { type: 'boolean' },
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
        update: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw badInput('command', error instanceof Error ? error.message : String(error));
  }
}

/**
 * Lets `--from`, `--to` and `--at` take a value that begins with a minus, such as -7d: `parseArgs` would read it
 * as an option.
 */
function joinNegativeValues(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const [index, arg] of args.entries()) {
    const before = args[index - 1] ?? '';
    const isValue = /^--(?:from|to|at)$/.test(before) && /^-\d/.test(arg);
    if (isValue) joined.push(`${joined.pop()}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}

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
    throw badInput(name, `--${name} takes an http or https address without user name or password.`);
  }
  return value;
}

function parseRpcUrl(value: string | undefined): string | undefined {
  const url = parseUrl('rpc', value);
  if (url === undefined || validateNetworkField('rpcUrl', url) === undefined) return url;
  throw badInput('rpc', `${SECRET_PLACEHOLDER} stands in the path or query of --rpc, nowhere else.`);
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
  const mayHold =
    url !== undefined && values['rpc-key-env'] === undefined && parseDatasetUrl(url) === undefined;
  const found = mayHold ? extractKey(url, MIN_KEY_CHARS) : undefined;
  return { rpcUrl: found?.url ?? url, rpcKey: found?.key };
}

function parseAuthOption(value: string | undefined): RpcAuth | undefined {
  const auth = value === undefined ? undefined : parseRpcAuth(value);
  if (value === undefined || auth !== undefined) return auth;
  throw badInput(
    'rpc-key-in',
    '--rpc-key-in takes bearer or header:NAME, with a header that is free for a key.',
  );
}

function parseContract(address: string | undefined, chainId: number | undefined): ChainAddress | undefined {
  if (address === undefined) return undefined;
  if (chainId === undefined) throw badInput('chain-id', 'Give the chain of --address with --chain-id N.');
  return { address: requireAddress(address), chainId };
}

function parseDecimals(value = '18'): number {
  if (/^\d{1,2}$/.test(value)) return Number(value);
  throw badInput('decimals', "--decimals takes a whole number, of the chain's own coin.");
}

function parseCount(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const count = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(count) || count === 0) {
    throw badInput(name, `--${name} takes a whole number above 0.`);
  }
  return count;
}
