import { toChecksumAddress } from '../../../core/index.ts';
import { suggestedName } from '../../../host/files/suggestedName.ts';
import type { ExportableAnswer } from './exportRows.ts';

/** `0x` and enough digits to tell contracts and events apart. */
const SHORT = 10;

/** What an export is called after: the contract, the event, the blocks, and that it is filtered. */
export function exportName(
  { filter, decoding, verdict, network }: Omit<ExportableAnswer, 'client' | 'rows'>,
  { extension, isFiltered }: { readonly extension: string; readonly isFiltered: boolean },
): string {
  const [address, ...others] = filter.addresses;
  const contract =
    address && others.length === 0
      ? (decoding?.nameOf?.(address) ?? toChecksumAddress(address).slice(0, SHORT))
      : undefined;
  const [topic0, ...moreTopics] = filter.topics[0] ?? [];
  const event = moreTopics.length === 0 ? (decoding?.event?.name ?? topic0?.slice(0, SHORT)) : undefined;
  const about = contract || event ? [contract, event] : ['logs', network.id];
  const blocks = [verdict.fromBlock, verdict.toBlock].map(String);
  return suggestedName([...about, ...blocks, isFiltered ? 'filtered' : undefined], extension);
}
