import * as vscode from 'vscode';
import {
  type Address,
  type Clock,
  formatShortAddress,
  formatShortUnits,
  type Identity,
  type IdentityReason,
  type Implementation,
  type ProxyIdentity,
  type ProxyType,
  type TokenIdentity,
  toChecksumAddress,
} from '../../core/index.ts';
import { formatAge } from '../../host/formatTime.ts';
import { formatNumber } from '../../host/numbers.ts';

/** A fact about an address, formatted. */
export interface IdentityFact {
  /** Unique among the facts of the address. */
  readonly id: string;
  readonly icon: string;
  readonly label: string;
  readonly detail: string;
  /** Another address that the fact refers to, to be looked up. */
  readonly subject?: Address | undefined;
  readonly isWarning?: boolean | undefined;
}

/** Facts about a contract or a delegated account; none for a plain account, or if the kind is unknown. */
export function listIdentityFacts(
  { kind, name, token, proxy, created }: Identity,
  nameOf: (address: Address) => string | undefined = () => undefined,
): readonly IdentityFact[] {
  if (kind !== 'contract' && kind !== 'delegated') return [];
  const { l10n } = vscode;
  const main: IdentityFact =
    kind === 'delegated'
      ? { id: 'kind', icon: 'account', label: l10n.t('Delegated account'), detail: 'EIP-7702' }
      : token
        ? createTokenFact(token)
        : { id: 'kind', icon: 'symbol-class', label: l10n.t('Contract'), detail: name ?? '' };
  // The row of the address already says this.
  const isBare = main.detail === '' && (proxy !== undefined || created !== undefined);
  return [
    ...(isBare ? [] : [main]),
    ...(token?.asset ? [createAssetFact(token.asset)] : []),
    ...(proxy ? createProxyFacts(proxy, nameOf) : []),
    ...(created ? [createCreationFact(created, nameOf)] : []),
  ];
}

/**
 * For the row of an address: `HUSD · ERC-20`, `proxy contract`, `contract`. Undefined for a plain account, or if the
 * kind is unknown.
 */
export function formatShortIdentity({ kind, token, proxy }: Identity): string | undefined {
  const { l10n } = vscode;
  if (kind === 'delegated') return l10n.t('delegated account');
  if (kind !== 'contract') return undefined;
  if (token) return [token.symbol ?? token.name, token.standard].filter(Boolean).join(' · ');
  return proxy ? l10n.t('proxy contract') : l10n.t('contract');
}

