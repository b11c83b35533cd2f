import { decodeParameters, isDecodeError } from '../abi/decode.ts';
import { type AbiEvent, formatAbiItem } from '../abi/item.ts';
import { type AbiType, type EventParameter, hasFixedPoint, isHashed } from '../abi/type.ts';
import type { Address, Hex } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import {
  type CopyBlocks,
  type CopyEndpoint,
  type CopyQuery,
  type CopyResult,
  describeQuery,
  formatComment,
  isSolidityIdentifier,
  toCopyBlocks,
  toCopyEndpoint,
  toReadableEvent,
  toRpcAddressAndTopics,
} from './copyQuery.ts';

/** A program for ethers 6, which prints the arguments of a log if its event is known. */
export function copyAsEthers(query: CopyQuery): CopyResult {
  const blocks = toCopyBlocks(query);
  if (!blocks) return { error: 'blocks' };
  const endpoint = toCopyEndpoint(query);
  const declaration = formatDeclaration(query.event);
  const { chainId } = query.network;
  const imports = [
    ...(endpoint.header ? ['FetchRequest'] : []),
    ...(declaration === undefined ? [] : ['Interface']),
    'JsonRpcProvider',
  ];
  return formatProgram({
    query,
    endpoint,
    blocks,
    library: 'ethers',
    imports: `import { ${imports.join(', ')} } from 'ethers';`,
    setup: [
      ...formatEthersEndpoint(endpoint),
      `const provider = new JsonRpcProvider(endpoint, ${chainId}, { staticNetwork: true });`,
      ...(declaration === undefined
        ? []
        : [`const events = new Interface([${declaration}]);`, ...PARSE_LOG_LINES]),
      `const filter = ${JSON.stringify(toRpcAddressAndTopics(query.filter))};`,
    ],
    newestBlock: 'BigInt(await provider.getBlockNumber())',
    body: [
      '  const logs = await provider.getLogs({ ...filter, fromBlock, toBlock });',
      '  for (const log of logs) {',
      declaration === undefined
        ? '    console.log(JSON.stringify(log, withoutBigint));'
        : '    console.log(JSON.stringify({ ...log.toJSON(), args: argsOf(log) }, withoutBigint));',
      '  }',
    ],
  });
}

/**
 * A program for viem: `getLogs` with the event and its arguments by name. If viem cannot express the filter this way,
 * it is passed to `eth_getLogs` unchanged.
 */
export function copyAsViem(query: CopyQuery): CopyResult {
  const blocks = toCopyBlocks(query);
  if (!blocks) return { error: 'blocks' };
  const endpoint = toCopyEndpoint(query);
  const namedFilter = toNamedFilter(query);
  return formatProgram({
    query,
    endpoint,
    blocks,
    library: 'viem',
    imports: `import { ${['createPublicClient', 'http', ...(namedFilter ? ['parseAbiItem'] : ['toHex'])].join(', ')} } from 'viem';`,
    setup: [
      `const client = createPublicClient({ transport: http(${formatJsUrl(endpoint.url)}${formatViemOptions(endpoint)}) });`,
      ...(namedFilter ? [`const event = parseAbiItem(${namedFilter.declaration});`] : []),
    ],
    newestBlock: 'await client.getBlockNumber()',
    body: [
      ...(namedFilter ? formatNamedRequest(query, namedFilter.args) : formatTopicRequest(query)),
      '  for (const log of logs) console.log(JSON.stringify(log, withoutBigint));',
    ],
  });
}

/** Undefined for a log of another form of the event. */
const PARSE_LOG_LINES = [
  'const argsOf = (log) => {',
  '  try {',
  '    return events.parseLog(log)?.args.toArray(true);',
  '  } catch {',
  '    return undefined;',
  '  }',
  '};',
];

export function formatEthersEndpoint({ url, header }: CopyEndpoint): readonly string[] {
  if (!header) return [`const endpoint = ${formatJsUrl(url)};`];
  return [
    `const endpoint = new FetchRequest(${formatJsUrl(url)});`,
    `endpoint.setHeader(${formatJsString(header.name)}, ${formatJsHeader(header)});`,
  ];
}

export function formatViemOptions({ header }: CopyEndpoint): string {
  if (!header) return '';
  return `, { fetchOptions: { headers: { ${formatJsString(header.name)}: ${formatJsHeader(header)} } } }`;
}

function formatNamedRequest({ filter }: CopyQuery, args: readonly string[]): readonly string[] {
  const addresses = filter.addresses.map((address) => formatJsString(toChecksumAddress(address)));
  return [
    '  const logs = await client.getLogs({',
    ...(addresses.length === 0 ? [] : [`    address: ${formatOneOrList(addresses)},`]),
    '    event,',
    ...(args.length === 0 ? [] : [`    args: { ${args.join(', ')} },`]),
    '    fromBlock,',
    '    toBlock,',
    '  });',
  ];
}

function formatTopicRequest({ filter }: CopyQuery): readonly string[] {
  return [
    `  const filter = ${JSON.stringify(toRpcAddressAndTopics(filter))};`,
    '  const range = { fromBlock: toHex(fromBlock), toBlock: toHex(toBlock) };',
    "  const logs = await client.request({ method: 'eth_getLogs', params: [{ ...filter, ...range }] });",
  ];
}

