import { asRecord, type PlainRecord } from '../../base/records.ts';
import type { FileFacts, LabelFacts } from '../facts.ts';
import { createBounds } from './bounds.ts';
import { emptyFacts } from './emptyFacts.ts';
import { parseSpan } from './json/parse.ts';
import { pick } from './json/pick.ts';
import { elementsOf, isObjectAt } from './json/scan.ts';
import { readChainId, readContractAddress, readName } from './texts.ts';

/** Of one file: the largest token lists have about 15,000. */
const MOST_TOKENS = 20_000;

/** The tokens in the list that begins at `from`, named by their symbol: https://github.com/Uniswap/token-lists */
export function readTokens(text: string, from: number): FileFacts {
  const bounds = createBounds();
  const labels: LabelFacts[] = [];
  for (const token of bounds.first(MOST_TOKENS, 'tokens', elementsOf(text, from))) {
    if (!isObjectAt(text, token.from)) continue;
    const { chainId, address, symbol, name } = pick(text, token.from, [
      'chainId',
      'address',
      'symbol',
      'name',
    ]);
    const [at, chain] = [readContractAddress(address), readChainId(chainId)];
    const called = readName(symbol) ?? readName(name);
    if (at && chain !== undefined && called !== undefined) {
      labels.push({ address: at, name: called, chainId: chain });
    }
  }
  return { ...emptyFacts, labels, ...bounds.met };
}

/** The first object of the list that begins at `from`, by which one knows what the list is of. */
export function firstOf(text: string, from: number): PlainRecord {
  for (const span of elementsOf(text, from))
    return asRecord(isObjectAt(text, span.from) ? parseSpan(text, span) : undefined);
  return {};
}
