import { parseAbiItem } from '../abi/item.ts';
import type { Abortable } from '../base/concurrency.ts';
import type { TimeSlices } from '../base/timeSlices.ts';
import type { Hex } from '../eth/hex.ts';
import { createCodeMap } from '../traces/builtCode.ts';
import type { ContractBuild } from '../traces/readBuilds.ts';
import { openSource, type SourceText } from '../traces/sourceText.ts';
import { isVyperSource, toVyperText } from '../traces/vyperBuilds.ts';
import type { CodeDifference, DifferingFunction, SelectorName } from './codeComparison.ts';
import { findSelectors, type Instruction, isPush, listInstructions } from './codeInstructions.ts';

const MAX_FUNCTIONS = 50;
const MAX_SELECTORS = 200;
const MAX_SOURCES = 500;
/** Of code that is the same but for a few places, most instructions are equal. */
const MAX_SHARE_OF_EDIT = 0.25;
/** Shorter sequences are in any code. */
const MIN_INSTRUCTIONS = 3;

/**
 * Says where deployed code differs from that of a build: which functions, by the source map, and which selectors only one
 * of them dispatches.
 *
 * @param offset the first byte that differs.
 * @example const { functions } = await explainDifference(build, { code, offset }, { slices });
 */
export async function explainDifference(
  build: ContractBuild,
  { code, offset }: { readonly code: Hex; readonly offset: number },
  options: Abortable & { readonly slices: TimeSlices },
): Promise<CodeDifference> {
  const deployed = code.slice(2);
  const local = findSelectors(build.runtime.digits);
  const other = findSelectors(deployed);
  const signatures = listSignatures(build);
  const onlyLocal = [...signatures.keys()].filter(
    (selector) => local.pushed.has(selector) && !other.pushed.has(selector),
  );
  const onlyDeployed = [...other.dispatched].filter((selector) => !local.pushed.has(selector));
  const toName = (selector: Hex): SelectorName => ({ selector, signature: signatures.get(selector) });
  return {
    offset,
    functions: await findFunctions(build, deployed, options),
    onlyLocal: onlyLocal.slice(0, MAX_SELECTORS).map(toName),
    onlyDeployed: onlyDeployed.slice(0, MAX_SELECTORS).map(toName),
  };
}

function listSignatures({ contract }: ContractBuild): ReadonlyMap<Hex, string> {
  const signatures = new Map<Hex, string>();
  for (const text of contract.abi) {
    const item = text.startsWith('function ') ? parseAbiItem(text) : undefined;
    if (item?.kind === 'function') signatures.set(item.selector, item.signature);
  }
  return signatures;
}

interface PlacedInstruction extends Instruction {
  readonly function: DifferingFunction | undefined;
}

async function findFunctions(
  build: ContractBuild,
  deployed: string,
  options: Abortable & { readonly slices: TimeSlices },
): Promise<readonly DifferingFunction[]> {
  const { digits } = build.runtime;
  const instructions = await placeInstructions(build, options);
  if (instructions.every((each) => each.function === undefined)) return [];
  const filled = new Set(
    build.runtime.gaps.flatMap(({ places }) => places.map(({ start }) => 2 * start - 2)),
  );
  const isEdited = ({ from, to }: Instruction) =>
    !filled.has(from) && digits.slice(from, to) !== deployed.slice(from, to);
  const edited = digits.length === deployed.length ? instructions.filter(isEdited) : instructions;
  const isAligned = edited.length <= MAX_SHARE_OF_EDIT * instructions.length;
  const missing = isAligned ? edited : await findMissing(instructions, deployed, options);
  const found = missing.length > 0 ? missing : findFirst(instructions, deployed);
  const functions = new Map(
    found.flatMap(({ function: each }) => (each ? [[`${each.path} ${each.name}`, each] as const] : [])),
  );
  return [...functions.values()].slice(0, MAX_FUNCTIONS);
}

