import * as z from 'zod/mini';
import { AppError } from '../../base/errors.ts';
import { parseAddress } from '../../values/address.ts';
import { readFiles } from '../../verified/readFiles.ts';
import type { VerifiedChains, VerifiedFiles } from '../../verified/verifiedContract.ts';
import { type AskedAt, requireContract } from './readContract.ts';

/** Chains of one address: the service knows some three hundred. */
const MOST_CHAINS = 1_000;

const Sources = z.object({ sources: z.record(z.string(), z.unknown()) });
const SourceText = z.object({ content: z.string() });
const Results = z.object({ results: z.array(z.unknown()) });
const Result = z.object({
  match: z.enum(['exact_match', 'match']),
  chainId: z.string().check(z.regex(/^\d{1,16}$/)),
  address: z.string(),
});

/** The files of a verified contract; undefined where none is. @throws AppError `badResponse`. */
export function readSources(json: unknown, asked: AskedAt): VerifiedFiles | undefined {
  if (requireContract(json, asked).match === null) return undefined;
  const { data } = Sources.safeParse(json);
  if (!data) throw new AppError('badResponse', 'The answer of Sourcify has no sources.');
  const { source, readAt } = asked;
  return { source, readAt, ...readFiles(texts(data.sources)) };
}

function* texts(sources: Readonly<Record<string, unknown>>): Generator<readonly [string, string]> {
  for (const path in sources) {
    const { data } = SourceText.safeParse(sources[path]);
    if (data) yield [path, data.content];
  }
}

/**
 * The chains of `all-chains`, each once; those with an id that no number holds are left out. @throws AppError
 * `badResponse`.
 */
export function readChains(json: unknown, { address, source, readAt }: AskedAt): VerifiedChains {
  const { data, error } = Results.safeParse(json);
  if (!data) throw new AppError('badResponse', 'The answer is not one of Sourcify.', { cause: error });
  const ids = data.results.slice(0, MOST_CHAINS).flatMap((entry) => {
    const result = Result.safeParse(entry).data;
    const id = Number(result?.chainId);
    return result && parseAddress(result.address) === address && Number.isSafeInteger(id) ? [id] : [];
  });
  return { source, readAt, chainIds: [...new Set(ids)] };
}
