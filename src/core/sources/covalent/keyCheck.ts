import type { Abortable } from '../../base/abortable.ts';
import { type AppError, asAppError } from '../../base/errors.ts';
import type { KeyPlace } from '../../base/source.ts';
import type { HoldingsOptions } from '../../holdings/holdingsSource.ts';
import type { Address } from '../../values/address.ts';

/** What one call says about a key. `chainNotServed`: nothing, since the server does not know the chain. */
export type KeyVerdict = 'right' | 'wrong' | 'exhausted' | 'notEntitled' | 'chainNotServed';

/** A verdict about a key, and where the server looks for it. */
export interface KeyCheck {
  readonly verdict: KeyVerdict;
  readonly place: KeyPlace;
}

/** Asks for the tokens of an address; only whether that fails, and how, is of interest. */
type AskForTokens = (address: Address, options: HoldingsOptions) => Promise<unknown>;

const CHECK_ADDRESS = '0x00000000000000000000000000000000c4a1451d';

/**
 * Asks by `balances_v2` of an address that holds nothing: the very route that a key is wanted for, and the one that
 * every server of this interface has; one credit. Gives the error that came in place of an answer, if any.
 */
export async function refusalOfKey(
  ask: AskForTokens,
  { signal }: Abortable = {},
): Promise<AppError | undefined> {
  try {
    await ask(CHECK_ADDRESS, { quoteCurrency: 'USD', fresh: true, signal });
    return undefined;
  } catch (error) {
    return asAppError(error);
  }
}

/**
 * @throws AppError `refusal` itself where it says nothing about the key.
 *
 * @example
 * verdictOf(new AppError('unauthorized', '…')); // 'wrong'
 */
export function verdictOf(refusal: AppError | undefined): KeyVerdict {
  switch (refusal?.kind) {
    case undefined:
      return 'right';
    case 'unauthorized':
      return 'wrong';
    case 'creditsUsedUp':
      return 'exhausted';
    case 'forbidden':
      return 'notEntitled';
    case 'notServed':
      return 'chainNotServed';
    default:
      throw refusal;
  }
}

/**
 * Tries a key in the header, and in the query only where the server does not look into the header: where it says to
 * one without a key just what it says to this one. So a wrong key stands in no URL of a server that takes headers.
 *
 * @param clientFor a client that sends the key there, or not at all; each is asked once at most.
 * @throws AppError when a call settles nothing: no connection, rate limit, maintenance, broken answer.
 * @example
 * await findKeyPlace((keyIn) => createDataApiClient({ ...options, keyIn })); // { verdict: 'right', place: 'header' }
 */
export async function findKeyPlace(
  clientFor: (place: KeyPlace | 'nowhere') => { readonly tokenBalances: AskForTokens },
  { signal }: Abortable = {},
): Promise<KeyCheck> {
  const refusalIn = (place: KeyPlace | 'nowhere') => refusalOfKey(clientFor(place).tokenBalances, { signal });
  const inHeader = await refusalIn('header');
  const byHeader = { verdict: verdictOf(inHeader), place: 'header' } as const;
  if (byHeader.verdict !== 'wrong' && byHeader.verdict !== 'notEntitled') return byHeader;
  const withoutKey = await refusalIn('nowhere');
  verdictOf(withoutKey);
  if (!isSameRefusal(inHeader, withoutKey)) return byHeader;
  const inQuery = await refusalIn('query');
  const byQuery = { verdict: verdictOf(inQuery), place: 'query' } as const;
  if (byQuery.verdict === 'wrong') return { verdict: 'wrong', place: 'header' };
  // Not even there is it looked at: then nothing tells that it is right.
  return isSameRefusal(inQuery, withoutKey) ? byHeader : byQuery;
}

function isSameRefusal(a: AppError | undefined, b: AppError | undefined): boolean {
  return a?.kind === b?.kind && a?.details.serverMessage === b?.details.serverMessage;
}
