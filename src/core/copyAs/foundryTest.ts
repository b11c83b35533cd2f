import type { AbiEvent } from '../abi/item.ts';
import {
  type AbiParameter,
  type AbiType,
  type AbiValue,
  type EventParameter,
  hasFixedPoint,
  isHashed,
} from '../abi/type.ts';
import type { Address } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import { compareLogPlaces } from '../logs/log.ts';
import {
  type CopyLog,
  type CopyNetwork,
  type CopyResult,
  formatComment,
  isSolidityIdentifier,
  toReadableEvent,
} from './copyQuery.ts';

/**
 * A Foundry test that expects these logs, in the order of the chain. The user inserts the call that emits them. It
 * needs no library. https://getfoundry.sh/reference/cheatcodes/expect-emit
 */
export function copyAsFoundryTest(unsorted: readonly CopyLog[], network: CopyNetwork): CopyResult {
  const logs = unsorted.toSorted((one, other) => compareLogPlaces(one.log, other.log));
  const [first] = logs;
  if (!first || logs.length > MAX_EXPECTED_LOGS) return { error: 'tooLong' };
  const events = collectEvents(logs);
  if (!Array.isArray(events)) return events as CopyResult;
  const emitters = [...new Set(logs.map(({ log }) => log.address))];
  const structs = createStructs(events.map(({ name }) => name));
  const declarations = events.map((event) => `    ${formatDeclaration(event, structs)}\n`);
  const steps: string[] = [];
  for (const [index, entry] of logs.entries()) {
    const emitted = formatEmittedLog(entry, { structs, prefix: `value${index + 1}_` });
    if (!emitted) return { error: 'type' };
    const { event } = entry.known;
    const note = formatHashNote(event);
    steps.push(
      [
        `// ${formatComment(`Block ${entry.log.blockNumber}, log ${entry.log.logIndex}, of ${entry.log.transactionHash}.`)}`,
        ...(note === undefined ? [] : [`// ${note}`]),
        ...emitted.lines,
        formatExpectation(event, formatEmitterName(emitters, entry.log.address)),
        `emit ${event.name}(${emitted.args.join(', ')});`,
      ]
        .map((line) => `        ${line}\n`)
        .join(''),
    );
  }
  const cheats = Object.entries(CHEATCODE_SIGNATURES).filter(([name]) =>
    steps.some((step) => step.includes(`vm.${name}(`)),
  );
  return {
    text: `// SPDX-License-Identifier: UNLICENSED
pragma solidity >=0.8.0;

interface ExpectCheats {
${cheats.map(([, signature]) => `    ${signature}\n`).join('')}}

// ${formatComment(`${logs.length === 1 ? 'A log' : `${logs.length} logs`} of ${network.name}, chain ${network.chainId}.`)}
contract ExpectedLogsTest {
    ExpectCheats constant vm = ExpectCheats(${CHEATCODE_ADDRESS});
${emitters.map((address) => `    address constant ${formatEmitterName(emitters, address)} = ${toChecksumAddress(address)};\n`).join('')}
${structs.declarations.join('')}${declarations.join('')}
    function test_emitsExpectedLogs() public {
${steps.join('\n')}
        // Insert the call that emits ${logs.length === 1 ? 'it' : 'all of them'} here.
    }
}
`,
  };
}

/** A test with more is not readable. */
export const MAX_EXPECTED_LOGS = 50;
/** https://getfoundry.sh/reference/cheatcodes/overview */
export const CHEATCODE_ADDRESS = '0x7109709ECfa91a80626fF3989D68f67F5b1DD12D';

const CHEATCODE_SIGNATURES = {
  expectEmit:
    'function expectEmit(bool topic1, bool topic2, bool topic3, bool data, address emitter) external;',
  expectEmitAnonymous:
    'function expectEmitAnonymous(bool topic0, bool topic1, bool topic2, bool topic3, bool data, address emitter) external;',
} as const;