/** Instructions of functions whose sequence, without pushed values, is nowhere in the deployed code. */
async function findMissing(
  instructions: readonly PlacedInstruction[],
  deployed: string,
  { slices, signal }: Abortable & { readonly slices: TimeSlices },
): Promise<readonly PlacedInstruction[]> {
  const all = formatSequence(listInstructions(deployed));
  const missing: PlacedInstruction[] = [];
  let start = 0;
  for (let index = 1; index <= instructions.length; index++) {
    const first = instructions[start];
    if (instructions[index]?.function === first?.function && index < instructions.length) continue;
    const sequence = instructions.slice(start, index);
    start = index;
    if (!first?.function || sequence.length < MIN_INSTRUCTIONS) continue;
    if (!all.includes(formatSequence(sequence))) missing.push(first);
    if (slices.isOver()) await slices.rest({ signal });
  }
  return missing;
}

/** The first instruction of a function that is another one in the deployed code. */
function findFirst(
  instructions: readonly PlacedInstruction[],
  deployed: string,
): readonly PlacedInstruction[] {
  const one = formatSequence(instructions);
  const other = formatSequence(listInstructions(deployed));
  const found = instructions.find((each, index) => each.function && one[index] !== other[index]);
  return found ? [found] : [];
}

/** One character for each instruction. */
function formatSequence(instructions: readonly Instruction[]): string {
  return instructions.map(({ opcode }) => String.fromCharCode(isPush(opcode) ? 0x60 : opcode)).join('');
}

async function placeInstructions(
  build: ContractBuild,
  { slices, signal }: Abortable & { readonly slices: TimeSlices },
): Promise<readonly PlacedInstruction[]> {
  const map = createCodeMap(build.runtime);
  const sources = new Map<number, SourceText | undefined>();
  const functions = new Map<string, DifferingFunction | undefined>();
  const placed: PlacedInstruction[] = [];
  for (const instruction of listInstructions(build.runtime.digits)) {
    const entry = map.entryAt(instruction.from / 2);
    if (!entry || entry.file < 0) {
      placed.push({ ...instruction, function: undefined });
      continue;
    }
    const { file, start, length } = entry;
    if (!sources.has(file) && sources.size < MAX_SOURCES) {
      const source = await build.readSource(file);
      const isKnown = source !== undefined && source !== 'generated';
      // Positions are those of the compiled text.
      const hasPlaces = isKnown && (source.isCurrent || isVyperSource(source.path));
      sources.set(file, hasPlaces ? openSource(source) : undefined);
    }
    const key = `${file}:${start}:${length}`;
    const source = sources.get(file);
    if (!functions.has(key)) functions.set(key, source && findFunction(source, start, length));
    placed.push({ ...instruction, function: functions.get(key) });
    if (slices.isOver()) await slices.rest({ signal });
  }
  return placed;
}

function findFunction(source: SourceText, start: number, length: number): DifferingFunction | undefined {
  const { path } = source.source;
  const text = source.slice(start, length);
  if (text === undefined) return undefined;
  if (isVyperSource(path)) {
    const before = toVyperText(source.source.text).slice(0, start + 'def '.length);
    const at = before.lastIndexOf('\ndef ');
    const [, name] = /^\ndef (\w+)/.exec(toVyperText(source.source.text).slice(at, at + 200)) ?? [];
    return name === undefined ? undefined : { name, path, line: before.slice(0, at + 1).split('\n').length };
  }
  const callable = source.callableAt(start);
  if (callable) {
    const { contract, name, line } = callable;
    return { name: contract === undefined ? name : `${contract}.${name}`, path, line };
  }
  // A variable has its getter.
  const variable = publicVariable(text.slice(0, MAX_VARIABLE_CHARS));
  return variable === undefined ? undefined : { name: variable, path, line: source.lineAt(start) };
}

/** The variable that a declaration names, as in `mapping(address => uint256) public override balances = …`. */
function publicVariable(text: string): string | undefined {
  const at = text.indexOf(' public ');
  if (at < 0 || !VARIABLE_TYPE.test(text.slice(0, at))) return undefined;
  const [words = ''] = text.slice(at + ' public '.length).split('=', 1);
  return /^[\w\s]*$/.test(words) ? words.trim().split(/\s/).at(-1) || undefined : undefined;
}

const MAX_VARIABLE_CHARS = 400;
const VARIABLE_TYPE = /^(?!contract\b|library\b|abstract\b|interface\b)[\w.[\]()=> ,]*$/;
