import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import {
  isArrayLiteralExpression,
  isBinaryExpression,
  isCallExpression,
  isIdentifier,
  isPropertyAccessExpression,
  isSpreadElement,
  type Node,
} from 'typescript/unstable/ast';
import { fromRoot } from '../../../scripts/support/paths.ts';
import { descendants, parseFiles } from '../../support/parseFiles.ts';

const root = fromRoot();

/** Functions that take any number of arguments. As arguments, some 100,000 values exceed the stack. */
const variadic = new Set(['push', 'unshift', 'max', 'min', 'fromCharCode', 'concat', 'assign']);

/** Lists that are short whatever others send, with the reason. */
const short: Readonly<Record<string, string>> = {
  'src/cli/help.ts: Math.max': 'rows of the help',
  'src/cli/table.ts: Math.max': 'rows of one screen',
  'src/core/base/text.ts: Math.min': 'letters of a name that is compared',
  'src/core/code/compareCode.ts: Math.max': 'implementations of one contract',
  'src/core/code/differentInstructions.ts: String.fromCharCode': 'cut before',
  'src/core/code/differentParts.ts: Math.max': 'contracts of one source',
  'src/core/abi/explainHex.ts: String.fromCharCode': 'one word',
  'src/core/logs/engine/dialectMemory.ts: Math.min': 'parts of a filter',
  'src/core/logs/engine/refusals.ts: Math.min': 'numbers in a message of 2,048 characters',
  'src/core/nfts/fetchAsset.ts: String.fromCharCode': 'cut before',
  'src/core/operations/continuation.ts: String.fromCharCode': 'a cursor',
  'src/core/project/index/joinContracts.ts: Object.assign': 'files of one contract',
  'src/core/queries/writeDocument.ts: Math.max': 'fences of one query',
  'src/core/secrets/keyMatcher.ts: Math.max': 'readings of one character',
  'src/core/secrets/redactHexData.ts: String.fromCharCode': 'a key of 512 characters',
  'src/core/traces/candidates.ts: Math.min': 'places where one call may end',
  'src/features/logs/form/eventSuggestions.ts: Math.min': 'words that were typed',
};

/** A list that is spread into the arguments of such a function, and a list that is copied to add to it. */
function listSpreads(file: string, node: Node, text: string): readonly string[] {
  if (isCallExpression(node)) {
    const called = text.slice(node.expression.pos, node.expression.end).trim();
    const { expression } = node;
    const isVariadic = isPropertyAccessExpression(expression) && variadic.has(expression.name.text);
    // The lists of `[a, b]` and `[a, b].map(…)` are written there.
    const spread = (node.arguments ?? []).some(
      (each) => isSpreadElement(each) && !text.slice(each.expression.pos).trimStart().startsWith('['),
    );
    return isVariadic && spread ? [`${file}: ${called}`] : [];
  }
  // In a loop, the copies of `list = [...list, value]` take the square of its length.
  if (!isBinaryExpression(node) || !isArrayLiteralExpression(node.right) || !isIdentifier(node.left))
    return [];
  const name = node.left.text;
  const copied = node.right.elements.some(
    (each) => isSpreadElement(each) && isIdentifier(each.expression) && each.expression.text === name,
  );
  return copied ? [`${file}: ${name} = [...${name}]`] : [];
}

/** Copies of lists that stay short. */
const copied: Readonly<Record<string, string>> = {
  'src/core/abi/logDecoder.ts: others = [...others]': 'declarations of one event',
  'src/core/logs/engine/openLogQuery.ts: waiting = [...waiting]': 'a page of logs, taken before the next',
};

describe('lists that others may make long', () => {
  it('are neither spread into arguments nor copied to add to them, unless they are short for a reason', () => {
    const files = Object.fromEntries(
      globSync('src/**/*.{ts,tsx}', { cwd: root }).map((file) => [
        file.replaceAll('\\', '/'),
        readFileSync(fromRoot(file), 'utf8'),
      ]),
    );
    const found = parseFiles(files, (file, parsed) =>
      descendants(parsed).flatMap((node) => listSpreads(file, node, parsed.text)),
    ).flat();
    assert.deepEqual([...new Set(found)].sort(), [...Object.keys(short), ...Object.keys(copied)].sort());
  });

  it('are found where they are', () => {
    const text =
      'a.push(...b); Math.max(...c); d = [...d, 1]; f(...g); a.push(...[1]); a.push(...[1].map(f)); d = [...e, 1];';
    const [found] = parseFiles({ 'a.ts': text }, (file, parsed) =>
      descendants(parsed).flatMap((node) => listSpreads(file, node, parsed.text)),
    );
    assert.deepEqual(found, ['a.ts: a.push', 'a.ts: Math.max', 'a.ts: d = [...d]']);
  });
});