/** The events of logs, each once; or why they cannot be declared. */
function collectEvents(logs: readonly CopyLog[]): readonly AbiEvent[] | CopyResult {
  const events = new Map<string, { readonly event: AbiEvent; readonly layout: string }>();
  for (const { known } of logs) {
    const event = toReadableEvent(known.event);
    if (!event || USED_NAMES.test(event.name)) return { error: 'name' };
    // Solidity has no plain `function` type: a declaration includes the parameters, which an ABI does not have.
    if (/\bfunction\b/.test(event.signature.slice(event.name.length))) return { error: 'type' };
    // Solidity does not implement fixed-point types.
    if (event.inputs.some(({ type }) => hasFixedPoint(type))) return { error: 'type' };
    const layout = event.inputs.map(({ indexed }) => Number(indexed)).join('') + String(event.anonymous);
    const previous = events.get(event.signature);
    if (previous && previous.layout !== layout) return { error: 'layouts' };
    if (!previous) events.set(event.signature, { event, layout });
  }
  return [...events.values()].map(({ event }) => event);
}

/** Names that the test itself declares. */
const USED_NAMES =
  /^(?:vm|EMITTER(?:_\d+)?|ExpectedLogsTest|ExpectCheats|test_emitsExpectedLogs|value\d+_\d+)$/;

function formatDeclaration({ name, inputs, anonymous }: AbiEvent, structs: Structs): string {
  const parameters = inputs.map((input) =>
    [
      structs.nameOf(input.type),
      ...(input.indexed ? ['indexed'] : []),
      ...listParameterName(input, inputs),
    ].join(' '),
  );
  return `event ${name}(${parameters.join(', ')})${anonymous ? ' anonymous' : ''};`;
}

function listParameterName({ name }: EventParameter, inputs: readonly EventParameter[]): readonly string[] {
  const isOnly = inputs.filter((other) => other.name === name).length === 1;
  return isOnly && isSolidityIdentifier(name) ? [name] : [];
}

/** A topic that is a hash is not compared: the log does not have its value. */
function formatExpectation({ inputs, anonymous }: AbiEvent, emitter: string): string {
  const indexed = inputs.filter((input) => input.indexed).map((input) => !isHashed(input));
  const topics = Array.from({ length: anonymous ? 4 : 3 }, (_, place) => indexed[place] ?? false);
  const name = anonymous ? 'expectEmitAnonymous' : 'expectEmit';
  return `vm.${name}(${[...topics, true].join(', ')}, ${emitter});`;
}

function formatHashNote({ inputs }: AbiEvent): string | undefined {
  const hashed = inputs.flatMap((input, index) =>
    isHashed(input) ? [formatComment(input.name) || `parameter ${index + 1}`] : [],
  );
  if (hashed.length === 0) return undefined;
  return `The log has only the hash of ${hashed.join(', ')}, which is not compared.`;
}

function formatEmitterName(emitters: readonly Address[], address: Address): string {
  return emitters.length === 1 ? 'EMITTER' : `EMITTER_${emitters.indexOf(address) + 1}`;
}

/**
 * Code that emits a log again; undefined if a value cannot be written, or takes too many lines. An indexed value of
 * which only the hash is known becomes an empty one.
 *
 * @param prefix of the names of its variables.
 */
function formatEmittedLog(
  { known }: CopyLog,
  { structs, prefix }: { readonly structs: Structs; readonly prefix: string },
): EmittedLog | undefined {
  const lines: string[] = [];
  try {
    const args = known.event.inputs.map((input, index) => {
      const { type } = input;
      const value = isHashed(input) ? createEmptyValue(type) : known.values[index];
      const literal = value === undefined ? undefined : formatLiteral(type, value);
      if (literal !== undefined) return literal;
      if (type.kind !== 'array' && type.kind !== 'tuple') throw new UnwritableValue();
      const name = `${prefix}${index}`;
      lines.push(`${structs.nameOf(type)} memory ${name};`);
      if (!isHashed(input)) writeAssignments({ type, value: value as AbiValue, name }, { structs, lines });
      return name;
    });
    return { lines, args };
  } catch (error) {
    if (error instanceof UnwritableValue) return undefined;
    throw error;
  }
}

/** Code that emits one log. */
interface EmittedLog {
  /** Declarations and assignments of its variables. */
  readonly lines: readonly string[];
  readonly args: readonly string[];
}

/** Lines that the values of one log may take. */
const MAX_LINES = 500;

export class UnwritableValue extends Error {}

function createEmptyValue(type: AbiType): AbiValue | undefined {
  if (type.kind === 'string') return '';
  return type.kind === 'bytes' ? '0x' : undefined;
}