/** Where an identity is from, and its age: `From explorer.example, 4 s ago`. */
export function formatIdentityOrigin({ sources }: Identity, { now }: Pick<Clock, 'now'>): string | undefined {
  const used = sources.filter(({ tells }) => tells.length > 0);
  const [first] = used;
  if (!first) return undefined;
  const hosts = new Set(used.map(({ source }) => source.origin.replace(/^https?:\/\//, '')));
  const age = formatAge(Math.max(0, now() - first.readAt), vscode.l10n);
  return vscode.l10n.t('From {0}, {1}', [...hosts].join(', '), age);
}

/** Why the kind is unknown; undefined if it is known. */
export function formatUnknownIdentity({ kind, sources }: Identity): string | undefined {
  if (kind !== 'unknown') return undefined;
  const reasons = sources.map(({ reason }) => reason);
  const first = reasons.find((reason) => reason !== undefined && reason !== 'notOffered') ?? 'notOffered';
  return formatIdentityReason(first);
}

function formatDecimals(decimals: number | undefined): string | undefined {
  if (decimals === undefined) return undefined;
  return decimals === 1 ? vscode.l10n.t('1 decimal') : vscode.l10n.t('{0} decimals', decimals);
}

function createTokenFact({ standard, name, symbol, decimals, supply }: TokenIdentity): IdentityFact {
  const { l10n } = vscode;
  const parts = [
    name,
    symbol === name ? undefined : symbol,
    formatDecimals(decimals),
    supply === undefined ? undefined : l10n.t('supply {0}', formatShortUnits(supply, decimals ?? 0)),
  ];
  return {
    id: 'token',
    icon: 'circle-large',
    label: l10n.t('{0} token contract', standard),
    detail: parts.filter((part) => part !== undefined).join(' · '),
  };
}

function createAssetFact({ address, symbol }: NonNullable<TokenIdentity['asset']>): IdentityFact {
  const short = formatShortAddress(toChecksumAddress(address));
  return {
    id: 'asset',
    icon: 'database',
    label: vscode.l10n.t('Underlying asset'),
    detail: symbol === undefined ? short : `${symbol} · ${short}`,
    subject: address,
  };
}

/** A diamond may have more. */
const MAX_LISTED_IMPLEMENTATIONS = 10;

function createProxyFacts(
  proxy: ProxyIdentity,
  nameOf: (address: Address) => string | undefined,
  idPrefix = '',
): readonly IdentityFact[] {
  const { l10n } = vscode;
  const { type, implementations, conflict, admin, beacon } = proxy;
  const kind = type ? formatProxyKind(type) : l10n.t('proxy');
  const isDelegate = type === 'eip7702';
  const label = isDelegate
    ? l10n.t('Delegates to')
    : type === 'eip2535'
      ? l10n.t('Facet')
      : l10n.t('Implementation');
  const left = proxy.left + Math.max(0, implementations.length - MAX_LISTED_IMPLEMENTATIONS);
  return [
    ...implementations.slice(0, MAX_LISTED_IMPLEMENTATIONS).flatMap((one, nth): readonly IdentityFact[] => [
      {
        id: `${idPrefix}proxy${nth}`,
        icon: 'references',
        label,
        subject: one.address,
        detail: [formatFactAddress(one, nameOf), kind, ...formatProxyState(one)].join(' · '),
        isWarning: one.code === 'noCode' || one.stopped === 'loop',
      },
      ...(one.proxy ? createProxyFacts(one.proxy, nameOf, `${idPrefix}proxy${nth}/`) : []),
    ]),
    ...(implementations.length === 0
      ? [{ id: `${idPrefix}proxy`, icon: 'references', label: l10n.t('Proxy'), detail: kind }]
      : []),
    ...(left > 0
      ? [{ id: `${idPrefix}left`, icon: 'ellipsis', label: l10n.t('{0} more', left), detail: kind }]
      : []),
    ...conflict.slice(0, MAX_LISTED_IMPLEMENTATIONS).map(({ type: other, address, name }, nth) => ({
      id: `${idPrefix}conflict${nth}`,
      icon: 'warning',
      isWarning: true,
      subject: address,
      label: l10n.t('Conflicting implementation'),
      detail: [formatFactAddress({ address, name }, nameOf), ...(other ? [formatProxyKind(other)] : [])].join(
        ' · ',
      ),
    })),
    ...(beacon
      ? [{ ...createRoleParts(beacon, nameOf), id: `${idPrefix}beacon`, label: l10n.t('Beacon') }]
      : []),
    ...(admin
      ? [{ ...createRoleParts(admin, nameOf), id: `${idPrefix}admin`, label: l10n.t('Proxy admin') }]
      : []),
  ];
}

function createRoleParts(address: Address, nameOf: (address: Address) => string | undefined) {
  return { icon: 'key', detail: formatFactAddress({ address }, nameOf), subject: address };
}

function formatFactAddress(
  { address, name }: Pick<Implementation, 'address' | 'name'>,
  nameOf: (address: Address) => string | undefined,
): string {
  const short = formatShortAddress(toChecksumAddress(address));
  const shownName = nameOf(address) ?? name;
  return shownName === undefined ? short : `${shownName} · ${short}`;
}

function formatProxyState({ code, stopped }: Implementation): readonly string[] {
  const { l10n } = vscode;
  if (stopped === 'loop') return [l10n.t('points back to itself')];
  if (stopped === 'depth') return [l10n.t('not resolved further')];
  return code === 'noCode' ? [l10n.t('no code at this address')] : [];
}

function createCreationFact(
  { block, deployer, transaction }: NonNullable<Identity['created']>,
  nameOf: (address: Address) => string | undefined,
): IdentityFact {
  const { l10n } = vscode;
  const where =
    block === undefined
      ? l10n.t('transaction {0}', formatShortAddress(transaction ?? ''))
      : l10n.t('block {0}', formatNumber(block));
  const by = deployer && l10n.t('by {0}', formatFactAddress({ address: deployer }, nameOf));
  return {
    id: 'created',
    icon: 'rocket',
    label: l10n.t('Created'),
    subject: deployer,
    detail: [where, ...(by ? [by] : [])].join(' · '),
  };
}

function formatIdentityReason(reason: IdentityReason): string {
  const { l10n } = vscode;
  switch (reason) {
    case 'notOffered':
      return l10n.t('Address type unknown. The endpoint does not support eth_getCode.');
    case 'notIndexed':
      return l10n.t('Address type unknown. The explorer has no record of this address.');
    case 'refused':
      return l10n.t('Address type unknown. The explorer does not serve this address, or requires a key.');
    case 'failed':
      return l10n.t('Address type unknown. The request to the explorer failed.');
  }
}

/** How a proxy finds its implementation: the standard, or the getter that is well known for it. */
function formatProxyKind(type: ProxyType): string {
  const { l10n } = vscode;
  switch (type) {
    case 'eip1167':
      return 'EIP-1167';
    case 'eip7702':
      return 'EIP-7702';
    case 'clone_with_immutable_arguments':
      return l10n.t('clone with immutable arguments');
    case 'minimal_proxy':
      return l10n.t('minimal proxy');
    case 'erc7760':
      return 'ERC-7760';
    case 'master_copy':
      return 'Safe, masterCopy()';
    case 'resolved_delegate_proxy':
      return l10n.t('resolved delegate proxy');
    case 'eip1967':
      return 'EIP-1967';
    case 'eip1967_beacon':
      return l10n.t('EIP-1967 beacon');
    case 'eip1967_oz':
      return l10n.t('OpenZeppelin (before EIP-1967)');
    case 'eip1822':
      return 'EIP-1822';
    case 'eip2535':
      return l10n.t('EIP-2535 diamond');
    case 'basic_implementation':
      return 'implementation()';
    case 'basic_get_implementation':
      return 'getImplementation()';
    case 'comptroller':
      return 'comptrollerImplementation()';
    case 'sequence_wallet':
      return l10n.t('Sequence wallet');
    case 'call_target':
      return 'target()';
  }
}
