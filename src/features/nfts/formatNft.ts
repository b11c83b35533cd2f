import {
  type Address,
  type AssetUrl,
  formatShortAddress,
  type Network,
  type NftMetadata,
  type NftToken,
  type PortOffers,
  type ProviderLabel,
  pushAll,
  safeUrl,
  toChecksumAddress,
} from '../../core/index.ts';
import { formatCost, formatProviderName } from '../../host/formatting.ts';
import type { Localizer } from '../../host/l10n.ts';
import { getFileHost } from './fileHosts.ts';
import { type ContractResult, findMetadataFile, type NftReader } from './nftReader.ts';
import type { NftFact, NftOffer, WirePart } from './protocol.ts';

type ContractPart = Pick<WirePart, 'facts' | 'status' | 'offers'>;

/** The heading: the name of the contract, else its name in the workspace or its label. */
export function formatContractHeading(
  { contract, contractAddress }: NftReader,
  { nameOf, l10n }: Pick<NftFormatContext, 'l10n' | 'nameOf'>,
): string {
  const known = contract.value?.state === 'known' ? contract.value.contract : undefined;
  const name = known?.name ?? nameOf(contractAddress) ?? l10n.t('NFT contract');
  return known?.symbol === undefined ? name : `${name} (${known.symbol})`;
}

export function createContractPart(context: NftFormatContext): ContractPart {
  const { reader, activeNetwork, l10n } = context;
  const answer = reader.contract.value;
  const network = reader.network ?? activeNetwork;
  const facts: (NftFact | undefined)[] = [
    createAddressFact(l10n.t('Contract'), reader.contractAddress, context),
    {
      name: l10n.t('Network'),
      canCopy: false,
      value: l10n.t('{0}, chain ID {1}', network.name, network.chainId.toString()),
    },
  ];
  if (answer?.state === 'known') pushAll(facts, contractFacts(answer, context));
  return {
    facts: facts.filter((fact) => fact !== undefined),
    status: contractStatus(context, answer),
    offers: contractOffers(context, answer),
  };
}

function contractFacts(
  answer: Extract<ContractResult, { state: 'known' }>,
  { l10n, locale }: NftFormatContext,
): readonly NftFact[] {
  const { contract } = answer;
  const unknown = l10n.t('Unknown');
  const fact = (name: string, value: string | undefined): NftFact => ({
    name,
    value: value ?? unknown,
    canCopy: false,
  });
  const standards = contract.standards.map((standard) => standard.replace(/^erc/, 'ERC-'));
  const facts = [
    fact(l10n.t('Name'), contract.name),
    fact(l10n.t('Ticker'), contract.symbol),
    fact(l10n.t('Standards'), standards.length === 0 ? undefined : standards.join(', ')),
    fact(l10n.t('Supply'), contract.supply?.toLocaleString(locale)),
  ];
  return contract.spam === true && answer.from === 'source'
    ? [
        ...facts,
        fact(l10n.t('Spam'), l10n.t('Yes, according to {0}', formatProviderName(answer.source, l10n))),
      ]
    : facts;
}

function contractStatus({ reader, l10n }: NftFormatContext, answer: ContractResult | undefined): string {
  const { contract } = reader;
  if (contract.isLoading) return l10n.t('Reading the contract…');
  switch (answer?.state) {
    case 'known':
      return answer.from === 'chain'
        ? l10n.t('Read from the contract at the latest block.')
        : l10n.t('From {0}.', formatProviderName(answer.source, l10n));
    case 'notAnNft':
      return l10n.t(
        'Not an NFT contract on this network. ERC-165 reports neither ERC-721 nor ERC-1155, or there is no contract at this address.',
      );
    case 'notOffered':
      return l10n.t('Cannot read the contract: the endpoint does not support eth_call.');
    case 'unknownToSource':
      return l10n.t('Not indexed by {0}. Check the network.', formatProviderName(answer.source, l10n));
    default:
      return formatNotice(reader, l10n);
  }
}

