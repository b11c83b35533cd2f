import type { FileFacts } from '../../facts.ts';
import { type InSlices, KEPT_HEAD, KEPT_VERSION, MOST_KEPT } from './keptForm.ts';
import type { KnownFile, KnownSource } from './knownFile.ts';

/**
 * Facts as text, a line of JSON each: items of ABIs once, files with numbers in their place.
 *
 * @param version of the program that read the files, as another one may read more out of them.
 * @returns undefined where it is more than is kept.
 */
export async function encodeKept(
  files: Iterable<KnownFile>,
  version: string,
  { slices, signal }: InSlices,
): Promise<string | undefined> {
  const numbers = new Map<string, number>();
  const lines: string[] = [];
  let length = 0;
  let fresh: string[] = [];
  const add = (line: unknown) => {
    const text = JSON.stringify(line);
    length += text.length + 1;
    lines.push(text);
  };
  const flush = () => {
    if (fresh.length > 0) add(['t', fresh]);
    fresh = [];
  };
  const numberOf = (text: string) => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    fresh.push(text);
    numbers.set(text, numbers.size);
    return numbers.size - 1;
  };
  add([KEPT_HEAD, KEPT_VERSION, version]);
  for (const { path, signature, hash, context, facts, source, problem } of files) {
    const rows = facts ? factsRow(facts, numberOf) : null;
    // The texts stand before the first line that has their numbers.
    flush();
    add(['f', path, signature, hash, context, rows, source ? sourceRow(source) : null, problem ?? null]);
    if (length > MOST_KEPT) return undefined;
    if (slices.isOver()) await slices.rest({ signal });
  }
  return lines.join('\n');
}

function sourceRow({ json, imports, isLacking }: KnownSource) {
  return [json, imports ?? [], isLacking];
}

function factsRow({ contracts, deployments, labels }: FileFacts, numberOf: (text: string) => number) {
  return [
    contracts.map(({ name, source, line, abi, itemLines }) => [
      ...[name, source ?? null, line ?? null, abi.map(numberOf), itemLines ?? null],
    ]),
    deployments.map(({ chainId, address: at, contract, block, transaction, commit }) => [
      ...[chainId, at, contract ?? null, block?.toString() ?? null, transaction ?? null, commit ?? null],
    ]),
    labels.map(({ address: at, name, chainId }) => [at, name, chainId ?? null]),
  ];
}
