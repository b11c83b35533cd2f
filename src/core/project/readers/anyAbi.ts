import { type AbiItemText, MAX_ABI_ITEMS } from '../../abi/item.ts';
import { type AbiOptions, isOfLibrary, listAbiEnums, parseAbi } from '../../abi/parseAbi.ts';
import { isRecord } from '../../base/values.ts';
import type { ContractFacts, FileFacts } from './facts.ts';

/** The item types of a JSON ABI: https://docs.soliditylang.org/en/latest/abi-spec.html#json */
const ITEM_TYPES: ReadonlySet<unknown> = new Set([
  'function',
  'event',
  'error',
  'constructor',
  'fallback',
  'receive',
]);
/** A human-readable item of ethers or viem: https://abitype.dev/api/human */
const HUMAN_ITEM =
  /^\s{0,8}(?:(?:event|function|error|struct)\s{1,8}[A-Za-z_$]|(?:constructor|fallback|receive)\s{0,8}\()/;
const STRUCT = /^\s{0,8}struct\s{1,8}([A-Za-z_$][\w$]{0,127})\s{0,8}\{([^{}]{0,4096})\}\s{0,8};?\s{0,8}$/;
/** Structs in structs; a circle ends here. */
const MAX_STRUCT_DEPTH = 8;
const MAX_ITEM_CHARS = 16_384;

/** Whether a list is an ABI, judging by its first entries: those of other languages may have types of their own. */
export function isAbiList(entries: readonly unknown[]): boolean {
  return entries.some((entry) => {
    if (typeof entry === 'string') return HUMAN_ITEM.test(entry);
    if (!isRecord(entry)) return false;
    const { type, inputs, stateMutability, name } = entry;
    // A function may have no type.
    const isFunction =
      Array.isArray(inputs) || (typeof stateMutability === 'string' && typeof name === 'string');
    return ITEM_TYPES.has(type) || (type === undefined && isFunction);
  });
}

/**
 * The items of an ABI in any form that tools write: a list of objects or of human-readable items (with their structs), or
 * such a list as JSON in a text. Empty for anything else.
 *
 * @example parseAnyAbi(['struct Price { uint256 amount; }', 'error TooLow(Price price)'])
 * // ['error TooLow((uint256 amount) price)']
 */
export function parseAnyAbi(abi: unknown): readonly AbiItemText[] {
  return readAnyAbi(abi).facts.abi;
}

/**
 * The items as {@link parseAnyAbi}, with the names of their enums.
 *
 * @returns `unread` counts the events, errors and functions that are malformed.
 * @example readAnyAbi([]) // { facts: { abi: [] }, unread: 0 }
 */
export function readAnyAbi(abi: unknown, options: AbiOptions = {}): AbiFacts {
  const list = typeof abi === 'string' ? parseListText(abi) : abi;
  if (!Array.isArray(list)) return { facts: { abi: [] }, unread: 0 };
  const structs = readStructs(list);
  const entries = list.map((entry) => (typeof entry === 'string' ? toPlainItem(entry, structs) : entry));
  const kind = { isLibrary: options.isLibrary ?? isOfLibrary(entries) };
  const enums = listAbiEnums(entries, kind);
  const { items, skipped } = parseAbi(entries, kind);
  return {
    facts: { abi: items, ...(Object.keys(enums).length > 0 && { enums }) },
    unread: Math.max(0, skipped - entries.filter(isOther).length),
  };
}

interface AbiFacts {
  readonly facts: Pick<ContractFacts, 'abi' | 'enums'>;
  readonly unread: number;
}

/** Why an ABI was not read to its end, as a part of the facts of its file. */
export function formatUnread(unread: number): Pick<FileFacts, 'truncation'> {
  return unread === 0 ? {} : { truncation: `Malformed items of the ABI that are not read: ${unread}.` };
}

/** Whether an entry has no item: a struct of a human-readable list, or a type of another language. */
function isOther(entry: unknown): boolean {
  if (typeof entry === 'string') return !/^\s*(?:event|error|function)\b/.test(entry);
  if (!isRecord(entry) || entry.type === undefined) return false;
  return !['event', 'error', 'function', 'constructor', 'fallback', 'receive'].includes(String(entry.type));
}

/** Explorers return a list as text, which some tools write as text again. */
const MAX_TEXTS = 3;

function parseListText(text: string): unknown {
  let list: unknown = text;
  try {
    for (let times = 0; typeof list === 'string' && times < MAX_TEXTS; times++)
      list = /^\s{0,64}["[]/.test(list) ? JSON.parse(list) : undefined;
    return list;
  } catch {
    return undefined;
  }
}

/** The members of each struct as the types of a tuple. */
function readStructs(list: readonly unknown[]): ReadonlyMap<string, string> {
  const structs = new Map<string, string>();
  for (const entry of list.slice(0, MAX_ABI_ITEMS)) {
    const [, name, members = ''] = (typeof entry === 'string' && STRUCT.exec(entry)) || [];
    if (name === undefined) continue;
    const types = members.split(';').map((member) => member.trim());
    structs.set(name, `(${types.filter((member) => member !== '').join(', ')})`);
  }
  return structs;
}

/** An item without names of structs, and without the keyword `tuple` of ethers. */
function toPlainItem(item: string, structs: ReadonlyMap<string, string>): string {
  if (item.length > MAX_ITEM_CHARS) return item;
  let room = MAX_ITEM_CHARS;
  let text = item.replaceAll(/\btuple\s{0,8}\(/g, '(');
  for (let depth = 0; structs.size > 0 && depth < MAX_STRUCT_DEPTH; depth++) {
    // A type stands before white space, a bracket, a comma or the end of the list; its name is none of the item's own.
    const next = text.replaceAll(
      /([(,]\s{0,8})([A-Za-z_$][\w$]{0,127})(?=[\s[,)])/g,
      (written, before: string, name: string) => {
        const tuple = structs.get(name);
        if (tuple === undefined || tuple.length > room) return written;
        room -= tuple.length;
        return before + tuple;
      },
    );
    if (next === text) break;
    text = next;
  }
  return text;
}
