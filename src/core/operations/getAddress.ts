import { asAppError } from '../base/errors.ts';
import { completenessText } from '../holdings/completeness.ts';
import type { TokenBalance, TokenBalances } from '../holdings/tokenBalances.ts';
import { identityToJson } from '../identity/identityJson.ts';
import type { Address } from '../values/address.ts';
import { toChecksumAddress } from '../values/checksum.ts';
import { formatUnits } from '../values/units.ts';
import { answerOf, type JsonObject, type OperationAnswer } from './kit/answer.ts';
import { chainText } from './kit/chainValues.ts';
import { failureForAgent } from './kit/failureForAgent.ts';
import { identityForAgent } from './kit/identityForAgent.ts';
import { knownNames, oneAddress } from './kit/names.ts';
import type { OperationDeps, OperationOptions } from './kit/operation.ts';

/** Tokens that are given; the rest is counted. */
const MOST_TOKENS = 20;

interface Part {
  readonly json: JsonObject;
  readonly isWhole: boolean;
  readonly reasons: readonly string[];
}

/**
 * What is at an address now. What one source fails to tell is a state of its own: the rest is told all the same.
 *
 * @throws AppError `badInput` for `address`; as a question for a block does.
 */
export async function getAddress(
  { address: written }: { readonly address: string },
  deps: OperationDeps,
  options: OperationOptions = {},
): Promise<OperationAnswer> {
  const [chainId, knowledge] = await Promise.all([deps.chainId(options), deps.knowledge(options)]);
  const known = knownNames(knowledge, chainId);
  const address = oneAddress(written, known, 'address');
  // A dead endpoint is an error, and no list of things that are not known.
  const head = await deps.client.latestBlock(options);
  const [native, tokens, identity] = await Promise.all([
    guarded('the native balance', () => nativePart(address, deps, options)),
    guarded('token balances', () => tokensPart(address, deps, options)),
    guarded('what is at the address', () => identityPart(address, deps, options)),
  ]);
  const parts = [native, tokens, identity];
  return answerOf(deps, chainId, {
    complete: parts.every(({ isWhole }) => isWhole) ? true : 'unknown',
    reasons: parts.flatMap(({ reasons }) => reasons),
    head,
    found: {
      address,
      checksum: toChecksumAddress(address),
      names: known.namesOf(address),
      native: native.json,
      tokens: tokens.json,
      onChain: identity.json,
    },
  });
}

async function guarded(what: string, read: () => Promise<Part>): Promise<Part> {
  try {
    return await read();
  } catch (cause) {
    const error = asAppError(cause);
    if (error.kind === 'aborted') throw error;
    const { words, said } = failureForAgent(error);
    return {
      json: { state: 'failed', ...said },
      isWhole: false,
      reasons: [`${what} could not be read: ${words}`],
    };
  }
}

const notTold = (reason: string): Part => ({ json: { state: 'unknown' }, isWhole: false, reasons: [reason] });

async function nativePart(
  address: Address,
  { client, network }: OperationDeps,
  options: OperationOptions,
): Promise<Part> {
  const balance = await client.nativeBalance(address, options);
  if (balance.state !== 'known')
    return notTold('the endpoint has no native balance on record, which is not zero');
  const { wei } = balance;
  const json = {
    state: wei === 0n ? 'zero' : 'known',
    wei: wei.toString(),
    amount: formatUnits(wei, network.decimals),
    symbol: network.symbol ?? null,
  };
  return { json, isWhole: true, reasons: [] };
}

async function tokensPart(address: Address, deps: OperationDeps, options: OperationOptions): Promise<Part> {
  const source = await deps.source('holdings', options);
  if (!source)
    return notTold('nobody here lists the tokens of an address: only an explorer or a data API does');
  const read = await source.tokenBalances(address, { quoteCurrency: 'USD', signal: options.signal });
  const tokens = read.tokens.filter(({ native }) => !native);
  const reasons = reasonsOf(read);
  return {
    json: {
      state: tokens.length === 0 ? 'zero' : 'known',
      count: tokens.length,
      list: tokens.slice(0, MOST_TOKENS).map(tokenJson),
      ...(tokens.length > MOST_TOKENS && { truncated: true }),
    },
    isWhole: reasons.length === 0 && tokens.length <= MOST_TOKENS,
    reasons:
      tokens.length > MOST_TOKENS
        ? [...reasons, `${MOST_TOKENS} of ${tokens.length} tokens are given`]
        : reasons,
  };
}

function reasonsOf({ completeness, skipped }: TokenBalances): readonly string[] {
  if (completeness) return completeness.reasons.map(completenessText);
  return skipped > 0 ? [`${skipped} entries of tokens could not be read`] : [];
}

function tokenJson({ contract, name, symbol, decimals, amount, standard }: TokenBalance): JsonObject {
  return {
    contract,
    standard: standard ?? null,
    name: name === undefined ? null : chainText(name),
    symbol: symbol === undefined ? null : chainText(symbol),
    decimals: decimals ?? null,
    amount: amount?.toString() ?? null,
  };
}

async function identityPart(address: Address, deps: OperationDeps, options: OperationOptions): Promise<Part> {
  const source = await deps.source('identity', options);
  if (!source) return notTold('the endpoint does not tell what is at an address');
  const identity = await source.identity(address, options);
  const isTold = identity.kind !== 'unknown';
  return {
    json: { state: isTold ? 'known' : 'unknown', ...identityForAgent(identityToJson(identity)) },
    isWhole: isTold,
    reasons: isTold ? [] : ['nobody tells whether there is a contract at the address'],
  };
}
