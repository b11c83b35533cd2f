import { badInput } from '../../core/index.ts';

/**
 * The chain that is asked: as the command line says, as the server tells, undefined where neither does.
 *
 * @throws AppError `badInput` for `chain-id` where the two are not the same.
 */
export function agreedChain(given: number | undefined, told: number | undefined): number | undefined {
  if (given !== undefined && told !== undefined && given !== told)
    throw badInput('chain-id', `The server is of chain ${told}, not of chain ${given}.`);
  return given ?? told;
}
