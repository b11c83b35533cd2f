import type { AbiEvent } from '../abi/item.ts';
import {
  type AbiParameter,
  type AbiType,
  type AbiValue,
  type EventParameter,
  isHashed,
} from '../abi/type.ts';
import type { Address } from '../eth/hex.ts';
import { toChecksumAddress } from '../eth/keccak.ts';
import { compareLogs } from '../logs/log.ts';
import {
  type CopyLog,
  type CopyNetwork,
  type CopyResult,
  formatComment,
  isSolidityIdentifier,
  toReadableEvent,
} from './copyQuery.ts';

/** Lines of a function that make one log: what its variables need, and the arguments of `emit`. */
export interface EmittedLog {
  readonly lines: readonly string[];
  readonly args: readonly string[];
}

/** Lines that the values of one log may take. */
const MAX_LINES = 500;

class Unwritable extends Error {}

/**
 * What emits a log again; undefined where a value cannot be written, or takes too many lines. Of an indexed value that is
 * known by its hash alone an empty one stands in its place.
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
      const value = isHashed(input) ? emptyOf(type) : known.values[index];
      const literal = value === undefined ? undefined : formatLiteral(type, value);
      if (literal !== undefined) return literal;
      if (type.kind !== 'array' && type.kind !== 'tuple') throw new Unwritable();
      const name = `${prefix}${index}`;
      lines.push(`${structs.nameOf(type)} memory ${name};`);
      if (!isHashed(input)) assign({ type, value: value as AbiValue, name }, { structs, lines });
      return name;
    });
    return { lines, args };
  } catch (error) {
    if (error instanceof Unwritable) return undefined;
    throw error;
  }
}

function emptyOf(type: AbiType): AbiValue | undefined {
  if (type.kind === 'string') return '';
  return type.kind === 'bytes' ? '0x' : undefined;
}

interface Assigned {
  readonly type: AbiType;
  readonly value: AbiValue;
  /** What it is assigned to. */
  readonly name: string;
}

/** Arrays and structs of memory are made of one assignment for each value that is not made of others. */
function assign(
  { type, value, name }: Assigned,
  into: { readonly structs: Structs; readonly lines: string[] },
): void {
  const { structs, lines } = into;
  if (lines.length >= MAX_LINES) throw new Unwritable();
  if (type.kind === 'array') {
    const items = value as readonly AbiValue[];
    if (type.length === undefined) lines.push(`${name} = new ${structs.nameOf(type)}(${items.length});`);
    for (const [index, item] of items.entries()) {
      assign({ type: type.item, value: item, name: `${name}[${index}]` }, into);
    }
  } else if (type.kind === 'tuple') {
    for (const [index, member] of structs.membersOf(type).entries()) {
      const own = type.members[index] as AbiParameter;
      assign(
        {
          type: own.type,
          value: (value as readonly AbiValue[])[index] as AbiValue,
          name: `${name}.${member}`,
        },
        into,
      );
    }
  } else {
    const literal = formatLiteral(type, value);
    if (literal === undefined) throw new Unwritable();
    lines.push(`${name} = ${literal};`);
  }
}

/** Logs that one test expects at most: it is read by people. */
export const MAX_EXPECTED_LOGS = 50;
const CHEATS = '0x7109709ECfa91a80626fF3989D68f67F5b1DD12D';
/** What stands in the text besides. */
const OWN_NAMES =
  /^(?:vm|EMITTER(?:_\d+)?|ExpectedLogsTest|ExpectCheats|test_emitsExpectedLogs|value\d+_\d+)$/;
const SIGNATURES = {
  expectEmit:
    'function expectEmit(bool topic1, bool topic2, bool topic3, bool data, address emitter) external;',
  expectEmitAnonymous:
    'function expectEmitAnonymous(bool topic0, bool topic1, bool topic2, bool topic3, bool data, address emitter) external;',
} as const;

