import { parseArgs } from 'node:util';
import { badInput, isHttpUrl, type LogOrder, type OnChain, requireAddress } from '../core/index.ts';

export const usage = `Usage: npm run -s headless -- COMMAND --rpc URL [--chain-id N] [--data-api URL --key-env NAME]

  block                     number of the newest block
  balance ADDRESS           native balance in wei
  tokens ADDRESS            token balances, one a line (needs --chain-id, --data-api and --key-env)
  logs [--query FILE|-] [--pages N | --all] [--newest-first] [--decode DIR]
                            event logs, one a line, oldest first, then the verdict; the query is JSON:
                            {address?, event?, args?, topics?, fromBlock?, toBlock?},
                            blocks also as latest-1000 and, for the last thousand, fromBlock -1000;
                            args by name: {"event":"Paid(address indexed by)","args":{"by":"0x…"}};
                            with --decode each row says what it means, by the projects below DIR and by
                            well-known standards
  contracts DIR             contracts and deployments of the projects below a folder, one a line; asks no
                            server
  decode HEX|- [--dir DIR] [--address A --chain-id N]
                            what hex may be, one meaning a line: a selector, a topic0, a call, a revert,
                            encoded values; by the projects below DIR and by well-known standards; asks no
                            server

  --key-in header|query     where the data API key goes (header)
  --quote-currency CODE     currency of token values (USD)`;

export interface CommandLine {
  readonly command: string;
  /** What the command is about: an address, hex, or a folder. */
  readonly subject: string | undefined;
  readonly rpcUrl: string | undefined;
  readonly chainId: number | undefined;
  /** The contract that was called, reverted or emitted. */
  readonly at: OnChain | undefined;
  readonly dataApiUrl: string | undefined;
  /** Name of the environment variable that holds the key; the key itself never stands on a command line. */
  readonly keyEnv: string | undefined;
  readonly keyIn: 'header' | 'query';
  readonly quoteCurrency: string;
  readonly query: string | undefined;
  /** The folder whose projects say what hex means. */
  readonly knownBy: string | undefined;
  /** The order of the logs. */
  readonly order: LogOrder;
  /** Infinity for all. */
  readonly pages: number;
}

/** Reads the arguments. @throws AppError `badInput` naming the one that is not usable. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const { values, positionals } = parse(args);
  const [command, subject, extra] = positionals;
  if (command === undefined)
    throw badInput('command', 'Give a command: block, balance, tokens, logs, contracts or decode.');
  if (extra !== undefined) throw badInput('command', `${extra} is one argument too many.`);
  if (values.all && values.pages !== undefined) throw badInput('pages', 'Give --pages or --all, not both.');
  const keyIn = values['key-in'] ?? 'header';
  if (keyIn !== 'header' && keyIn !== 'query') throw badInput('key-in', '--key-in takes header or query.');
  const chainId = optionalCount('chain-id', values['chain-id']);
  return {
    command,
    subject,
    rpcUrl: optionalUrl('rpc', values.rpc),
    chainId,
    at: optionalPlace(values.address, chainId),
    dataApiUrl: optionalUrl('data-api', values['data-api']),
    keyEnv: values['key-env'],
    keyIn,
    quoteCurrency: values['quote-currency'] ?? 'USD',
    query: values.query,
    knownBy: values.decode ?? values.dir,
    order: values['newest-first'] ? 'newestFirst' : 'oldestFirst',
    pages: values.all ? Number.POSITIVE_INFINITY : (optionalCount('pages', values.pages) ?? 1),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        rpc: { type: 'string' },
        'chain-id': { type: 'string' },
        address: { type: 'string' },
        'data-api': { type: 'string' },
        'key-env': { type: 'string' },
        'key-in': { type: 'string' },
        'quote-currency': { type: 'string' },
        query: { type: 'string' },
        decode: { type: 'string' },
        dir: { type: 'string' },
        pages: { type: 'string' },
        all: { type: 'boolean' },
        'newest-first': { type: 'boolean' },
      },
    });
  } catch (error) {
    throw badInput('command', error instanceof Error ? error.message : String(error));
  }
}

function optionalUrl(name: string, value: string | undefined): string | undefined {
  if (value !== undefined && !isHttpUrl(value)) {
    throw badInput(name, `--${name} takes an http or https address without user name or password.`);
  }
  return value;
}

function optionalPlace(address: string | undefined, chainId: number | undefined): OnChain | undefined {
  if (address === undefined) return undefined;
  if (chainId === undefined) throw badInput('chain-id', 'Give the chain of --address with --chain-id N.');
  return { address: requireAddress(address), chainId };
}

function optionalCount(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const count = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(count) || count === 0) {
    throw badInput(name, `--${name} takes a whole number above 0.`);
  }
  return count;
}
