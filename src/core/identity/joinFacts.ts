import type { IdentityFacts, TokenIdentity } from './identity.ts';
import type { Implementation, ProxyConflict, ProxyIdentity } from './proxies/proxy.ts';

/**
 * What an explorer has recorded and what the chain itself says, as one: the chain is believed where it tells, the
 * explorer adds names and what only it knows. An implementation that only the explorer names is a conflict.
 *
 * @example
 * const { proxy } = joinFacts(recorded, read); // { implementations: [{ name: 'TokenV2', … }], … }
 */
export function joinFacts(recorded: IdentityFacts, read: IdentityFacts): IdentityFacts {
  const tells = (part: IdentityFacts['tells'][number]) => read.tells.includes(part);
  return {
    kind: tells('kind') ? read.kind : recorded.kind,
    name: recorded.name,
    token: joinTokens(recorded.token, read.token),
    proxy: tells('proxy') ? joinProxies(recorded.proxy, read.proxy) : recorded.proxy,
    created: read.created ?? recorded.created,
    tells: [...new Set([...recorded.tells, ...read.tells])],
  };
}

function joinTokens(
  recorded: TokenIdentity | undefined,
  read: TokenIdentity | undefined,
): TokenIdentity | undefined {
  if (!recorded || !read) return read ?? recorded;
  return {
    ...read,
    name: read.name ?? recorded.name,
    symbol: read.symbol ?? recorded.symbol,
    decimals: read.decimals ?? recorded.decimals,
    supply: read.supply ?? recorded.supply,
  };
}

function joinProxies(
  recorded: ProxyIdentity | undefined,
  read: ProxyIdentity | undefined,
): ProxyIdentity | undefined {
  if (!recorded || !read) return read;
  const names = new Map(recorded.implementations.map(({ address, name }) => [address, name]));
  const withName = <T extends Implementation | ProxyConflict>(one: T): T => ({
    ...one,
    name: names.get(one.address) ?? one.name,
  });
  const told = [...read.implementations, ...read.conflict].map(({ address }) => address);
  const claimed = recorded.implementations.map(({ address, name }) => ({
    ...{ type: recorded.type, address, name },
  }));
  const others = [...claimed, ...recorded.conflict].filter(({ address }) => !told.includes(address));
  return {
    ...read,
    implementations: read.implementations.map(withName),
    conflict: [...read.conflict.map(withName), ...others],
  };
}
