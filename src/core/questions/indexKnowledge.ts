import type { AbiEvent, AbiItemText } from '../abi/abiItem.ts';
import { parseAbiItem } from '../abi/read/parseAbiItem.ts';
import type { ContractIndex } from '../contracts/index/contractIndex.ts';
import type { Address } from '../values/address.ts';
import { addressesCalled, type NamedPlace } from './addressesCalled.ts';
import type { QuestionKnowledge } from './resolveQuestion.ts';

/**
 * What the files of a project tell of a chain: addresses by the names of the contracts deployed there and by labels, in
 * this letter case before any other; events of the contract at an address, else of the project's own, else of any.
 *
 * @example resolveQuestion(question, indexKnowledge(index, 31337)).filter;
 */
export function indexKnowledge(
  index: Pick<ContractIndex, 'abiAt' | 'contracts' | 'deployments' | 'deploymentsAt' | 'labels'>,
  chainId: number,
): QuestionKnowledge & { readonly names: readonly NamedPlace[] } {
  const chain = String(chainId);
  const named = [
    ...index.deployments.flatMap(({ chainId: at, address, contract }) =>
      at === chain && contract !== undefined ? [{ name: contract, address }] : [],
    ),
    ...index.labels.filter(({ chainId: at }) => at === undefined || at === chain),
  ];

  function eventsNamed(name: string, addresses: readonly Address[]): readonly AbiEvent[] {
    const own = index.contracts.filter(({ isOwn }) => isOwn);
    const places = [
      addresses.flatMap((address) => index.abiAt({ address, chainId })?.items ?? []).map(({ text }) => text),
      own.flatMap(({ abi }) => abi),
      index.contracts.flatMap(({ abi }) => abi),
    ];
    return places.map((abi) => eventsIn(abi, name)).find((events) => events.length > 0) ?? [];
  }

  const addressesNamed = (name: string) => addressesCalled(name, named);

  return {
    names: named,
    addressesNamed,
    eventsNamed,
    nameOf: (address) =>
      named.find((one) => one.address === address && addressesNamed(one.name).length === 1)?.name,
    deployedAt: (address) => index.deploymentsAt(address, chainId)[0],
  };
}

function eventsIn(abi: readonly AbiItemText[], name: string): readonly AbiEvent[] {
  const start = `event ${name}(`;
  const texts = new Set(abi.filter((text) => text.startsWith(start)));
  return [...texts].flatMap((text) => {
    const item = parseAbiItem(text);
    return item?.kind === 'event' ? [item] : [];
  });
}