/** Arrays and structs in memory need one assignment for each of their elementary values. */
export function writeAssignments(
  { type, value, name }: Assignment,
  output: { readonly structs: Structs; readonly lines: string[] },
): void {
  const { structs, lines } = output;
  if (lines.length >= MAX_LINES) throw new UnwritableValue();
  if (type.kind === 'array') {
    const items = value as readonly AbiValue[];
    if (type.length === undefined) lines.push(`${name} = new ${structs.nameOf(type)}(${items.length});`);
    for (const [index, item] of items.entries()) {
      writeAssignments({ type: type.item, value: item, name: `${name}[${index}]` }, output);
    }
  } else if (type.kind === 'tuple') {
    for (const [index, member] of structs.membersOf(type).entries()) {
      const memberParameter = type.members[index] as AbiParameter;
      writeAssignments(
        {
          type: memberParameter.type,
          value: (value as readonly AbiValue[])[index] as AbiValue,
          name: `${name}.${member}`,
        },
        output,
      );
    }
  } else {
    const literal = formatLiteral(type, value);
    if (literal === undefined) throw new UnwritableValue();
    lines.push(`${name} = ${literal};`);
  }
}

interface Assignment {
  readonly type: AbiType;
  readonly value: AbiValue;
  /** The left-hand side. */
  readonly name: string;
}

/**
 * A value of an elementary type as a Solidity literal; undefined if its type has none.
 *
 * @example formatLiteral({ kind: 'string', text: 'string' }, 'a"b') // '"a\\x22b"'
 */
export function formatLiteral(type: AbiType, value: AbiValue): string | undefined {
  switch (type.kind) {
    case 'uint':
    case 'int':
    case 'bool':
      return String(value);
    case 'address':
      return toChecksumAddress(value as Address);
    case 'string':
      return formatStringLiteral(String(value));
    case 'bytes':
      return formatHexLiteral(String(value));
    case 'fixedBytes':
      return type.text === 'function' ? undefined : `${type.text}(${formatHexLiteral(String(value))})`;
    default:
      return undefined;
  }
}

/** ASCII only: the compiler rejects right-to-left text, and accepts escaped bytes for any character. */
function formatStringLiteral(text: string): string {
  let literal = '';
  for (const byte of new TextEncoder().encode(text)) {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    literal += isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `"${literal}"`;
}

function formatHexLiteral(hex: string): string {
  return `hex"${hex.slice(2)}"`;
}

/** @param reserved names that no struct may have. */
export function createStructs(reserved: readonly string[]): Structs {
  const names = new Map<string, string>();
  const declarations: string[] = [];

  function nameOf(type: AbiType): string {
    if (type.kind === 'array') return `${nameOf(type.item)}[${type.length ?? ''}]`;
    return type.kind === 'tuple' ? declareStruct(type) : type.text;
  }

  function declareStruct(type: AbiType & { readonly kind: 'tuple' }): string {
    const members = membersOf(type).map((name, index) => {
      const member = type.members[index] as AbiParameter;
      return `        ${nameOf(member.type)} ${name};\n`;
    });
    const body = members.join('');
    const existing = names.get(body);
    if (existing !== undefined) return existing;
    let name = `Struct${names.size + 1}`;
    while (reserved.includes(name)) name += '_';
    names.set(body, name);
    declarations.push(`    struct ${name} {\n${body}    }\n`);
    return name;
  }

  return { nameOf, membersOf, declarations };
}

/** Structs for the tuples of events. An ABI does not have their names, so they get new ones. */
interface Structs {
  /** A type in the declaration of a variable. */
  nameOf(type: AbiType): string;
  membersOf(type: AbiType & { readonly kind: 'tuple' }): readonly string[];
  /** Each after those that it depends on. */
  readonly declarations: readonly string[];
}

function membersOf({ members }: AbiType & { readonly kind: 'tuple' }): readonly string[] {
  const names: string[] = [];
  for (const [index, { name }] of members.entries()) {
    let memberName = isSolidityIdentifier(name) ? name : `member${index}`;
    while (
      names.includes(memberName) ||
      members.some((other, place) => place > index && other.name === memberName)
    )
      memberName += '_';
    names.push(memberName);
  }
  return names;
}
