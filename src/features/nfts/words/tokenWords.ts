import type { NftMetadata, NftToken, ProviderLabel } from '../../../core/index.ts';
import type { Localizer } from '../../../host/words/localizer.ts';
import { sourceName } from '../../../host/words/sourceName.ts';
import { fileOf } from '../answers/readToken.ts';
import type { Fact, Offer, WirePart } from '../protocol/nftSnapshot.ts';
import { keyOffer } from './contractWords.ts';
import { costWords } from './costWords.ts';
import { addressFact, assetFact, wordsFact } from './facts.ts';
import { hostOf } from './fileHost.ts';
import { fileNote } from './fileNote.ts';
import type { WordsContext } from './wordsContext.ts';

/** What is known of the token, where it was read, and what else can be asked. */
export function tokenWords(context: WordsContext): Pick<WirePart, 'facts' | 'status' | 'offers'> {
  const token = context.answers.knownToken;
  return {
    facts: token ? tokenFacts(token, context) : [],
    status: tokenStatus(context),
    offers: tokenOffers(context),
  };
}

function tokenFacts(token: NftToken, context: WordsContext): readonly Fact[] {
  const { l10n } = context;
  const { owner, originalOwner, tokenUrl, metadata } = token;
  const isSingle = token.contract.standard === 'erc721';
  const facts: readonly (Fact | undefined)[] = [
    wordsFact(l10n.t('Name'), metadata?.name),
    wordsFact(l10n.t('Description'), metadata?.description),
    ...(metadata?.attributes ?? []).map(({ trait, value }) => wordsFact(trait ?? l10n.t('Attribute'), value)),
    addressFact(l10n.t('Owner'), owner, context) ??
      (isSingle ? wordsFact(l10n.t('Owner'), l10n.t('Unknown')) : undefined),
    addressFact(l10n.t('First owner'), originalOwner, context),
    assetFact(l10n.t('Metadata from'), tokenUrl),
    assetFact(l10n.t('Picture from'), metadata?.image),
    assetFact(l10n.t('Animation from'), metadata?.animation),
    assetFact(l10n.t('Website'), metadata?.externalUrl),
  ];
  return facts.filter((fact) => fact !== undefined);
}

function tokenStatus({ answers, l10n }: WordsContext): string {
  const { contract, token, tokenId } = answers;
  const id = tokenId?.toString() ?? '';
  if (token.isLoading) return l10n.t('Reading token {0}…', id);
  const answer = token.value;
  if (answer === undefined) return token.isCancelled ? l10n.t('Cancelled.') : '';
  if (answer.state === 'notOffered')
    return l10n.t('Provider does not support eth_call, which reads the token from its contract.');
  const { source } = answer;
  // The contract's part says that it is none.
  if (!answer.token && contract.value?.state === 'notAnNft') return '';
  if (!answer.token) return unknownToken(id, source, l10n);
  const read = isIndexed(source)
    ? l10n.t('Token {0}, from {1}.', id, sourceName(source, l10n))
    : l10n.t('Token {0}. Read from the contract at the latest block.', id);
  return [read, ...metadataState(answer.token, source, l10n)].join(' ');
}

/** Whether somebody told of it who has an index, and not the contract itself. */
function isIndexed({ name }: ProviderLabel): boolean {
  return name !== 'calls';
}

function unknownToken(id: string, source: ProviderLabel, l10n: Localizer): string {
  return isIndexed(source)
    ? l10n.t('Token {0} is not indexed by {1} (another network?).', id, sourceName(source, l10n))
    : l10n.t('The contract has no token {0}: never minted, or burned.', id);
}

function metadataState(
  { metadata, whyNoMetadata }: NftToken,
  source: ProviderLabel,
  l10n: Localizer,
): readonly string[] {
  if (metadata) return skippedWords(metadata, l10n);
  switch (whyNoMetadata) {
    case 'noUri':
      return [l10n.t('The contract gives no metadata URI for it.')];
    case 'uriRefused':
      return [l10n.t('Its metadata URI is of a kind that is not loaded.')];
    case 'notMetadata':
      return [l10n.t('Its metadata is not valid JSON.')];
    default:
      return isIndexed(source) ? [l10n.t('Its metadata is not indexed.')] : [];
  }
}

function skippedWords({ attributesSkipped }: NftMetadata, l10n: Localizer): readonly string[] {
  if (attributesSkipped === 0) return [];
  return [
    attributesSkipped === 1
      ? l10n.t('1 attribute is left out.')
      : l10n.t('{0} attributes are left out.', attributesSkipped),
  ];
}

function tokenOffers(context: WordsContext): readonly Offer[] {
  const { answers, nfts, l10n } = context;
  const { token, contract } = answers;
  if (token.isLoading || contract.value?.state === 'notAnNft') return [];
  const toSetKey = keyOffer(l10n, l10n.t('The data API may have the metadata, and asks for a key.'));
  if (nfts?.state === 'noKey') return [toSetKey];
  if (nfts?.state !== 'ready') return [];
  if (token.value?.state === 'notOffered') return nfts.withoutKey?.nftToken === undefined ? [] : [toSetKey];
  return [...fileOffers(context), ...readOffers(nfts, context)];
}

/** The file with the metadata, from a host that has not been allowed yet. */
function fileOffers(context: WordsContext): readonly Offer[] {
  const { answers, ipfsGateway, l10n } = context;
  const token = answers.knownToken;
  const file = token && fileOf(token);
  if (!file || file.kind === 'data' || answers.token.error !== undefined) return [];
  const host = hostOf(file, ipfsGateway);
  const title =
    host === undefined ? l10n.t('Load metadata from IPFS…') : l10n.t('Load metadata from {0}', host);
  const note = host === undefined ? fileNote(file, context) : l10n.t('It then sees your IP address.');
  return [{ action: 'metadata', title, note }];
}

function readOffers(
  { label, offers }: Extract<WordsContext['nfts'], { readonly state: 'ready' }>,
  { answers, l10n, locale }: WordsContext,
): readonly Offer[] {
  if (offers.nftToken === undefined) return [];
  if (!label.takesKey) {
    const isRead = answers.token.value !== undefined;
    const title = isRead ? l10n.t('Read again') : l10n.t('Show metadata');
    const unread = isIndexed(label)
      ? l10n.t('From {0}.', sourceName(label, l10n))
      : l10n.t('Reads the contract at the latest block.');
    const note = isRead ? '' : unread;
    return [{ action: 'token', title, note }];
  }
  const note = l10n.t('From {0}. {1}', sourceName(label, l10n), costWords(offers.nftToken, l10n, locale));
  return [
    { action: 'token', title: l10n.t('Show metadata'), note },
    { action: 'tokenFromContract', title: l10n.t('Read from the contract'), note: l10n.t('Without a key.') },
  ];
}
