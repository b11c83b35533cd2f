import type { SliceOptions } from '../base/timeSlices.ts';
import { createLineCounter } from '../project/source/declarations.ts';
import { type Token, tokenizeSolidity } from '../project/source/tokens.ts';
import { listCallables, type PlacedCallable } from './sourceText.ts';

/** A source that was compiled with the contract. */
export interface ReachSource {
  readonly file: string;
  readonly text: string;
}

/** What a call of a contract starts with. */
export interface CallStart {
  readonly contract: string;
  /** A function by name; `other`: one without a selector; `creation`: the constructors. */
  readonly called: { readonly function: string } | 'creation' | 'other';
}

interface Scope {
  readonly kind: 'contract' | 'interface' | 'library';
  readonly bases: readonly string[];
}

interface Function extends PlacedCallable {
  readonly file: string;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly names: ReadonlySet<string>;
}

/**
 * Which lines a call can run, by names alone: the called function, what it names, and so on, of the contract and its
 * bases, of libraries and outside of contracts. It has too many lines rather than too few. Undefined where the sources
 * do not have the called function, as for the getter of a variable.
 *
 * @throws the reason of the signal when it aborts.
 * @example
 * const canRun = await findReach(sources, { contract: 'Vault', called: { function: 'pay' } }, { slices });
 * canRun?.('src/Vault.sol', 12);
 */
export async function findReach(
  sources: readonly ReachSource[],
  { contract, called }: CallStart,
  options: SliceOptions,
): Promise<((file: string, line: number) => boolean) | undefined> {
  const scopes = new Map<string, Scope>();
  const functions: Function[] = [];
  /** Named outside of functions, or without a call: operators, values of function types, values of variables. */
  const loose = new Set<string>();
  let hasFunctionTypes = false;
  for (const source of sources) {
    const read = await readSource(source, options);
    for (const [name, scope] of read.scopes) {
      const bases = [...(scopes.get(name)?.bases ?? []), ...scope.bases];
      scopes.set(name, { kind: scopes.get(name)?.kind === 'library' ? 'library' : scope.kind, bases });
    }
    for (const each of read.functions) functions.push(each);
    for (const name of read.loose) loose.add(name);
    if (read.hasFunctionTypes) hasFunctionTypes = true;
  }
  const own = listBases(contract, scopes);
  const possible = functions.filter(
    ({ contract: owner }) =>
      owner === undefined || !own || own.has(owner) || scopes.get(owner)?.kind === 'library',
  );
  const isStart = ({ kind, name }: Function) => {
    if (called === 'creation') return kind === 'constructor';
    if (called === 'other') return kind === 'fallback' || kind === 'receive' || name === '';
    return kind === 'function' && name === called.function;
  };
  const open = possible.filter(isStart);
  if (open.length === 0 && called !== 'creation') return undefined;
  const byName = new Map<string, Function[]>();
  for (const each of possible) {
    const same = byName.get(each.name) ?? [];
    same.push(each);
    byName.set(each.name, same);
  }
  const reached = new Set<Function>();
  if (called === 'creation' || hasFunctionTypes)
    for (const name of loose) for (const each of byName.get(name) ?? []) open.push(each);
  for (let next = open.pop(); next; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    for (const word of next.names) {
      for (const each of byName.get(word) ?? []) open.push(each);
      // All functions of a name are reached with the first.
      byName.delete(word);
    }
    if (options.slices.isOver()) await options.slices.rest(options);
  }
  const reachedLines = listLines(reached);
  const allLines = called === 'creation' ? listLines(functions) : reachedLines;
  return (file, line) => {
    // Outside of functions are the first values of variables.
    if (called === 'creation' && !allLines.get(file)?.has(line)) return true;
    return reachedLines.get(file)?.has(line) === true;
  };
}

/** The lines of functions, by file. */
function listLines(functions: Iterable<Function>): ReadonlyMap<string, ReadonlySet<number>> {
  const byFile = new Map<string, Set<number>>();
  for (const { file, firstLine, lastLine } of functions) {
    const lines = byFile.get(file) ?? new Set();
    for (let line = firstLine; line <= lastLine; line++) lines.add(line);
    byFile.set(file, lines);
  }
  return byFile;
}

/** The contract and all that it inherits from; undefined if a base is not in the sources, as under another name. */
function listBases(contract: string, scopes: ReadonlyMap<string, Scope>): ReadonlySet<string> | undefined {
  const found = new Set([contract]);
  for (const name of found) {
    const scope = scopes.get(name);
    if (!scope) return undefined;
    for (const base of scope.bases) found.add(base);
  }
  return found;
}

const SCOPES: ReadonlySet<string> = new Set(['contract', 'interface', 'library']);

async function readSource({ file, text }: ReachSource, options: SliceOptions) {
  const scopes: [string, Scope][] = [];
  const functions: Function[] = [];
  const loose = new Set<string>();
  let hasFunctionTypes = false;
  const callables = await listCallables(text, options);
  let index = 0;
  let names = new Set<string>();
  let firstLine = 1;
  let previous: Token | undefined;
  let header: { readonly kind: Scope['kind']; readonly names: string[]; depth: number } | undefined;
  const lineOf = createLineCounter(text);
  for (const token of tokenizeSolidity(text)) {
    if (options.slices.isOver()) await options.slices.rest(options);
    const callable = callables[index];
    const isInside = callable !== undefined && token.offset >= callable.from;
    if (previous?.kind === 'word' && token.text !== '(') loose.add(previous.text);
    if (previous?.text === 'function' && token.text === '(') hasFunctionTypes = true;
    if (!isInside && previous?.kind === 'word') loose.add(previous.text);
    previous = token;
    if (header) {
      header = readHeader(header, token, scopes);
    } else if (!isInside && token.kind === 'word' && SCOPES.has(token.text)) {
      header = { kind: token.text as Scope['kind'], names: [], depth: 0 };
    }
    if (!callable || !isInside) continue;
    if (token.offset === callable.from) {
      firstLine = lineOf(token.offset);
      names = new Set();
    }
    if (token.kind === 'word') names.add(token.text);
    if (token.offset >= callable.to - 1) {
      functions.push({ ...callable, file, names, firstLine, lastLine: lineOf(token.offset) });
      index++;
    }
  }
  return { scopes, functions, loose, hasFunctionTypes };
}

/** `Vault is Base, Lib.Other(5) {`: the last word of each name, outside of arguments. */
function readHeader<T extends { readonly kind: Scope['kind']; readonly names: string[]; depth: number }>(
  header: T,
  { kind, text }: Token,
  scopes: [string, Scope][],
): T | undefined {
  if (text === '(') header.depth++;
  else if (text === ')') header.depth--;
  else if (text === '{' && header.depth === 0) {
    const [name, ...others] = header.names;
    if (name !== undefined) scopes.push([name, { kind: header.kind, bases: others }]);
    return undefined;
  } else if (text === '.' && header.depth === 0) header.names.pop();
  else if (kind === 'word' && header.depth === 0 && text !== 'is') header.names.push(text);
  return header;
}
