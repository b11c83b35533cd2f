import type { HexMeaning } from '../../abi/hex/hexMeaning.ts';
import { nestedPathText } from '../../abi/hex/nestedPathText.ts';
import { plainText } from '../../values/plainText.ts';
import type { Json, JsonObject } from './answer.ts';
import { chainArguments } from './chainValues.ts';

/** Calls within a call that are given, and how deep. */
const MOST_NESTED = 10;
const MOST_DEPTH = 3;

/** What hex may mean, with the texts in it marked as data. */
export function meaningForAgent(meaning: HexMeaning, depth = 0): JsonObject {
  const { kind } = meaning;
  const inputs = 'item' in meaning ? meaning.item.inputs : meaning.inputs;
  return {
    kind,
    ...('item' in meaning && {
      signature: plainText(meaning.item.signature, 400),
      abi: plainText(`${meaning.origin.trust}: ${meaning.origin.from}`, 160),
    }),
    ...('values' in meaning && { args: chainArguments(inputs, meaning.values) }),
    ...('note' in meaning && meaning.note !== undefined && { note: meaning.note }),
    ...('reason' in meaning && { reason: plainText(meaning.reason, 200) }),
    ...('nested' in meaning && meaning.nested.length > 0 && { nested: nestedIn(meaning, depth) }),
  };
}

function nestedIn(meaning: Extract<HexMeaning, { readonly nested: unknown }>, depth: number): Json {
  if (depth >= MOST_DEPTH) return { of: meaning.nested.length, truncated: true };
  const inputs = 'item' in meaning ? meaning.item.inputs : meaning.inputs;
  return meaning.nested.slice(0, MOST_NESTED).map(({ path, meanings: [first] }) => ({
    in: plainText(nestedPathText(inputs, path)),
    meaning: first ? meaningForAgent(first, depth + 1) : null,
  }));
}
