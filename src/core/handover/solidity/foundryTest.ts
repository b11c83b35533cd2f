import type { AbiEvent } from '../../abi/abiItem.ts';
import type { EventParameter } from '../../abi/abiType.ts';
import { isHashed } from '../../abi/decode/isHashed.ts';
import { compareLogs } from '../../logs/query/log.ts';
import type { Address } from '../../values/address.ts';
import { toChecksumAddress } from '../../values/checksum.ts';
import { commentText } from '../handed/comments.ts';
import type { Handed, HandedLog, HandedNetwork } from '../handed/handover.ts';
import { isSolidityName, readableEvent } from '../handed/identifiers.ts';
import { emittedLog } from './emitted.ts';
import { createStructs, type Structs } from './structs.ts';

/** Logs that one test expects at most: it is read by people. */
export const MOST_EXPECTED = 50;
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
export function handToFoundryTest(given: readonly HandedLog[], network: HandedNetwork): Handed {
  const logs = given.toSorted((one, other) => compareLogs(one.log, other.log));
  const [first] = logs;
  if (!first || logs.length > MOST_EXPECTED) return { refused: 'tooLong' };
  const events = eventsOf(logs);
  if (!Array.isArray(events)) return events as Handed;
  const emitters = [...new Set(logs.map(({ log }) => log.address))];
  const structs = createStructs(events.map(({ name }) => name));
  const declared = events.map((event) => `    ${declarationOf(event, structs)}\n`);
  const steps: string[] = [];
  for (const [index, each] of logs.entries()) {
    const emitted = emittedLog(each, { structs, prefix: `value${index + 1}_` });
    if (!emitted) return { refused: 'type' };
    const { event } = each.known;
    const hidden = hiddenNote(event);
    steps.push(
      [
        `// ${commentText(`Block ${each.log.blockNumber}, log ${each.log.logIndex}, of ${each.log.transactionHash}.`)}`,
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

// ${commentText(`${logs.length === 1 ? 'A log' : `${logs.length} logs`} of ${network.name}, chain ${network.chainId}.`)}
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
function eventsOf(logs: readonly HandedLog[]): readonly AbiEvent[] | Handed {
  const events = new Map<string, { readonly event: AbiEvent; readonly layout: string }>();
  for (const { known } of logs) {
    const event = readableEvent(known.event);
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
  return isOnly && isSolidityName(name) ? [name] : [];
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
    isHashed(input) ? [commentText(input.name) || `parameter ${index + 1}`] : [],
  );
  if (hidden.length === 0) return undefined;
  return `The log has only the hash of ${hidden.join(', ')}, which is not compared.`;
}

function emitterName(emitters: readonly Address[], address: Address): string {
  return emitters.length === 1 ? 'EMITTER' : `EMITTER_${emitters.indexOf(address) + 1}`;
}