/**
 * A test of Foundry that expects these logs, in their order on the chain; what emits them is to be put in. It needs no
 * library. https://getfoundry.sh/reference/cheatcodes/expect-emit
 */
export function copyAsFoundryTest(given: readonly CopyLog[], network: CopyNetwork): CopyResult {
  const logs = given.toSorted((one, other) => compareLogs(one.log, other.log));
  const [first] = logs;
  if (!first || logs.length > MAX_EXPECTED_LOGS) return { refused: 'tooLong' };
  const events = eventsOf(logs);
  if (!Array.isArray(events)) return events as CopyResult;
  const emitters = [...new Set(logs.map(({ log }) => log.address))];
  const structs = createStructs(events.map(({ name }) => name));
  const declared = events.map((event) => `    ${declarationOf(event, structs)}\n`);
  const steps: string[] = [];
  for (const [index, each] of logs.entries()) {
    const emitted = formatEmittedLog(each, { structs, prefix: `value${index + 1}_` });
    if (!emitted) return { refused: 'type' };
    const { event } = each.known;
    const hidden = hiddenNote(event);
    steps.push(
      [
        `// ${formatComment(`Block ${each.log.blockNumber}, log ${each.log.logIndex}, of ${each.log.transactionHash}.`)}`,
        ...(hidden === undefined ? [] : [`// ${hidden}`]),
        ...emitted.lines,
        expectation(event, emitterName(emitters, each.log.address)),
        `emit ${event.name}(${emitted.args.join(', ')});`,
      ]
        .map((line) => `        ${line}\n`)
        .join(''),
    );
  }
  const cheats = Object.entries(SIGNATURES).filter(([name]) =>
    steps.some((step) => step.includes(`vm.${name}(`)),
  );
  return {
    text: `// SPDX-License-Identifier: UNLICENSED
pragma solidity >=0.8.0;

interface ExpectCheats {
${cheats.map(([, signature]) => `    ${signature}\n`).join('')}}

// ${formatComment(`${logs.length === 1 ? 'A log' : `${logs.length} logs`} of ${network.name}, chain ${network.chainId}.`)}
contract ExpectedLogsTest {
    ExpectCheats constant vm = ExpectCheats(${CHEATS});
${emitters.map((address) => `    address constant ${emitterName(emitters, address)} = ${toChecksumAddress(address)};\n`).join('')}
${structs.declarations.join('')}${declared.join('')}
    function test_emitsExpectedLogs() public {
${steps.join('\n')}
        // Call here what emits ${logs.length === 1 ? 'it' : 'them, all in one call'}.
    }
}
`,
  };
}

/** The events of logs, each once; why they cannot be declared otherwise. */
function eventsOf(logs: readonly CopyLog[]): readonly AbiEvent[] | CopyResult {
  const events = new Map<string, { readonly event: AbiEvent; readonly layout: string }>();
  for (const { known } of logs) {
    const event = toReadableEvent(known.event);
    if (!event || OWN_NAMES.test(event.name)) return { refused: 'name' };
    // A function is no type of its own there: it is declared with what it takes.
    if (/\bfunction\b/.test(event.signature.slice(event.name.length))) return { refused: 'type' };
    const layout = event.inputs.map(({ indexed }) => Number(indexed)).join('') + String(event.anonymous);
    const before = events.get(event.signature);
    if (before && before.layout !== layout) return { refused: 'layouts' };
    if (!before) events.set(event.signature, { event, layout });
  }
  return [...events.values()].map(({ event }) => event);
}

function declarationOf({ name, inputs, anonymous }: AbiEvent, structs: Structs): string {
  const parameters = inputs.map((input) =>
    [structs.nameOf(input.type), ...(input.indexed ? ['indexed'] : []), ...nameIn(input, inputs)].join(' '),
  );
  return `event ${name}(${parameters.join(', ')})${anonymous ? ' anonymous' : ''};`;
}

