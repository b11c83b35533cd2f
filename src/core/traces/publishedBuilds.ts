import type { SliceOptions } from '../base/timeSlices.ts';
import { asRecord, isRecord, type PlainRecord, pushAll } from '../base/values.ts';
import { isObjectAt, type JsonText, pickMembers, scanMembers } from '../project/readers/jsonScan.ts';
import type { BuiltCode } from './builtCode.ts';
import { readCode } from './readCode.ts';

/** What a compiler made of a contract, as a package publishes it. */
export interface PublishedOutput {
  readonly runtime: BuiltCode;
  readonly creation: BuiltCode;
  /** The metadata of solc as text; undefined if the file does not have it. */
  readonly metadata: string | undefined;
  readonly layout: unknown;
  readonly hasImmutables: boolean;
}

interface SoughtContract {
  readonly name: string;
  readonly source: string | undefined;
}

/**
 * Reads the code of a contract in a file that holds the output of a compiler: combined JSON and standard JSON of solc, the
 * output in a build info, one contract of it as Waffle, 0x and Remix write it, or a manifest of Ape. Undefined if the text has
 * no code of it, or several contracts have its name.
 *
 * - https://docs.soliditylang.org/en/latest/using-the-compiler.html
 * - https://remix-ide.readthedocs.io/en/latest/contract_metadata.html
 *
 * @throws AppError `badInput` if the text is not an object or ends too early.
 */
export async function readPublishedOutput(
  json: JsonText,
  contract: SoughtContract,
  options: SliceOptions,
): Promise<PublishedOutput | undefined> {
  const found = await findOutputs(json, { at: 0, source: undefined }, { contract, ...options });
  const [first, ...others] = found;
  const exact = found.filter(({ source }) => isSameSource(source, contract.source));
  const chosen = exact.length === 1 ? exact[0] : others.length === 0 ? first : undefined;
  return chosen && readOutput(json, chosen.at);
}

interface FoundOutput {
  /** The path of the source, as the compiler has it. */
  readonly source: string | undefined;
  readonly at: number;
}

/** Objects around the one of a contract. */
const CONTAINERS: ReadonlySet<string> = new Set([
  'output',
  'compilerOutput',
  'contracts',
  'contractTypes',
  'data',
]);
const CODE_MEMBERS = ['evm', 'deployedBytecode', 'bin-runtime', 'runtimeBytecode'] as const;
const SOURCE_NAME = /\.sol$/i;
const MAX_DEPTH = 4;

async function findOutputs(
  json: JsonText,
  outer: FoundOutput,
  search: SliceOptions & { readonly contract: SoughtContract },
  depth = 0,
): Promise<readonly FoundOutput[]> {
  const { contract, slices } = search;
  if (depth > MAX_DEPTH || !isObjectAt(json, outer.at)) return [];
  const members = [...scanMembers(json, outer.at)];
  if (members.some(({ name }) => (CODE_MEMBERS as readonly string[]).includes(name))) return [outer];
  const found: FoundOutput[] = [];
  for (const { name, from } of members) {
    if (slices.isOver()) await slices.rest(search);
    const colon = name.lastIndexOf(':');
    // `src/Pay.sol:Pay` in combined JSON.
    const isKey = colon > 0 && name.slice(colon + 1) === contract.name;
    const isInside = isKey || name === contract.name || CONTAINERS.has(name) || SOURCE_NAME.test(name);
    if (!isInside) continue;
    const source = isKey ? name.slice(0, colon) : SOURCE_NAME.test(name) ? name : outer.source;
    pushAll(found, await findOutputs(json, { at: from, source }, search, depth + 1));
  }
  return found;
}

/** A compiler may have absolute paths, and a project is a part of a workspace. */
function isSameSource(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return one === other || one.endsWith(`/${other}`) || other.endsWith(`/${one}`);
}

function readOutput(json: JsonText, at: number): PublishedOutput | undefined {
  const found = pickMembers(json, at, [
    ...CODE_MEMBERS,
    ...([
      'bytecode',
      'bin',
      'srcmap',
      'srcmap-runtime',
      'metadata',
      'storageLayout',
      'storage-layout',
    ] as const),
  ]);
  const evm = asRecord(found.evm);
  const deployed = toCode(
    found.deployedBytecode ?? evm.deployedBytecode ?? found['bin-runtime'] ?? found.runtimeBytecode,
    found['srcmap-runtime'],
  );
  const runtime = readCode(deployed);
  if (runtime.digits === '') return undefined;
  const { metadata } = found;
  return {
    runtime,
    creation: readCode(toCode(evm.bytecode ?? found.bytecode ?? found.bin, found.srcmap)),
    metadata: typeof metadata === 'string' ? metadata : undefined,
    layout: found.storageLayout ?? found['storage-layout'],
    hasImmutables: isRecord(deployed.immutableReferences),
  };
}

/** The code as hex, or as an object with its map and references. */
function toCode(value: unknown, sourceMap: unknown): PlainRecord {
  if (!isRecord(value)) return { object: value, sourceMap };
  return { ...value, object: value.object ?? value.bytecode, sourceMap: value.sourceMap ?? sourceMap };
}
