import * as z from 'zod/mini';
import { readAbi } from '../../../abi/read/readAbi.ts';
import { AppError } from '../../../base/errors.ts';
import type { Provenance } from '../../../base/source.ts';
import type { Address } from '../../../values/address.ts';
import type { VerifiedContract } from '../../../verified/verifiedContract.ts';

const Answer = z.object({ status: z.enum(['0', '1']), message: z.string(), result: z.unknown() });
/** Characters of an ABI as text: twenty times what fits the code of a contract. */
const LONGEST_ABI = 2 * 1024 * 1024;

/**
 * What `GET /api?module=contract&action=getabi` says: the ABI as text in JSON; undefined where nothing is verified. It
 * tells neither name nor how sure it is.
 *
 * @throws AppError `badResponse`, `tooLarge`.
 */
export function readModuleAbi(
  json: unknown,
  from: Provenance & { readonly address: Address },
): VerifiedContract | undefined {
  const { data, error } = Answer.safeParse(json);
  if (!data) throw new AppError('badResponse', 'The explorer tells of no contract.', { cause: error });
  // Misses have status 0: `Contract source code not verified`.
  if (data.status === '0') return undefined;
  if (typeof data.result !== 'string') throw new AppError('badResponse', 'The explorer gives no ABI.');
  if (data.result.length > LONGEST_ABI) throw new AppError('tooLarge', 'The ABI is too large.');
  return { ...from, name: undefined, abi: readAbi(parsed(data.result)).items, match: 'partial' };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError('badResponse', 'The explorer gives no ABI.', { cause });
  }
}
