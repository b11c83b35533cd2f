import { asRecord } from '../../base/records.ts';
import { parseAddress } from '../../values/address.ts';
import type { FileFacts, LabelFacts } from '../facts.ts';
import { createBounds } from './bounds.ts';
import { emptyFacts } from './emptyFacts.ts';
import { parseJson } from './json/parse.ts';
import { readChainId, readName } from './texts.ts';

/** Where a team writes down what it calls addresses, from the folder of a project on. */
export const teamLabelsPath = '.chainside/labels.json';
/** Names that one file may give. */
const MOST_LABELS = 10_000;

/** The names in a team's own file: `{"labels": [{"address": "0x…", "name": "Treasury", "chainId": 1}]}`. */
export function readTeamLabels(text: string): FileFacts {
  const { labels: entries } = asRecord(parseJson(text));
  if (!Array.isArray(entries)) return emptyFacts;
  const bounds = createBounds();
  const labels: LabelFacts[] = [];
  for (const entry of bounds.first(MOST_LABELS, 'labels', entries)) {
    const { address, name, chainId } = asRecord(entry);
    const [at, called] = [parseAddress(address), readName(name)];
    const chain = typeof chainId === 'number' ? readChainId(chainId) : undefined;
    const isOfNoChain = chainId !== undefined && chain === undefined;
    if (at && called !== undefined && !isOfNoChain)
      labels.push({ address: at, name: called, chainId: chain });
  }
  return { ...emptyFacts, labels, ...bounds.met };
}