function formatNotice({ notice, contract }: NftReader, l10n: Localizer): string {
  if (contract.isCancelled) return l10n.t('Cancelled.');
  return notice === 'networkChanged'
    ? l10n.t('The network changed. Chainside removed the data of the previous network.')
    : '';
}

function contractOffers(context: NftFormatContext, answer: ContractResult | undefined): readonly NftOffer[] {
  const { reader, nfts, l10n, locale } = context;
  if (reader.contract.isLoading || reader.contract.error !== undefined) return [];
  if (answer === undefined) {
    const note = l10n.t('Reads the contract at the latest block.');
    return [{ action: 'contract', title: l10n.t('Show Contract'), note }];
  }
  if (answer.state === 'known' || answer.state === 'unknownToSource') return [];
  const needsKey = nfts?.state === 'noKey' || (nfts?.state === 'ready' && nfts.withoutKey?.nftContract);
  if (needsKey)
    return [createKeyOffer(l10n, l10n.t('The data API may list this contract. It requires a key.'))];
  if (nfts?.state !== 'ready' || !nfts.label.takesKey || nfts.offers.nftContract === undefined) return [];
  const note = formatCost(nfts.offers.nftContract, l10n, locale);
  return [
    {
      action: 'contractFromDataApi',
      title: l10n.t('Load from {0}', formatProviderName(nfts.label, l10n)),
      note,
    },
  ];
}

function createKeyOffer(l10n: Localizer, note: string): NftOffer {
  return { action: 'setKey', title: l10n.t('Set Data API Key…'), note };
}

/** A fact as plain text. */
function createFact(name: string, value: string | undefined): NftFact | undefined {
  return value === undefined ? undefined : { name, value, canCopy: false };
}

/** An address by its name, if it has one; in full in the tooltip and on the clipboard. */
function createAddressFact(
  name: string,
  address: Address | undefined,
  { nameOf }: Pick<NftFormatContext, 'nameOf'>,
): NftFact | undefined {
  if (address === undefined) return undefined;
  const full = toChecksumAddress(address);
  const called = nameOf(address);
  return called === undefined
    ? { name, value: full, canCopy: true }
    : { name, value: `${called} · ${formatShortAddress(full)}`, full, canCopy: true };
}

/** The URL of a file. */
function createAssetFact(name: string, asset: AssetUrl | undefined): NftFact | undefined {
  const value = formatAsset(asset);
  return value === undefined ? undefined : { name, value, canCopy: true };
}

function formatAsset(asset: AssetUrl | undefined): string | undefined {
  switch (asset?.kind) {
    case 'https':
    case 'local':
      return asset.url;
    case 'ipfs':
      return `ipfs://${asset.path}`;
    case 'data':
      return `data:${asset.mediaType}`;
    default:
      return undefined;
  }
}

/** Which host receives the request for a file of a token; empty if there is no request. */
function formatFileNote(file: AssetUrl, { ipfsGateway, l10n }: NftFormatContext): string {
  switch (file.kind) {
    case 'https':
    case 'local':
      return l10n.t('Sends a request to {0}, which sees your IP address.', safeUrl(file.url));
    case 'ipfs':
      return ipfsGateway === undefined
        ? l10n.t('The file is on IPFS. You choose a gateway first.')
        : l10n.t('Sends a request to {0}, which sees your IP address.', safeUrl(ipfsGateway));
    case 'data':
      return '';
  }
}

type PicturePart = Pick<WirePart, 'facts' | 'status' | 'offers'> & { readonly alt: string };