/** The event as viem declares it, and its arguments by name; undefined if they cannot express the filter. */
function toNamedFilter({
  event: declaredEvent,
  filter,
}: CopyQuery): { readonly declaration: string; readonly args: readonly string[] } | undefined {
  const event = declaredEvent && toReadableEvent(declaredEvent);
  const declaration = formatDeclaration(declaredEvent);
  const [topic0, ...argumentTopics] = filter.topics;
  if (!event || declaration === undefined || event.anonymous) return undefined;
  if (topic0?.length !== 1 || topic0[0] !== event.topic0) return undefined;
  const indexed = event.inputs.filter((input) => input.indexed);
  const args: string[] = [];
  for (const [place, topics] of argumentTopics.entries()) {
    if (topics === null) continue;
    const argument = formatArgument(indexed[place], topics, event.inputs);
    if (argument === undefined) return undefined;
    args.push(argument);
  }
  return { declaration, args };
}

function formatArgument(
  input: EventParameter | undefined,
  topics: readonly Hex[],
  inputs: readonly EventParameter[],
): string | undefined {
  // Only by name: viem counts positions by the indexed parameters in one place, and by all of them in another.
  if (!input || isHashed(input) || !isSolidityIdentifier(input.name)) return undefined;
  if (input.name === '__proto__' || inputs.some(({ name }) => name === '')) return undefined;
  if (inputs.filter(({ name }) => name === input.name).length > 1) return undefined;
  const literals = topics.map((topic) => formatTopicLiteral(input.type, topic));
  if (literals.some((literal) => literal === undefined)) return undefined;
  return `${input.name}: ${formatOneOrList(literals as string[])}`;
}

/**
 * A value as viem represents it: an integer of up to 48 bits is a number. Undefined for a topic that is not a value of
 * the type.
 */
function formatTopicLiteral(type: AbiType, topic: Hex): string | undefined {
  const decoded = decodeParameters([{ name: '', type }], topic);
  if (isDecodeError(decoded)) return undefined;
  const [value] = decoded;
  switch (type.kind) {
    case 'address':
      return formatJsString(toChecksumAddress(value as Address));
    case 'bool':
      return String(value);
    case 'uint':
    case 'int':
      return type.bits <= 48 ? String(value) : `${value}n`;
    case 'fixedBytes':
      return type.text === 'function' ? undefined : formatJsString(String(value));
    default:
      return undefined;
  }
}

/** An ESM program that requests some blocks at a time and prints one log a line, as JSON. */
function formatProgram(parts: ProgramParts) {
  const {
    query,
    endpoint,
    blocks,
    library,
    imports,
    setup: opening,
    newestBlock: newest,
    body: asking,
  } = parts;
  const last = blocks.to === 'latest' ? newest : `${blocks.to}n`;
  const notes = [
    describeQuery(query),
    `To run: npm install ${library}, save this as logs.mjs, then node logs.mjs`,
    ...endpoint.notes,
  ];
  const text = [
    ...notes.map((note) => `// ${formatComment(note)}`),
    imports,
    '',
    ...opening,
    `const last = ${last};`,
    '// Servers limit the blocks or the logs of a response. This program cannot detect a silently truncated response.',
    'const step = 10_000n;',
    "const withoutBigint = (_, value) => (typeof value === 'bigint' ? value.toString() : value);",
    '',
    `for (let fromBlock = ${blocks.from}n; fromBlock <= last; fromBlock += step) {`,
    '  const toBlock = fromBlock + step <= last ? fromBlock + step - 1n : last;',
    ...asking,
    '}',
    '',
  ].join('\n');
  return text.length > MAX_PROGRAM_CHARS ? ({ error: 'tooLong' } as const) : { text };
}

interface ProgramParts {
  readonly query: CopyQuery;
  readonly endpoint: CopyEndpoint;
  readonly blocks: CopyBlocks;
  /** Its name on npm. */
  readonly library: string;
  readonly imports: string;
  /** Connects to the endpoint, and whatever else precedes the first request. */
  readonly setup: readonly string[];
  /** An expression. */
  readonly newestBlock: string;
  /** Requests `fromBlock` to `toBlock` and prints the logs, indented by two spaces. */
  readonly body: readonly string[];
}

const MAX_PROGRAM_CHARS = 200_000;

/** The declaration of an event as a literal, if libraries can parse it. */
function formatDeclaration(event: AbiEvent | undefined): string | undefined {
  // viem and ethers do not decode fixed-point types.
  if (event?.inputs.some(({ type }) => hasFixedPoint(type))) return undefined;
  const readable = event && toReadableEvent(event);
  return readable && formatJsString(formatAbiItem(readable));
}

/**
 * A JavaScript string literal in ASCII.
 *
 * @example formatJsString("it's") // "'it\\'s'"
 */
export function formatJsString(text: string): string {
  const escaped = text.replace(/[^ !#-&(-[\]-~"]/g, (unit) => {
    if (unit === "'" || unit === '\\') return `\\${unit}`;
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `'${escaped}'`;
}

function formatOneOrList(literals: readonly string[]): string {
  const [first = '', ...others] = literals;
  return others.length === 0 ? first : `[${literals.join(', ')}]`;
}

export function formatJsUrl(url: string | undefined): string {
  return url === undefined ? 'process.env.RPC_URL' : formatJsString(url);
}

function formatJsHeader({ prefix }: { readonly prefix: string }): string {
  return prefix === '' ? 'process.env.RPC_KEY' : `${formatJsString(prefix)} + process.env.RPC_KEY`;
}
