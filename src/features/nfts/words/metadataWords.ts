import {
  type AssetUrl,
  type NftMetadata,
  type NftToken,
  safeUrl,
  toChecksumAddress,
} from '../../../core/index.ts';
import { sourceName } from '../../../host/words/sourceName.ts';
import type { Fact, Offer, WirePart } from '../protocol/nftSnapshot.ts';
import { keyOffer, type WordsContext } from './contractWords.ts';
import { costWords } from './costWords.ts';

type PartWords = Pick<WirePart, 'facts' | 'status' | 'offers'>;

export function metadataWords(context: WordsContext): PartWords {
  const token = context.answers.token.value?.token;
  return {
    facts: token ? tokenFacts(token, context) : [],
    status: tokenStatus(context),
    offers: tokenOffers(context),
  };
}

function tokenFacts(token: NftToken, { l10n }: WordsContext): readonly Fact[] {
  const { owner, originalOwner, tokenUrl, metadata } = token;
  const facts: (Fact | undefined)[] = [
    text(l10n.t('Name'), metadata?.name),
    text(l10n.t('Description'), metadata?.description),
    ...(metadata?.attributes ?? []).map(({ trait, value }) => text(trait ?? l10n.t('Attribute'), value)),
    outside(l10n.t('Owner'), owner && toChecksumAddress(owner)),
    outside(l10n.t('First owner'), originalOwner && toChecksumAddress(originalOwner)),
    outside(l10n.t('Metadata from'), shownAsset(tokenUrl)),
    outside(l10n.t('Picture from'), shownAsset(metadata?.image)),
    outside(l10n.t('Animation from'), shownAsset(metadata?.animation)),
    outside(l10n.t('Website'), shownAsset(metadata?.externalUrl)),
  ];
  return facts.filter((fact) => fact !== undefined);
}

function text(name: string, value: string | undefined): Fact | undefined {
  return value === undefined ? undefined : { name, value, canCopy: false };
}

function outside(name: string, value: string | undefined): Fact | undefined {
  return value === undefined ? undefined : { name, value, canCopy: true };
}

function shownAsset(asset: AssetUrl | undefined): string | undefined {
  switch (asset?.kind) {
    case 'https':
      return asset.url;
    case 'ipfs':
      return `ipfs://${asset.path}`;
    case 'data':
      return `data:${asset.mediaType}`;
    default:
      return undefined;
  }
}

function tokenStatus({ answers, nfts, l10n }: WordsContext): string {
  const { token, tokenId } = answers;
  const id = tokenId?.toString() ?? '';
  if (token.isLoading) return l10n.t('Asking for the metadata of token {0}…', id);
  const known = token.value;
  if (known === undefined) {
    if (token.isCancelled) return l10n.t('Cancelled.');
    return nfts?.state === 'notServed'
      ? l10n.t('Metadata comes from a data API, which this network does not have.')
      : '';
  }
  const source = sourceName(known.source, l10n);
  if (!known.token) return l10n.t('No token {0} of this contract is known to {1}.', id, source);
  const { metadata } = known.token;
  if (!metadata) return l10n.t('Token {0}: its metadata has not been read by {1}.', id, source);
  return [l10n.t('Token {0}, from {1}.', id, source), ...skippedWords(metadata, l10n)].join(' ');
}

function skippedWords({ attributesSkipped }: NftMetadata, l10n: WordsContext['l10n']): readonly string[] {
  if (attributesSkipped === 0) return [];
  return [
    attributesSkipped === 1
      ? l10n.t('1 attribute is left out.')
      : l10n.t('{0} attributes are left out.', attributesSkipped),
  ];
}

function tokenOffers({ answers, nfts, l10n, locale }: WordsContext): readonly Offer[] {
  if (answers.token.isLoading) return [];
  if (nfts?.state === 'noKey')
    return [keyOffer(l10n, l10n.t('Metadata comes from the data API, which asks for a key.'))];
  if (nfts?.state !== 'ready' || nfts.offers.nftToken === undefined) return [];
  const note = l10n.t(
    'From {0}. {1}',
    sourceName(nfts.label, l10n),
    costWords(nfts.offers.nftToken, l10n, locale),
  );
  return [{ action: 'token', title: l10n.t('Show metadata'), note }];
}

export function pictureWords(context: WordsContext): PartWords & { readonly alt: string } {
  const { answers, l10n } = context;
  const { picture, token, tokenId } = answers;
  const metadata = token.value?.token?.metadata;
  const alt = l10n.t('Picture of token {0}', tokenId?.toString() ?? '');
  const words = { facts: [], alt };
  if (picture.isLoading) return { ...words, status: l10n.t('Loading the picture…'), offers: [] };
  if (!metadata || picture.value) return { ...words, status: '', offers: [] };
  if (!metadata.image) {
    const status = l10n.t(
      'Its metadata names no picture that may be loaded: by https, from IPFS, or in itself.',
    );
    return { ...words, status, offers: [] };
  }
  const status = picture.isCancelled ? l10n.t('Cancelled.') : '';
  if (picture.error !== undefined) return { ...words, status, offers: [] };
  const note = pictureNote(metadata.image, context);
  return { ...words, status, offers: [{ action: 'picture', title: l10n.t('Show picture'), note }] };
}

function pictureNote(image: AssetUrl, { ipfsGateway, l10n }: WordsContext): string {
  switch (image.kind) {
    case 'https':
      return l10n.t('Asks {0}, which then sees where you are on the internet.', safeUrl(image.url));
    case 'ipfs':
      return ipfsGateway === undefined
        ? l10n.t('It is on IPFS: you choose a gateway first.')
        : l10n.t('Asks {0}, which then sees where you are on the internet.', safeUrl(ipfsGateway));
    case 'data':
      return l10n.t('It came with the metadata: nobody is asked.');
  }
}
