import { baseOf } from '../layout/paths.ts';
import type { SourceReading } from './draft.ts';
import { createDraft } from './draft.ts';
import { LONGEST_DECLARATION, MOST_MEMBERS } from './limits.ts';
import { createLineCounter } from './lineCounter.ts';
import { isName } from './solidityParameters.ts';
import type { SourceParameter, SourcePlace } from './sourceFacts.ts';
import { createUseReader } from './uses.ts';
import { readVyperConstant, readVyperFunctions, readVyperImports } from './vyperStatements.ts';
import { type VyperToken, vyperTokens } from './vyperTokens.ts';
import { readVyperParameter } from './vyperTypes.ts';

/** A declaration with a line for each member. */
interface Block extends SourcePlace {
  readonly kind: 'event' | 'error' | 'struct';
  readonly name: string;
  readonly members: SourceParameter[];
}

/** Reads the declarations of a Vyper source, in one pass, whatever the source is. */
export function readVyper(path: string, source: string): SourceReading {
  const tokens = vyperTokens(source);
  const draft = createDraft('vyper');
  const isInterface = path.endsWith('.vyi');
  const name = baseOf(path).replace(/\.vyi?$/, '');
  const file = draft.addContract({
    ...{ kind: isInterface ? 'interface' : 'contract', name, bases: [], line: 1, offset: 0 },
  });
  const lineOf = createLineCounter(source);
  const uses = createUseReader({ log: 'event', raise: 'error' }, (use) =>
    draft.addUse({ ...use, line: lineOf(use.offset), contract: file }),
  );
  let block: Block | undefined;
  /** The line so far; undefined where it is too long to be a declaration. */
  let words: string[] | undefined = [];
  let length = 0;
  let place: SourcePlace = { line: 1, offset: 0 };
  let indent = 0;
  let isExternal = isInterface;

  function endBlock(): void {
    if (!block) return;
    const { kind, name, members, ...at } = block;
    if (kind === 'struct') draft.addType({ kind, name, members }, undefined);
    else draft.addItem({ kind, name, inputs: members, ...at }, file);
    block = undefined;
  }

  function inBlock({ members }: Block, line: readonly string[]): void {
    if (line[0] === 'pass' || line[0] === '.') return;
    const member = readVyperParameter(line);
    if (member && members.length < MOST_MEMBERS) members.push(member);
    else if (line[0]?.[0] !== '"') block = undefined;
  }

  function declaration(line: readonly string[]): void {
    const [first, second] = line;
    if (first === '@') {
      isExternal ||= second === 'external';
      return;
    }
    if (line[2] === ':' && isName(second)) {
      if (first === 'event' || first === 'error' || first === 'struct') {
        block = { kind: first, name: second, members: [], ...place };
      } else if (first === 'enum' || first === 'flag') {
        draft.addType({ kind: 'enum', name: second }, undefined);
      } else if (first === 'interface') {
        draft.addContract({ kind: 'interface', name: second, bases: [], ...place });
      }
    } else if (first === 'import' || first === 'from') {
      for (const imported of readVyperImports(line)) draft.addImport(imported);
    } else if (first === 'def' && isExternal) {
      for (const item of readVyperFunctions(line, place)) draft.addItem(item, file);
    } else {
      const constant = readVyperConstant(line);
      if (constant) draft.addType(constant, undefined);
    }
    isExternal = isInterface;
  }

  function endLine(): void {
    const line = words ?? [];
    if (indent > 0 && block) inBlock(block, line);
    else if (indent === 0 && line.length > 0) {
      endBlock();
      declaration(line);
    }
  }

  function take(token: VyperToken): void {
    if (token.indent !== undefined) {
      endLine();
      words = [];
      length = 0;
      indent = token.indent;
      place = indent === 0 ? { line: lineOf(token.offset), offset: token.offset } : place;
    }
    if (indent > 0 && !block) {
      uses.take(token);
      return;
    }
    words?.push(token.text);
    length += token.text.length + 1;
    if (length > LONGEST_DECLARATION) words = undefined;
  }

  return {
    next() {
      const { done, value } = tokens.next();
      if (value) take(value);
      return done !== true;
    },
    facts() {
      endLine();
      words = [];
      endBlock();
      return draft.facts();
    },
  };
}