/** The status of the picture, and the button to load it. */
export function createPicturePart(context: NftFormatContext): PicturePart {
  const { reader, l10n } = context;
  const { picture, tokenId } = reader;
  const metadata = reader.knownToken?.metadata;
  const common = {
    facts: [],
    offers: [],
    alt: l10n.t('Picture of token {0}', tokenId?.toString() ?? ''),
  };
  if (picture.isLoading) return { ...common, status: l10n.t('Loading the picture…') };
  if (!metadata || picture.value) return { ...common, status: '' };
  if (!metadata.image)
    return { ...common, status: l10n.t('The metadata has no picture that Chainside can load.') };
  const status = picture.isCancelled ? l10n.t('Cancelled.') : '';
  if (picture.error !== undefined) return { ...common, status };
  const note = formatFileNote(metadata.image, context);
  return { ...common, status, offers: [{ action: 'picture', title: l10n.t('Show Picture'), note }] };
}

/** The facts about the token, where they were read, and what can be loaded. */
export function createTokenPart(context: NftFormatContext): Pick<WirePart, 'facts' | 'status' | 'offers'> {
  const token = context.reader.knownToken;
  return {
    facts: token ? tokenFacts(token, context) : [],
    status: tokenStatus(context),
    offers: tokenOffers(context),
  };
}

function tokenFacts(token: NftToken, context: NftFormatContext): readonly NftFact[] {
  const { l10n } = context;
  const { owner, originalOwner, tokenUrl, metadata } = token;
  const isSingle = token.contract.standard === 'erc721';
  const facts: readonly (NftFact | undefined)[] = [
    createFact(l10n.t('Name'), metadata?.name),
    createFact(l10n.t('Description'), metadata?.description),
    ...(metadata?.attributes ?? []).map(({ trait, value }) =>
      createFact(trait ?? l10n.t('Attribute'), value),
    ),
    createAddressFact(l10n.t('Owner'), owner, context) ??
      (isSingle ? createFact(l10n.t('Owner'), l10n.t('Unknown')) : undefined),
    createAddressFact(l10n.t('First owner'), originalOwner, context),
    createAssetFact(l10n.t('Metadata URL'), tokenUrl),
    createAssetFact(l10n.t('Picture URL'), metadata?.image),
    createAssetFact(l10n.t('Animation URL'), metadata?.animation),
    createAssetFact(l10n.t('Website'), metadata?.externalUrl),
  ];
  return facts.filter((fact) => fact !== undefined);
}

function tokenStatus({ reader, l10n }: NftFormatContext): string {
  const { contract, token, tokenId } = reader;
  const id = tokenId?.toString() ?? '';
  if (token.isLoading) return l10n.t('Reading token {0}…', id);
  const answer = token.value;
  if (answer === undefined) return token.isCancelled ? l10n.t('Cancelled.') : '';
  if (answer.state === 'notOffered')
    return l10n.t('Cannot read the token: the endpoint does not support eth_call.');
  const { source } = answer;
  // The contract part already reports that.
  if (!answer.token && contract.value?.state === 'notAnNft') return '';
  if (!answer.token) return formatUnknownToken(id, source, l10n);
  const read = isIndexed(source)
    ? l10n.t('Token {0}, from {1}.', id, formatProviderName(source, l10n))
    : l10n.t('Token {0}. Read from the contract at the latest block.', id);
  return [read, ...metadataState(answer.token, source, l10n)].join(' ');
}

/** Whether it comes from a provider with an index, not from the contract itself. */
function isIndexed({ name }: ProviderLabel): boolean {
  return name !== 'calls';
}

function formatUnknownToken(id: string, source: ProviderLabel, l10n: Localizer): string {
  return isIndexed(source)
    ? l10n.t('Token {0} is not indexed by {1}. Check the network.', id, formatProviderName(source, l10n))
    : l10n.t('The contract has no token {0}. It was never minted, or was burned.', id);
}

function metadataState(
  { metadata, noMetadataReason, isPlainHttp }: NftToken,
  source: ProviderLabel,
  l10n: Localizer,
): readonly string[] {
  if (metadata) return formatSkippedToken(metadata, l10n);
  switch (noMetadataReason) {
    case 'noUri':
      return [l10n.t('The contract returns no metadata URI for it.')];
    case 'uriRefused':
      return isPlainHttp
        ? [l10n.t('Chainside does not load metadata from its URI, because it is http and not https.')]
        : [l10n.t('Chainside does not load metadata from this kind of URI.')];
    case 'notMetadata':
      return [l10n.t('Its metadata is not valid JSON.')];
    default:
      return isIndexed(source) ? [l10n.t('Its metadata is not indexed.')] : [];
  }
}

