import { asList, asRecord, type PlainRecord } from '../../base/records.ts';
import type { FileFacts, LabelFacts } from '../facts.ts';
import { createBounds } from './bounds.ts';
import { emptyFacts } from './emptyFacts.ts';
import { parseJson, parseSpan } from './json/parse.ts';
import { pick } from './json/pick.ts';
import { elementsOf, isObjectAt } from './json/scan.ts';
import { readChainId, readContractAddress, readName } from './texts.ts';

/** Of one file: the largest token lists have about 15,000. */
const MOST_LABELS = 20_000;

/** The tokens in the list that begins at `from`, named by their symbol: https://github.com/Uniswap/token-lists */
export function readTokens(text: string, from: number): FileFacts {
  const bounds = createBounds();
  const labels: LabelFacts[] = [];
  for (const token of bounds.first(MOST_LABELS, 'tokens', elementsOf(text, from))) {
    if (!isObjectAt(text, token.from)) continue;
    const { chainId, address, symbol, name } = pick(text, token.from, [
      'chainId',
      'address',
      'symbol',
      'name',
    ]);
    const chain = readChainId(chainId);
    const label = labelOf(address, readName(symbol) ?? readName(name), chain);
    if (label && chain !== undefined) labels.push(label);
  }
  return { ...emptyFacts, labels, ...bounds.met };
}

/** `.chainside/labels.json`: `{ "labels": [{ "address", "name", "chainId"? }] }` */
export function readLabels(text: string): FileFacts {
  const bounds = createBounds();
  const labels: LabelFacts[] = [];
  const entries = asList(asRecord(parseJson(text)).labels);
  for (const each of bounds.first(MOST_LABELS, 'labels', entries)) {
    const { address, name, chainId }: PlainRecord = asRecord(each);
    const chain = readChainId(chainId);
    const label = labelOf(address, readName(name), chain);
    // A label of a chain that cannot be read would be shown on all of them.
    if (label && (chain !== undefined || chainId === undefined)) labels.push(label);
  }
  return { ...emptyFacts, labels, ...bounds.met };
}

function labelOf(at: unknown, name: string | undefined, chainId: string | undefined): LabelFacts | undefined {
  const address = readContractAddress(at);
  return address && name !== undefined ? { address, name, chainId } : undefined;
}

/** The first object of the list that begins at `from`, by which one knows what the list is of. */
export function firstOf(text: string, from: number): PlainRecord {
  for (const span of elementsOf(text, from))
    return asRecord(isObjectAt(text, span.from) ? parseSpan(text, span) : undefined);
  return {};
}
