import { sourceWord } from '../base/source.ts';
import { isoTime } from '../times/timeText.ts';
import type { Creation, Identity, TokenIdentity } from './identity.ts';
import type { Implementation, ProxyIdentity } from './proxies/proxy.ts';

/** One line of the headless runner. */
export type IdentityJson = ReturnType<typeof identityToJson>;

/**
 * An identity as JSON: addresses in lower case, amounts and blocks as decimal strings; null for what there is not, and
 * for what nobody tells. `tells` of each source says which of the two it is.
 *
 * @example
 * console.log(JSON.stringify(identityToJson(identity)));
 */
export function identityToJson({ kind, token, proxy, created, sources }: Identity) {
  return {
    kind,
    token: token ? tokenToJson(token) : null,
    proxy: proxy ? proxyToJson(proxy) : null,
    created: created ? creationToJson(created) : null,
    sources: sources.map(({ source, readAt, tells, gap }) => ({
      ...{ name: sourceWord(source), origin: source.origin, readAt: isoTime(readAt) ?? null, tells },
      ...(gap && { gap }),
    })),
  };
}

function tokenToJson({ standard, name, symbol, decimals, supply, asset }: TokenIdentity) {
  return {
    standard,
    name: name ?? null,
    symbol: symbol ?? null,
    decimals: decimals ?? null,
    supply: supply?.toString() ?? null,
    ...(asset && {
      asset: {
        address: asset.address,
        symbol: asset.symbol ?? null,
        decimals: asset.decimals ?? null,
      },
    }),
  };
}

interface ProxyJson {
  readonly type: string | null;
  readonly implementations: readonly object[];
  readonly conflict: readonly object[];
}

function proxyToJson(proxy: ProxyIdentity): ProxyJson {
  const { type, implementations, left, admin, beacon, conflict } = proxy;
  return {
    type: type ?? null,
    implementations: implementations.map(implementationToJson),
    ...(left > 0 && { left }),
    ...(admin && { admin }),
    ...(beacon && { beacon }),
    conflict: conflict.map(({ type: other, address, name }) => ({
      type: other ?? null,
      address,
      ...(name && { name }),
    })),
  };
}

function implementationToJson({ address, name, code, proxy, stopped }: Implementation) {
  return {
    address,
    ...(name && { name }),
    ...(code && { code: code === 'code' }),
    ...(stopped && { stopped }),
    ...(proxy && { proxy: proxyToJson(proxy) }),
  };
}

function creationToJson({ block, transaction, deployer }: Creation) {
  return {
    block: block?.toString() ?? null,
    transaction: transaction ?? null,
    ...(deployer && { deployer }),
  };
}