function formatSkippedToken({ attributesSkipped }: NftMetadata, l10n: Localizer): readonly string[] {
  if (attributesSkipped === 0) return [];
  return [
    attributesSkipped === 1
      ? l10n.t('1 attribute is not shown.')
      : l10n.t('{0} attributes are not shown.', attributesSkipped),
  ];
}

function tokenOffers(context: NftFormatContext): readonly NftOffer[] {
  const { reader, nfts, l10n } = context;
  const { token, contract } = reader;
  if (token.isLoading || contract.value?.state === 'notAnNft') return [];
  const toSetKey = createKeyOffer(l10n, l10n.t('The data API may have the metadata. It requires a key.'));
  if (nfts?.state === 'noKey') return [toSetKey];
  if (nfts?.state !== 'ready') return [];
  if (token.value?.state === 'notOffered') return nfts.withoutKey?.nftToken === undefined ? [] : [toSetKey];
  return [...fileOffers(context), ...readOffers(nfts, context)];
}

/** The file with the metadata, from a host that has not been allowed yet. */
function fileOffers(context: NftFormatContext): readonly NftOffer[] {
  const { reader, ipfsGateway, l10n } = context;
  const token = reader.knownToken;
  const file = token && findMetadataFile(token);
  if (!file || file.kind === 'data' || reader.token.error !== undefined) return [];
  const host = getFileHost(file, ipfsGateway);
  const title =
    host === undefined ? l10n.t('Load Metadata from IPFS…') : l10n.t('Load Metadata from {0}', host);
  const note = host === undefined ? formatFileNote(file, context) : l10n.t('This host sees your IP address.');
  return [{ action: 'metadata', title, note }];
}

function readOffers(
  { label, offers }: Extract<NftFormatContext['nfts'], { readonly state: 'ready' }>,
  { reader, l10n, locale }: NftFormatContext,
): readonly NftOffer[] {
  if (offers.nftToken === undefined) return [];
  if (!label.takesKey) {
    const isRead = reader.token.value !== undefined;
    const title = isRead ? l10n.t('Reload') : l10n.t('Show Metadata');
    const unread = isIndexed(label)
      ? l10n.t('From {0}.', formatProviderName(label, l10n))
      : l10n.t('Reads the contract at the latest block.');
    const note = isRead ? '' : unread;
    return [{ action: 'token', title, note }];
  }
  const note = l10n.t(
    'From {0}. {1}',
    formatProviderName(label, l10n),
    formatCost(offers.nftToken, l10n, locale),
  );
  return [
    { action: 'token', title: l10n.t('Show Metadata'), note },
    { action: 'tokenFromContract', title: l10n.t('Read from Contract'), note: l10n.t('No key required.') },
  ];
}

/** What the NFT provider offers, or why it is not used. */
export type NftOfferState =
  | {
      readonly state: 'ready';
      readonly label: ProviderLabel;
      readonly offers: PortOffers<'nfts'>;
      /** What a preferred provider would offer, for which no key is stored. */
      readonly withoutKey?: PortOffers<'nfts'> | undefined;
    }
  | { readonly state: 'noKey' | 'notServed' | 'notWanted' };

/** The context of formatting a result. */
export interface NftFormatContext {
  readonly reader: NftReader;
  /** The network of the next request. */
  readonly activeNetwork: Network;
  /** Whether it has a usable NFT provider; undefined while that is looked up. */
  readonly nfts: NftOfferState | undefined;
  readonly ipfsGateway: string | undefined;
  /** The name of an address on the network of the requests. */
  readonly nameOf: (address: Address) => string | undefined;
  readonly l10n: Localizer;
  readonly locale: string;
}
