import type { Localizer } from '../../../host/words/localizer.ts';
import { sourceName } from '../../../host/words/sourceName.ts';
import type { NftAnswers } from '../answers/nftAnswers.ts';
import type { ContractAnswer } from '../answers/reads.ts';
import type { Fact, Offer, WirePart } from '../protocol/nftSnapshot.ts';
import { costWords } from './costWords.ts';
import { addressFact } from './facts.ts';
import type { WordsContext } from './wordsContext.ts';

type PartWords = Pick<WirePart, 'facts' | 'status' | 'offers'>;

/** The name of the contract as a heading: its own, else what the workspace or the user calls it. */
export function contractHeading(
  { contract, contractAddress }: NftAnswers,
  { nameOf, l10n }: Pick<WordsContext, 'l10n' | 'nameOf'>,
): string {
  const known = contract.value?.state === 'known' ? contract.value.contract : undefined;
  const name = known?.name ?? nameOf(contractAddress) ?? l10n.t('NFT contract');
  return known?.symbol === undefined ? name : `${name} (${known.symbol})`;
}

export function contractWords(context: WordsContext): PartWords {
  const { answers, activeNetwork, l10n } = context;
  const answer = answers.contract.value;
  const network = answers.network ?? activeNetwork;
  const facts: (Fact | undefined)[] = [
    addressFact(l10n.t('Contract'), answers.contractAddress, context),
    {
      ...{ name: l10n.t('Network'), canCopy: false },
      value: l10n.t('{0}, chain id {1}', network.name, network.chainId.toString()),
    },
  ];
  if (answer?.state === 'known') facts.push(...contractFacts(answer, context));
  return {
    facts: facts.filter((fact) => fact !== undefined),
    status: contractStatus(context, answer),
    offers: contractOffers(context, answer),
  };
}

function contractFacts(
  answer: Extract<ContractAnswer, { state: 'known' }>,
  { l10n, locale }: WordsContext,
): readonly Fact[] {
  const { contract } = answer;
  const unknown = l10n.t('Unknown');
  const fact = (name: string, value: string | undefined): Fact => ({
    ...{ name, value: value ?? unknown, canCopy: false },
  });
  const standards = contract.standards.map((standard) => standard.replace(/^erc/, 'ERC-'));
  const facts = [
    fact(l10n.t('Name'), contract.name),
    fact(l10n.t('Ticker'), contract.symbol),
    fact(l10n.t('Standards'), standards.length === 0 ? undefined : standards.join(', ')),
    fact(l10n.t('Supply'), contract.supply?.toLocaleString(locale)),
  ];
  return contract.spam === true && answer.from === 'source'
    ? [...facts, fact(l10n.t('Spam'), l10n.t('Yes, according to {0}', sourceName(answer.source, l10n)))]
    : facts;
}

function contractStatus({ answers, l10n }: WordsContext, answer: ContractAnswer | undefined): string {
  const { contract } = answers;
  if (contract.isLoading) return l10n.t('Reading the contract…');
  switch (answer?.state) {
    case 'known':
      return answer.from === 'chain'
        ? l10n.t('Read from the contract at the latest block.')
        : l10n.t('From {0}.', sourceName(answer.source, l10n));
    case 'notAnNft':
      return l10n.t(
        'Not an NFT contract: it supports neither ERC-721 nor ERC-1155 (by ERC-165), or no contract is at this address (another network?).',
      );
    case 'notOffered':
      return l10n.t('Provider does not support eth_call, so that the contract cannot be read.');
    case 'unknownToSource':
      return l10n.t('Not indexed by {0} (another network?).', sourceName(answer.source, l10n));
    default:
      return noticeWords(answers, l10n);
  }
}

function noticeWords({ notice, contract }: NftAnswers, l10n: Localizer): string {
  if (contract.isCancelled) return l10n.t('Cancelled.');
  return notice === 'networkChanged'
    ? l10n.t('Network changed. What was shown of the previous one was removed.')
    : '';
}

function contractOffers(context: WordsContext, answer: ContractAnswer | undefined): readonly Offer[] {
  const { answers, nfts, l10n, locale } = context;
  if (answers.contract.isLoading || answers.contract.error !== undefined) return [];
  if (answer === undefined) {
    const note = l10n.t('Reads the contract at the latest block.');
    return [{ action: 'contract', title: l10n.t('Show contract'), note }];
  }
  if (answer.state === 'known' || answer.state === 'unknownToSource') return [];
  const needsKey = nfts?.state === 'noKey' || (nfts?.state === 'ready' && nfts.withoutKey?.nftContract);
  if (needsKey) return [keyOffer(l10n, l10n.t('The data API may know it, and asks for a key.'))];
  if (nfts?.state !== 'ready' || !nfts.label.takesKey || nfts.offers.nftContract === undefined) return [];
  const note = costWords(nfts.offers.nftContract, l10n, locale);
  return [{ action: 'contractFromDataApi', title: l10n.t('Ask {0}', sourceName(nfts.label, l10n)), note }];
}

export function keyOffer(l10n: Localizer, note: string): Offer {
  return { action: 'setKey', title: l10n.t('Set Data API Key…'), note };
}
