import {
  type Network,
  type NftContract,
  type SourceLabel,
  type SourceOffers,
  toChecksumAddress,
} from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';
import { sourceName } from '../../../host/words/sourceName.ts';
import type { NftAnswers } from '../answers/nftAnswers.ts';
import type { ContractAnswer } from '../answers/reads.ts';
import type { Fact, Offer, WirePart } from '../protocol/nftSnapshot.ts';
import { costWords } from './costWords.ts';

/** What the source of NFTs offers, or why it is not asked. */
export type NftsOffered =
  | { readonly state: 'ready'; readonly label: SourceLabel; readonly offers: SourceOffers<'nfts'> }
  | { readonly state: 'noKey' | 'notServed' };

/** What words are made from, beside an answer. */
export interface WordsContext {
  readonly answers: NftAnswers;
  /** The one that would be asked now. */
  readonly activeNetwork: Network;
  /** Whether it has a source of NFTs that can be asked; undefined while that is looked up. */
  readonly nfts: NftsOffered | undefined;
  readonly ipfsGateway: string | undefined;
  readonly l10n: Localizer;
  readonly locale: string;
}

type PartWords = Pick<WirePart, 'facts' | 'status' | 'offers'>;

/** The name of the contract as a heading. */
export function contractHeading({ contract }: NftAnswers, l10n: Localizer): string {
  const known = contract.value?.state === 'known' ? contract.value.contract : undefined;
  const name = known?.name ?? l10n.t('NFT contract');
  return known?.symbol === undefined ? name : `${name} (${known.symbol})`;
}

export function contractWords(context: WordsContext): PartWords {
  const { answers, activeNetwork, l10n } = context;
  const answer = answers.contract.value;
  const network = answers.network ?? activeNetwork;
  const facts: Fact[] = [
    { name: l10n.t('Contract'), value: toChecksumAddress(answers.contractAddress), canCopy: true },
    {
      ...{ name: l10n.t('Network'), canCopy: false },
      value: l10n.t('{0}, chain id {1}', network.name, network.chainId.toString()),
    },
  ];
  if (answer?.state === 'known') facts.push(...contractFacts(answer.contract, context));
  return { facts, status: contractStatus(context, answer), offers: contractOffers(context, answer) };
}

function contractFacts(contract: NftContract, { l10n, locale }: WordsContext): readonly Fact[] {
  const notGiven = l10n.t('not given');
  const fact = (name: string, value: string | undefined): Fact => ({
    ...{ name, value: value ?? notGiven, canCopy: false },
  });
  const standards = contract.standards.map((standard) => standard.replace(/^erc/, 'ERC-'));
  const facts = [
    fact(l10n.t('Name'), contract.name),
    fact(l10n.t('Ticker'), contract.symbol),
    fact(l10n.t('Standards'), standards.length === 0 ? undefined : standards.join(', ')),
    fact(l10n.t('Supply'), contract.supply?.toLocaleString(locale)),
  ];
  return contract.spam === true ? [...facts, fact(l10n.t('Spam'), l10n.t('the data API says so'))] : facts;
}

function contractStatus({ answers, l10n }: WordsContext, answer: ContractAnswer | undefined): string {
  const { contract, network } = answers;
  if (contract.isLoading) return l10n.t('Asking for the contract…');
  switch (answer?.state) {
    case 'known':
      return answer.from === 'chain'
        ? l10n.t('From the contract itself, at the latest block.')
        : l10n.t('From {0}.', sourceName(answer.source, l10n));
    case 'notAnNft':
      return l10n.t(
        'Nothing here says that it is an NFT contract: it does not claim ERC-721 or ERC-1155 by ERC-165, or there is no contract.',
      );
    case 'notOffered':
      return l10n.t(
        '{0} does not offer eth_call, so that the contract cannot be asked.',
        network?.name ?? '',
      );
    case 'unknownToSource':
      return l10n.t('No token of this contract is known to {0}.', sourceName(answer.source, l10n));
    default:
      return noticeWords(answers, l10n);
  }
}

function noticeWords({ notice, contract }: NftAnswers, l10n: Localizer): string {
  if (contract.isCancelled) return l10n.t('Cancelled.');
  return notice === 'networkChanged'
    ? l10n.t('The network is another one now. What was shown of the old one was removed.')
    : '';
}

function contractOffers(context: WordsContext, answer: ContractAnswer | undefined): readonly Offer[] {
  const { answers, nfts, l10n, locale } = context;
  if (answers.contract.isLoading || answers.contract.error !== undefined) return [];
  if (answer === undefined) {
    const note = l10n.t('Asks the contract itself, without a key.');
    return [{ action: 'contract', title: l10n.t('Show contract'), note }];
  }
  if (answer.state === 'known' || answer.state === 'unknownToSource') return [];
  if (nfts?.state === 'noKey')
    return [keyOffer(l10n, l10n.t('The data API may know it, and asks for a key.'))];
  if (nfts?.state !== 'ready' || nfts.offers.nftContract === undefined) return [];
  const note = costWords(nfts.offers.nftContract, l10n, locale);
  return [{ action: 'contractFromDataApi', title: l10n.t('Ask {0}', sourceName(nfts.label, l10n)), note }];
}

export function keyOffer(l10n: Localizer, note: string): Offer {
  return { action: 'setKey', title: l10n.t('Set Data API Key…'), note };
}
