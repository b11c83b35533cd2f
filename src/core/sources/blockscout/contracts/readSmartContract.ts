import * as z from 'zod/mini';
import { readAbi } from '../../../abi/read/readAbi.ts';
import { AppError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/records.ts';
import type { Provenance } from '../../../base/source.ts';
import type { Address } from '../../../values/address.ts';
import { addressField } from '../../../values/chainFields.ts';
import { listField, optionalField, textField } from '../../../values/outsideFields.ts';
import { readFiles } from '../../../verified/readFiles.ts';
import { readImplementations } from '../../../verified/readImplementations.ts';
import type {
  ProxyFacts,
  VerifiedContract,
  VerifiedFiles,
  VerifiedMatch,
} from '../../../verified/verifiedContract.ts';

/** What an explorer tells of one contract. */
export interface SmartContract {
  readonly contract: VerifiedContract | undefined;
  readonly proxy: ProxyFacts | undefined;
  readonly files: VerifiedFiles | undefined;
}

const Answer = z.object({
  is_verified: optionalField(z.boolean()),
  is_fully_verified: optionalField(z.boolean()),
  is_changed_bytecode: optionalField(z.boolean()),
  verified_twin_address_hash: optionalField(addressField),
  name: optionalField(textField),
  abi: optionalField(listField),
  proxy_type: optionalField(textField),
  implementations: optionalField(listField),
  // Of releases before lists of implementations: one of either kind.
  implementation_address: optionalField(z.string()),
  implementation_name: optionalField(z.string()),
  minimal_proxy_address_hash: optionalField(z.string()),
  conflicting_implementations: optionalField(listField),
  source_code: optionalField(z.string()),
  file_path: optionalField(z.string()),
  additional_sources: optionalField(listField),
});
type Answer = z.infer<typeof Answer>;

const Source = z.object({ file_path: z.string(), source_code: z.string() });

/**
 * What `GET /api/v2/smart-contracts/{hash}` says of a contract, in the names of every release. The ABI may be that of
 * another contract with the same code: then the contract itself is not verified, and the other one is its twin.
 *
 * @throws AppError `badResponse`.
 */
export function readSmartContract(
  json: unknown,
  { address, ...from }: Provenance & { readonly address: Address },
): SmartContract {
  const { data, error } = Answer.safeParse(json);
  if (!data) throw new AppError('badResponse', 'The explorer tells of no contract.', { cause: error });
  const proxy = readProxy(data, address);
  if (data.abi === undefined) return { contract: undefined, proxy, files: undefined };
  const match = matchOf(data);
  const twin = match === 'twin' ? data.verified_twin_address_hash : undefined;
  const contract: VerifiedContract = {
    ...{ ...from, address, name: data.name, abi: readAbi(data.abi).items, match },
    ...(twin !== undefined && twin !== address && { twin }),
    ...(proxy && { proxy }),
    ...(data.is_changed_bytecode && { changedBytecode: true }),
  };
  return { contract, proxy, files: { ...from, ...readFiles(filesOf(data)) } };
}

/** Releases that do not tell whether they verified what they have an ABI of do not tell of twins either. */
function matchOf({
  is_verified,
  is_fully_verified,
  verified_twin_address_hash: twin,
}: Answer): VerifiedMatch {
  if (is_verified === false || (is_verified === undefined && twin !== undefined)) return 'twin';
  return is_fully_verified ? 'exact' : 'partial';
}

function readProxy(answer: Answer, address: Address): ProxyFacts | undefined {
  const { implementation_address: single, implementation_name: name } = answer;
  const older = [{ address: single, name }, { address: answer.minimal_proxy_address_hash }];
  const implementations = readImplementations([...(answer.implementations ?? []), ...older], address);
  const named = new Set(implementations.map((one) => one.address));
  const all = readImplementations(conflictsOf(answer), address).map((one) => one.address);
  const conflicting = all.filter((one) => !named.has(one));
  if (implementations.length === 0 && conflicting.length === 0) return undefined;
  return { type: answer.proxy_type, implementations, ...(conflicting.length > 0 && { conflicting }) };
}

/** A list of implementations, or one of them for each pattern that was found. */
function conflictsOf({ conflicting_implementations: found = [] }: Answer): readonly unknown[] {
  return found.flatMap((entry) =>
    isRecord(entry) && Array.isArray(entry.implementations) ? entry.implementations : [entry],
  );
}

function* filesOf({ file_path, name, source_code, additional_sources }: Answer): Generator<[string, string]> {
  if (source_code !== undefined) yield [file_path ?? `${name ?? 'Contract'}.sol`, source_code];
  for (const entry of additional_sources ?? []) {
    const { data } = Source.safeParse(entry);
    if (data) yield [data.file_path, data.source_code];
  }
}
