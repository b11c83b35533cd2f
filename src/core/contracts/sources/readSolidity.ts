import type { SourceReading } from './draft.ts';
import { createDraft, type Within } from './draft.ts';
import { LONGEST_DECLARATION, MOST_MEMBERS } from './limits.ts';
import { createLineCounter } from './lineCounter.ts';
import { readParameter } from './solidityParameters.ts';
import { addStatement, readContract, type Statement } from './solidityStatements.ts';
import { solidityTokens, type Token } from './solidityTokens.ts';
import type { SourceParameter } from './sourceFacts.ts';
import { createUseReader } from './uses.ts';

/** Reserved words that stand in no body and no other declaration: whatever was not closed before them ends. */
const fresh: ReadonlyMap<string, 'contract' | 'file'> = new Map([
  ['event', 'contract'],
  ['struct', 'contract'],
  ['enum', 'contract'],
  ['contract', 'file'],
  ['interface', 'file'],
  ['library', 'file'],
]);

/** Reads the declarations of a Solidity source, in one pass, whatever the source is. */
export function readSolidity(source: string): SourceReading {
  const tokens = solidityTokens(source);
  const draft = createDraft('solidity');
  const lineOf = createLineCounter(source);
  const uses = createUseReader({ emit: 'event', revert: 'error' }, (use) =>
    draft.addUse({ ...use, line: lineOf(use.offset), contract: within }),
  );
  /** What the last token was in. */
  let within: Within;
  let inInterface = false;
  let struct: { readonly name: string; readonly members: SourceParameter[] } | undefined;
  let braces = 0;
  /** The declaration so far; undefined where it is too long to be one. */
  let words: string[] | undefined = [];
  let length = 0;
  let offset = 0;
  let isAbstract = false;

  function begin(): void {
    words = [];
    length = 0;
  }

  function leave(): void {
    within = undefined;
    inInterface = false;
  }

  function statement(): Statement {
    return {
      words: words ?? [],
      place: { line: lineOf(offset), offset },
      within,
      inInterface,
    };
  }

  function append({ text, offset: at }: Token): void {
    if (!words) return;
    if (words.length === 0) offset = at;
    words.push(text);
    length += text.length + 1;
    if (length > LONGEST_DECLARATION) words = undefined;
  }

  /** At an opening brace: what it opens. */
  function open(): void {
    const contract = within === undefined ? readContract(statement(), isAbstract) : undefined;
    if (contract) {
      within = draft.addContract(contract);
      inInterface = contract.kind === 'interface';
    } else {
      braces = 1;
      const [kind, name = ''] = words ?? [];
      if (kind === 'struct') struct = { name, members: [] };
      else if (kind === 'enum') draft.addType({ kind, name }, within);
      else if (kind === 'function') addStatement(draft, statement());
    }
    begin();
  }

  function closeStruct(): void {
    if (struct) draft.addType({ kind: 'struct', ...struct }, within);
    struct = undefined;
  }

  function inStruct(token: Token, members: SourceParameter[]): void {
    if (token.text === '}') {
      braces = 0;
      closeStruct();
      begin();
    } else if (token.text === ';') {
      const member = words && readParameter(words);
      if (member && members.length < MOST_MEMBERS) members.push(member);
      else struct = undefined;
      begin();
    } else append(token);
  }

  function inBody(token: Token): void {
    if (token.text === '{') braces++;
    else if (token.text === '}') braces--;
    uses.take(token);
  }

  function outside(token: Token): void {
    const named = words?.[0] === 'import' || words?.[0] === 'using';
    if (token.text === ';') {
      if (words) addStatement(draft, statement());
      begin();
    } else if (named || (token.text !== '{' && token.text !== '}')) append(token);
    else if (token.text === '{') open();
    else {
      leave();
      begin();
    }
  }

  let previous = '';
  function take(token: Token): void {
    const level = token.kind === 'word' ? fresh.get(token.text) : undefined;
    if (level) {
      begin();
      braces = 0;
      struct = undefined;
      if (level === 'file') leave();
      isAbstract = previous === 'abstract';
    }
    previous = token.text;
    if (struct) inStruct(token, struct.members);
    else if (braces > 0) inBody(token);
    else outside(token);
  }

  return {
    next() {
      const { done, value } = tokens.next();
      if (value) take(value);
      return done !== true;
    },
    facts: () => draft.facts(),
  };
}
