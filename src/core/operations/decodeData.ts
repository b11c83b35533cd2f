import { explainHex, noMeaningText } from '../abi/hex/readHexMeaning.ts';
import { badInput } from '../base/errors.ts';
import { parseHexData } from '../values/hex.ts';
import { answerOf, type OperationAnswer } from './kit/answer.ts';
import { meaningForAgent } from './kit/meaningForAgent.ts';
import { knownNames, oneAddress } from './kit/names.ts';
import type { OperationDeps, OperationOptions } from './kit/operation.ts';

/** Candidates that are given, the best first. */
const MOST_CANDIDATES = 5;

/** What hex may mean. @throws AppError `badInput` for `hex` and `address`. */
export async function decodeData(
  input: { readonly hex: string; readonly address?: string | undefined },
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationAnswer> {
  const hex = parseHexData(input.hex);
  if (hex === undefined) throw badInput('hex', 'Give hex with 0x in front and an even number of digits.');
  const [chainId, knowledge] = await Promise.all([
    deps.chainId(options).catch(() => undefined),
    deps.knowledge(options),
  ]);
  const address =
    input.address === undefined
      ? undefined
      : oneAddress(input.address, knownNames(knowledge, chainId), 'address');
  if (address) await knowledge.wantCode([address]);
  const at = address && chainId !== undefined ? { address, chainId } : undefined;
  const meanings = explainHex(hex, { lookup: knowledge.lookup, at });
  return answerOf(deps, chainId, {
    complete: meanings.length > 0 ? true : 'unknown',
    reasons: [
      ...(meanings.length === 0 ? [noMeaningText(hex)] : []),
      ...(meanings.length > 1 ? ['several meanings fit: the first is the most trusted, none is sure'] : []),
    ],
    found: {
      candidates: meanings.slice(0, MOST_CANDIDATES).map((meaning) => meaningForAgent(meaning)),
      ...(meanings.length > MOST_CANDIDATES && { moreCandidates: meanings.length - MOST_CANDIDATES }),
      ambiguous: meanings.length > 1,
    },
  });
}
