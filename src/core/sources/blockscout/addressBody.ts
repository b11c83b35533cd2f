import * as z from 'zod/mini';
import { AppError } from '../../base/errors.ts';
import { type IdentityFacts, identityStandards, type TokenIdentity } from '../../identity/identity.ts';
import {
  isProxyType,
  type ProxyConflict,
  type ProxyIdentity,
  proxyTypes,
} from '../../identity/proxies/proxy.ts';
import { type Address, parseAddress } from '../../values/address.ts';
import { parseHexData } from '../../values/hex.ts';
import { listField, optionalField, textField } from '../../values/outsideFields.ts';
import { readImplementations } from '../../verified/readImplementations.ts';
import { tokenField } from './rest/tokenFacts.ts';

/** Implementations that are read: as many facets as the explorer shows. */
const MOST_IMPLEMENTATIONS = 100;

// Fields of both eras: `address` and `creation_tx_hash` before release 8, `address_hash` and
// `creation_transaction_hash` from then on. Before 6.8 the one implementation stands in the record itself.
const Body = z.object({
  hash: z.string(),
  is_contract: optionalField(z.boolean()),
  name: optionalField(textField),
  proxy_type: z.optional(z.nullable(z.unknown())),
  implementations: optionalField(listField),
  implementation_address: optionalField(z.string()),
  implementation_name: optionalField(z.string()),
  conflicting_implementations: optionalField(listField),
  creator_address_hash: optionalField(z.string()),
  creation_transaction_hash: optionalField(z.string()),
  creation_tx_hash: optionalField(z.string()),
  token: z.optional(z.nullable(z.unknown())),
});

/**
 * What `/api/v2/addresses/{hash}` tells, in either era. The block of the creation is not in it.
 *
 * @throws AppError `badResponse` when it is no such answer, or one for another address.
 */
export function readAddressBody(body: unknown, address: Address): IdentityFacts {
  const parsed = Body.safeParse(body);
  if (!parsed.success || parseAddress(parsed.data.hash) !== address) {
    throw new AppError('badResponse', 'The explorer did not answer for this address.', {
      cause: parsed.error,
    });
  }
  const { data } = parsed;
  const proxy = readProxy(data, address);
  const isDelegated = proxy?.type === 'eip7702';
  const isContract = data.is_contract === true;
  const token = isContract ? readToken(data.token) : undefined;
  const transaction = parseHexData(data.creation_transaction_hash ?? data.creation_tx_hash, 32);
  const created = isContract && transaction !== undefined;
  const tells = {
    kind: data.is_contract !== undefined,
    token: data.token === null || token !== undefined || !isContract,
    proxy: proxy !== undefined || (data.proxy_type === null && isContract) || data.is_contract === false,
    created: created || data.is_contract === false,
  };
  return {
    kind: isDelegated ? 'delegated' : isContract ? 'contract' : tells.kind ? 'account' : 'unknown',
    name: isContract ? data.name : undefined,
    token,
    proxy,
    created: created
      ? { block: undefined, transaction, deployer: parseAddress(data.creator_address_hash) }
      : undefined,
    tells: (['kind', 'token', 'proxy', 'created'] as const).filter((part) => tells[part]),
  };
}

function readProxy(body: z.infer<typeof Body>, self: Address): ProxyIdentity | undefined {
  const { proxy_type: type, implementations = [] } = body;
  const single = { address: body.implementation_address, name: body.implementation_name };
  const read = readImplementations([...implementations, single], self, MOST_IMPLEMENTATIONS);
  const conflict = readConflicts(body.conflicting_implementations ?? [], self).filter(
    ({ address }) => !read.some((one) => one.address === address),
  );
  if (read.length === 0 && conflict.length === 0) return undefined;
  return {
    type: isProxyType(type) ? type : undefined,
    implementations: read,
    left: Math.max(0, implementations.length - MOST_IMPLEMENTATIONS),
    ...{ admin: undefined, beacon: undefined, conflict },
  };
}

const Conflict = z.object({ proxy_type: z.unknown(), implementations: optionalField(listField) });

/** What the patterns say that were found beside each other. */
function readConflicts(list: readonly unknown[], self: Address): readonly ProxyConflict[] {
  return list.slice(0, proxyTypes.length).flatMap((entry) => {
    const { proxy_type: type, implementations } = Conflict.safeParse(entry).data ?? {};
    const read = readImplementations(implementations, self, MOST_IMPLEMENTATIONS);
    return read.map((one) => ({ ...one, type: isProxyType(type) ? type : undefined }));
  });
}

function readToken(value: unknown): TokenIdentity | undefined {
  const { data } = tokenField.safeParse(value);
  const standard = identityStandards.find((name) => name === data?.type);
  if (!data || !standard) return undefined;
  const { name, symbol, decimals, total_supply: supply } = data;
  return { standard, name, symbol, decimals, supply };
}