function nameIn({ name }: EventParameter, inputs: readonly EventParameter[]): readonly string[] {
  const isOnly = inputs.filter((other) => other.name === name).length === 1;
  return isOnly && isSolidityIdentifier(name) ? [name] : [];
}

/** What is compared: not a topic that is a hash of what the log does not tell. */
function expectation({ inputs, anonymous }: AbiEvent, emitter: string): string {
  const indexed = inputs.filter((input) => input.indexed).map((input) => !isHashed(input));
  const topics = Array.from({ length: anonymous ? 4 : 3 }, (_, place) => indexed[place] ?? false);
  const name = anonymous ? 'expectEmitAnonymous' : 'expectEmit';
  return `vm.${name}(${[...topics, true].join(', ')}, ${emitter});`;
}

function hiddenNote({ inputs }: AbiEvent): string | undefined {
  const hidden = inputs.flatMap((input, index) =>
    isHashed(input) ? [formatComment(input.name) || `parameter ${index + 1}`] : [],
  );
  if (hidden.length === 0) return undefined;
  return `The log has only the hash of ${hidden.join(', ')}, which is not compared.`;
}

function emitterName(emitters: readonly Address[], address: Address): string {
  return emitters.length === 1 ? 'EMITTER' : `EMITTER_${emitters.indexOf(address) + 1}`;
}

/**
 * A value of a type that is not made of others, as Solidity writes it; undefined for what it has no literal for.
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
      return stringLiteral(String(value));
    case 'bytes':
      return hexLiteral(String(value));
    case 'fixedBytes':
      return type.text === 'function' ? undefined : `${type.text}(${hexLiteral(String(value))})`;
    default:
      return undefined;
  }
}

/** Of ASCII alone: the compiler refuses text that runs from right to left, and takes bytes for any character. */
function stringLiteral(text: string): string {
  let literal = '';
  for (const byte of new TextEncoder().encode(text)) {
    const isPlain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    literal += isPlain ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `"${literal}"`;
}

function hexLiteral(hex: string): string {
  return `hex"${hex.slice(2)}"`;
}

/** The structs that stand for the tuples of events. Their names are lost in an ABI, so that they get new ones. */
interface Structs {
  /** A type as Solidity declares a variable of it. */
  nameOf(type: AbiType): string;
  /** The names of a tuple's members. */
  membersOf(type: AbiType & { readonly kind: 'tuple' }): readonly string[];
  /** Their declarations, each after those that it is made of. */
  readonly declarations: readonly string[];
}

/** @param taken names that no struct may have. */
function createStructs(taken: readonly string[]): Structs {
  const names = new Map<string, string>();
  const declarations: string[] = [];

  function nameOf(type: AbiType): string {
    if (type.kind === 'array') return `${nameOf(type.item)}[${type.length ?? ''}]`;
    return type.kind === 'tuple' ? structOf(type) : type.text;
  }

  function structOf(type: AbiType & { readonly kind: 'tuple' }): string {
    const members = membersOf(type).map((name, index) => {
      const member = type.members[index] as AbiParameter;
      return `        ${nameOf(member.type)} ${name};\n`;
    });
    const body = members.join('');
    const known = names.get(body);
    if (known !== undefined) return known;
    let name = `Struct${names.size + 1}`;
    while (taken.includes(name)) name += '_';
    names.set(body, name);
    declarations.push(`    struct ${name} {\n${body}    }\n`);
    return name;
  }

  return { nameOf, membersOf, declarations };
}

function membersOf({ members }: AbiType & { readonly kind: 'tuple' }): readonly string[] {
  const names: string[] = [];
  for (const [index, { name }] of members.entries()) {
    let own = isSolidityIdentifier(name) ? name : `member${index}`;
    while (names.includes(own) || members.some((other, place) => place > index && other.name === own))
      own += '_';
    names.push(own);
  }
  return names;
}
