import { encodeParameters } from '../abi/encode.ts';
import { type AbiFunction, formatAbiItem } from '../abi/item.ts';
import {
  type AbiParameter,
  type AbiType,
  type AbiValue,
  formatTypeList,
  hasFixedPoint,
} from '../abi/type.ts';
import type { Address } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import {
  type CopyEndpoint,
  type CopyNetwork,
  type CopyResult,
  formatComment,
  isSolidityIdentifier,
  toNetworkEndpoint,
  toReadableParameter,
} from './copyQuery.ts';
import {
  CHEATCODE_ADDRESS,
  createStructs,
  formatLiteral,
  UnwritableValue,
  writeAssignments,
} from './foundryTest.ts';
import { formatEthersEndpoint, formatJsString, formatJsUrl, formatViemOptions } from './javascript.ts';
import { formatShellCommand, formatShellHeader, formatShellUrl, quoteForShell } from './shell.ts';

/** A read of a view function to copy for another tool. */
export interface CopyRead {
  readonly network: CopyNetwork;
  readonly address: Address;
  readonly item: AbiFunction;
  /** Of `item.inputs`. */
  readonly args: readonly AbiValue[];
  readonly block: bigint;
  /** The sender of the call; undefined for none. */
  readonly from?: Address | undefined;
  /** What it returned; undefined if it returned nothing that is known. */
  readonly values?: readonly AbiValue[] | undefined;
}

/** `cast call`, with the calldata where cast could read an argument in another way. */
export function copyReadAsCast(read: CopyRead): CopyResult {
  const { item, args, address, block, from } = read;
  if (!isWritable(item)) return { error: 'type' };
  const endpoint = toNetworkEndpoint(read.network);
  const results = item.outputs.length === 0 ? '' : formatTypeList(item.outputs);
  const texts = item.inputs.map(({ type }, index) => formatCastValue(type, args[index] as AbiValue, false));
  const head = [
    `cast call --rpc-url ${formatShellUrl(endpoint)}`,
    ...(endpoint.header ? [`--rpc-headers ${formatShellHeader(endpoint.header)}`] : []),
    `--block ${block}`,
    ...(from ? [`--from ${toChecksumAddress(from)}`] : []),
  ];
  const notes = [describeRead(read), ...endpoint.notes];
  if (texts.every((text) => text !== undefined)) {
    const signature = quoteForShell(`${item.signature}${results}`);
    // A negative number would be an option.
    const end = texts.some((text) => text.startsWith('-')) ? '-- ' : '';
    const callArguments = [toChecksumAddress(address), signature, ...texts.map(quoteWord)];
    return formatShellCommand(notes, [...head, `${end}${callArguments.join(' ')}`]);
  }
  const data = `${item.selector}${encodeParameters(item.inputs, args).slice(2)}`;
  const call = [...head, `${toChecksumAddress(address)} --data ${data}`];
  if (results === '') return formatShellCommand(notes, call);
  const [first = '', ...rest] = call;
  const parts = [`cast decode-abi ${quoteForShell(`result()${results}`)} "$(${first}`, ...rest];
  return formatShellCommand(notes, [...parts.slice(0, -1), `${parts.at(-1)})"`]);
}

/** An empty text is a word, too. */
const quoteWord = (text: string) => (text === '' ? "''" : quoteForShell(text));

/** A value as cast reads it; undefined if only the calldata is certain. */
function formatCastValue(type: AbiType, value: AbiValue, isNested: boolean): string | undefined {
  if (type.kind === 'string') return !isNested && PLAIN_TEXT.test(String(value)) ? String(value) : undefined;
  if (type.kind !== 'array' && type.kind !== 'tuple') {
    if (type.text === 'function') return undefined;
    return type.kind === 'address' ? toChecksumAddress(value as Address) : String(value);
  }
  const items = (value as readonly AbiValue[]).map((item, index) =>
    formatCastValue(
      type.kind === 'array' ? type.item : (type.members[index] as AbiParameter).type,
      item,
      true,
    ),
  );
  if (items.some((item) => item === undefined)) return undefined;
  return type.kind === 'array' ? `[${items.join(',')}]` : `(${items.join(',')})`;
}

/** A text that no tool takes for anything else. Bounded: each repetition takes stack. */
const PLAIN_TEXT = /^[A-Za-z](?: ?\w){0,2000}$/;

