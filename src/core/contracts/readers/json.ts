import { isAppError } from '../../base/errors.ts';
import type { FileFacts } from '../facts.ts';
import type { ProjectLayout } from '../layout/projectLayout.ts';
import { isAbi } from './abiShape.ts';
import { readAddressMap } from './addressMap.ts';
import { readAbiList, readArtifact } from './artifact.ts';
import { readBroadcast } from './broadcast.ts';
import { emptyFacts } from './emptyFacts.ts';
import type { FactsFile } from './factsFile.ts';
import { parseJson } from './json/parse.ts';
import { isListAt, isObjectAt, membersOf } from './json/scan.ts';
import { readLiteralText } from './module/constants.ts';
import { chainOfPath, speaksOfAddresses } from './pathChain.ts';
import { isInTests } from './pathParts.ts';
import { firstOf, readTokens } from './tokenList.ts';

/** Characters of a map of addresses: some ten thousand of them. */
const LONGEST_MAP = 2 * 1_024 * 1_024;

/**
 * JSON of which only the content shows what it is. What is broken and does not look like any of it is none of the
 * project's facts, and no failure.
 */
export function readJson(file: FactsFile, layout: ProjectLayout): FileFacts {
  try {
    if (isListAt(file.text, 0)) return readList(file);
    return isObjectAt(file.text, 0) ? readObject(file, layout) : emptyFacts;
  } catch (error) {
    if (isAppError(error, 'badInput') && !/"abi"|"stateMutability"/.test(file.text)) return emptyFacts;
    throw error;
  }
}

function readList(file: FactsFile): FileFacts {
  const first = firstOf(file.text, 0);
  if (isAbi([first])) return readAbiList(file);
  if (!('chainId' in first)) return emptyFacts;
  return 'symbol' in first ? readTokens(file.text, 0) : readMap(file, parseJson);
}

function readObject(file: FactsFile, layout: ProjectLayout): FileFacts {
  const { text } = file;
  for (const { name, from } of membersOf(text)) {
    if (name === 'abi' && isListAt(text, from)) return readArtifact(file, layout);
    if (name === 'tokens' && isListAt(text, from)) return readTokens(text, from);
    if (name === 'receipts' && isListAt(text, from)) return readBroadcast(file);
  }
  return readMap(file, parseJson);
}

/** JSON with comments, in which some write addresses down. */
export function readJsonc(file: FactsFile): FileFacts {
  return readMap(file, readLiteralText);
}

function readMap({ path, text }: FactsFile, parse: (text: string) => unknown): FileFacts {
  if (isInTests(path) || !/"0x[0-9a-fA-F]{40}"/.test(text)) return emptyFacts;
  // Other data has addresses, too, and is often larger.
  if (text.length > LONGEST_MAP) {
    return speaksOfAddresses(path)
      ? { ...emptyFacts, leftOut: 'A map of addresses is read up to 2 MiB.' }
      : emptyFacts;
  }
  const chainId = chainOfPath(path);
  const facts = readAddressMap(parse(text), { chainId });
  // A name that holds on every chain is taken from files that are about addresses alone.
  return speaksOfAddresses(path)
    ? facts
    : { ...facts, labels: facts.labels.filter((label) => label.chainId !== undefined) };
}
