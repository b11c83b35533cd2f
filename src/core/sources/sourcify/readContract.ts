import * as z from 'zod/mini';
import { readAbi } from '../../abi/read/readAbi.ts';
import { AppError } from '../../base/errors.ts';
import type { Provenance } from '../../base/source.ts';
import { type Address, parseAddress } from '../../values/address.ts';
import { hexField } from '../../values/chainFields.ts';
import { listField, optionalField, textField } from '../../values/outsideFields.ts';
import { readImplementations } from '../../verified/readImplementations.ts';
import type { ProxyFacts, VerifiedContract } from '../../verified/verifiedContract.ts';

export interface AskedAt extends Provenance {
  readonly address: Address;
  readonly chainId: number;
}

/** Heights are decimal strings here. */
const heightText = z.pipe(
  z.string().check(z.regex(/^\d{1,16}$/)),
  z.transform((digits) => BigInt(digits)),
);

const Deployment = z.object({
  blockNumber: optionalField(heightText),
  transactionHash: optionalField(hexField(32)),
});
const ProxyResolution = z.object({
  isProxy: optionalField(z.boolean()),
  proxyType: optionalField(textField),
  implementations: optionalField(listField),
});
const Contract = z.object({
  match: z.nullable(z.enum(['exact_match', 'match'])),
  chainId: z.string(),
  address: z.string(),
  matchId: optionalField(z.string().check(z.regex(/^[\w-]{1,64}$/))),
  abi: optionalField(listField),
  compilation: optionalField(z.object({ name: optionalField(textField) })),
  deployment: optionalField(Deployment),
  proxyResolution: optionalField(ProxyResolution),
});

/**
 * A contract of `GET /v2/contract/{chainId}/{address}`; undefined where the server has none verified.
 *
 * @throws AppError `badResponse` when it is of another shape, or of another contract or chain than was asked.
 */
export function readContract(json: unknown, asked: AskedAt): VerifiedContract | undefined {
  const { address, source, readAt } = asked;
  const parsed = requireContract(json, asked);
  const { match, matchId, compilation, deployment, proxyResolution } = parsed;
  if (match === null) return undefined;
  const proxy = proxyResolution && readProxy(proxyResolution, address);
  const { blockNumber: block, transactionHash: transaction } = deployment ?? {};
  return {
    ...{ source, readAt, address },
    name: compilation?.name,
    abi: readAbi(parsed.abi).items,
    match: match === 'exact_match' ? 'exact' : 'partial',
    ...(matchId !== undefined && { matchId }),
    ...(block !== undefined && { created: { block, ...(transaction && { transaction }) } }),
    ...(proxy && { proxy }),
  };
}

/** What every answer about one contract has. @throws as {@link readContract}. */
export function requireContract(json: unknown, { address, chainId }: AskedAt) {
  const { data, error } = Contract.safeParse(json);
  if (!data) throw new AppError('badResponse', 'The answer is not one of Sourcify.', { cause: error });
  if (parseAddress(data.address) !== address || data.chainId !== String(chainId)) {
    throw new AppError('badResponse', 'Sourcify answered for another contract.');
  }
  return data;
}

function readProxy(
  { isProxy, proxyType, implementations }: z.infer<typeof ProxyResolution>,
  address: Address,
): ProxyFacts | undefined {
  const found = readImplementations(implementations, address);
  return isProxy && found.length > 0 ? { type: proxyType, implementations: found } : undefined;
}