/** A program for viem, which prints the result as JSON. */
export function copyReadAsViem(read: CopyRead): CopyResult {
  const declaration = formatDeclaration(read.item);
  if (typeof declaration !== 'string') return declaration;
  const endpoint = toNetworkEndpoint(read.network);
  const args = formatJsArguments(read, (bits) => bits <= 48);
  if (args === undefined) return { error: 'type' };
  return formatProgram(read, { library: 'viem', endpoint }, [
    "import { createPublicClient, http, parseAbi } from 'viem';",
    '',
    `const client = createPublicClient({ transport: http(${formatJsUrl(endpoint.url)}${formatViemOptions(endpoint)}) });`,
    'const result = await client.readContract({',
    `  address: ${formatJsString(toChecksumAddress(read.address))},`,
    `  abi: parseAbi([${declaration}]),`,
    `  functionName: ${formatJsString(read.item.name)},`,
    ...(args.length === 0 ? [] : [`  args: [${args.join(', ')}],`]),
    `  blockNumber: ${read.block}n,`,
    ...(read.from ? [`  account: ${formatJsString(toChecksumAddress(read.from))},`] : []),
    '});',
    ...PRINT_LINES,
  ]);
}

/** A program for ethers 6, which prints the result as JSON. */
export function copyReadAsEthers(read: CopyRead): CopyResult {
  const declaration = formatDeclaration(read.item);
  if (typeof declaration !== 'string') return declaration;
  const endpoint = toNetworkEndpoint(read.network);
  const args = formatJsArguments(read, () => false);
  if (args === undefined) return { error: 'type' };
  const overrides = [
    `blockTag: ${read.block}n`,
    ...(read.from ? [`from: ${formatJsString(toChecksumAddress(read.from))}`] : []),
  ];
  const imports = ['Contract', ...(endpoint.header ? ['FetchRequest'] : []), 'JsonRpcProvider', 'Result'];
  return formatProgram(read, { library: 'ethers', endpoint }, [
    `import { ${imports.join(', ')} } from 'ethers';`,
    '',
    ...formatEthersEndpoint(endpoint),
    `const provider = new JsonRpcProvider(endpoint, ${read.network.chainId}, { staticNetwork: true });`,
    `const contract = new Contract(${formatJsString(toChecksumAddress(read.address))}, [${declaration}], provider);`,
    `const read = contract.getFunction(${formatJsString(read.item.signature)});`,
    `const returned = await read.staticCall(${[...args, `{ ${overrides.join(', ')} }`].join(', ')});`,
    'const result = returned instanceof Result ? returned.toArray(true) : returned;',
    ...PRINT_LINES,
  ]);
}

const PRINT_LINES = [
  "const withoutBigint = (_, value) => (typeof value === 'bigint' ? value.toString() : value);",
  'console.log(JSON.stringify(result, withoutBigint));',
];

function formatProgram(
  read: CopyRead,
  { library, endpoint }: { readonly library: string; readonly endpoint: CopyEndpoint },
  lines: readonly string[],
): CopyResult {
  const notes = [
    describeRead(read),
    `To run: npm install ${library}, save this as read.mjs, then node read.mjs`,
    ...endpoint.notes,
  ];
  const text = [...notes.map((note) => `// ${formatComment(note)}`), ...lines, ''].join('\n');
  return text.length > MAX_PROGRAM_CHARS ? { error: 'tooLong' } : { text };
}

const MAX_PROGRAM_CHARS = 200_000;

/** @param isNumber whether the library takes an integer of so many bits as a number. */
function formatJsArguments(
  { item, args }: CopyRead,
  isNumber: (bits: number) => boolean,
): readonly string[] | undefined {
  const format = (type: AbiType, value: AbiValue): string => {
    switch (type.kind) {
      case 'uint':
      case 'int':
        return isNumber(type.bits) ? String(value) : `${value}n`;
      case 'bool':
        return String(value);
      case 'address':
        return formatJsString(toChecksumAddress(value as Address));
      case 'array':
        return `[${(value as readonly AbiValue[]).map((one) => format(type.item, one)).join(', ')}]`;
      case 'tuple': {
        const values = value as readonly AbiValue[];
        const members = type.members.map((member, index) => format(member.type, values[index] as AbiValue));
        return `[${members.join(', ')}]`;
      }
      default:
        return formatJsString(String(value));
    }
  };
  return isWritable(item)
    ? item.inputs.map(({ type }, index) => format(type, args[index] as AbiValue))
    : undefined;
}

/** The declaration of a function as a literal that libraries can parse. */
function formatDeclaration(item: AbiFunction): string | Extract<CopyResult, { error: unknown }> {
  if (!isFunctionName(item.name)) return { error: 'name' };
  if (!isWritable(item)) return { error: 'type' };
  return formatJsString(formatAbiItem(toReadableFunction(item)));
}

function isFunctionName(name: string): boolean {
  return isSolidityIdentifier(name) || CONTEXTUAL_KEYWORDS.test(name);
}

/** Words that mean something only in their place, and name functions everywhere else. */
const CONTEXTUAL_KEYWORDS = /^(?:at|layout|transient)$/;

/** Names that a reader of declarations does not accept are dropped. */
function toReadableFunction(item: AbiFunction): AbiFunction {
  return {
    ...item,
    isView: true,
    inputs: item.inputs.map(toReadableParameter<AbiParameter>),
    outputs: item.outputs.map(toReadableParameter<AbiParameter>),
  };
}

/** Whether tools know all its types: no fixed-point numbers, no types of libraries, no functions. */
function isWritable({ inputs, outputs }: AbiFunction): boolean {
  return [...inputs, ...outputs].every(({ type }) => !hasFixedPoint(type) && isPlainType(type));
}

function isPlainType(type: AbiType): boolean {
  if (type.kind === 'array') return isPlainType(type.item);
  if (type.kind === 'tuple') return type.members.every((member) => isPlainType(member.type));
  return !('named' in type && type.named !== undefined) && type.text !== 'function';
}

/** A Foundry test that expects the values of a read. It runs on a fork, and needs no library. */
export function copyReadAsFoundryTest(read: CopyRead): CopyResult {
  const { item, values, address, block, network, from } = read;
  if (!isFunctionName(item.name) || USED_NAMES.test(item.name)) return { error: 'name' };
  if (!isWritable(item)) return { error: 'type' };
  if (!values) return { error: 'value' };
  const structs = createStructs([item.name, 'ReadTarget', 'ReadTest', 'ReadCheats']);
  const { url, notes } = toNetworkEndpoint(network);
  const toVariableType = (type: AbiType) => `${structs.nameOf(type)}${isInMemory(type) ? ' memory' : ''}`;
  const listTypes = (parameters: readonly AbiParameter[]) =>
    parameters.map(({ type }) => toVariableType(type)).join(', ');
  const lines: string[] = [];
  /** A literal, or the name of a variable that has the value. */
  const write = ({ type }: AbiParameter, value: AbiValue, name: string): string => {
    const literal = formatLiteral(type, value);
    if (literal !== undefined) return literal;
    lines.push(`${toVariableType(type)} ${name};`);
    writeAssignments({ type, value, name }, { structs, lines });
    return name;
  };
  try {
    const args = item.inputs.map((input, index) =>
      write(input, read.args[index] as AbiValue, `argument${index}`),
    );
    const call = `TARGET.${item.name}(${args.join(', ')})`;
    const results = item.outputs.map(({ type }, index) => `${toVariableType(type)} result${index}`);
    const [first = '', ...others] = results;
    // As in eth_call, the sender is also the origin.
    if (from) lines.push(`vm.prank(${toChecksumAddress(from)}, ${toChecksumAddress(from)});`);
    lines.push(
      others.length > 0
        ? `(${results.join(', ')}) = ${call};`
        : `${first === '' ? '' : `${first} = `}${call};`,
    );
    for (const [index, output] of item.outputs.entries()) {
      const wanted = write(output, values[index] as AbiValue, `expected${index}`);
      const isEqual = isInMemory(output.type)
        ? `keccak256(abi.encode(result${index})) == keccak256(abi.encode(${wanted}))`
        : `result${index} == ${wanted}`;
      lines.push(`require(${isEqual}, "result ${index} differs");`);
    }
  } catch (error) {
    if (error instanceof UnwritableValue) return { error: 'type' };
    throw error;
  }
  const returns = item.outputs.length === 0 ? '' : ` returns (${listTypes(item.outputs)})`;
  const comments = [
    describeRead(read),
    `To run: forge test --fork-url ${url ?? 'RPC_URL'} --fork-block-number ${block}`,
    ...notes,
  ];
  return {
    text: `// SPDX-License-Identifier: UNLICENSED
pragma solidity >=0.8.0;

${structs.declarations.map((text) => `${text.replace(/^ {4}/gm, '')}\n`).join('')}interface ReadTarget {
    function ${item.name}(${listTypes(item.inputs)}) external view${returns};
}

${from ? `${CHEATS}\n` : ''}${comments.map((comment) => `// ${formatComment(comment)}\n`).join('')}contract ReadTest {
    ReadTarget constant TARGET = ReadTarget(${toChecksumAddress(address)});
${from ? `    ReadCheats constant vm = ReadCheats(${CHEATCODE_ADDRESS});\n` : ''}
    function test_read() public ${from ? '' : 'view '}{
${lines.map((line) => `        ${line}\n`).join('')}    }
}
`,
  };
}

const CHEATS = `interface ReadCheats {
    function prank(address sender, address origin) external;
}
`;

/** Names that the test itself declares. */
const USED_NAMES = /^(?:ReadCheats|ReadTarget|ReadTest|TARGET|test_read|Struct\d+_*)$/;

function isInMemory({ kind }: AbiType): boolean {
  return kind === 'string' || kind === 'bytes' || kind === 'array' || kind === 'tuple';
}

function describeRead({ item, address, network, block, from }: CopyRead): string {
  const sender = from ? `, as ${toChecksumAddress(from)}` : '';
  return formatComment(
    `${item.name} of ${toChecksumAddress(address)} on ${network.name}, chain ${network.chainId}, block ${block}${sender}`,
  );
}
