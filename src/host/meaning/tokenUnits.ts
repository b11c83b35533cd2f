import * as vscode from 'vscode';
import { type Address, asAppError, forEachLimited, isRetryable, type TokenUnits } from '../../core/index.ts';
import type { AskedChain } from './logMeaning.ts';
import type { UnitsOfTokens } from './logMeanings.ts';

/** Contracts that are asked at a time. */
const AT_ONCE = 4;
/** Contracts whose units are kept; further ones keep their raw integers. */
const MOST_KEPT = 2000;
/** Contracts of one sight that are asked. */
const MOST_WANTED = 100;

/**
 * Reads symbol and decimals of token contracts, once for each, from the network that their logs are of. Where no answer
 * comes, the raw integers stay.
 */
export function createTokenUnits(): UnitsOfTokens & vscode.Disposable {
  const known = new Map<string, TokenUnits | undefined>();
  const changed = new vscode.EventEmitter<void>();

  const ended = new AbortController();

  async function read(contracts: readonly Address[], { network, client }: AskedChain): Promise<void> {
    const { signal } = ended;
    let found = false;
    const readOne = async (contract: Address): Promise<void> => {
      const key = keyOf(contract, network.chainId);
      try {
        const units = await client.tokenUnits(contract, { signal });
        if (signal.aborted || !units) return;
        known.set(key, units);
        found = true;
      } catch (error) {
        // What may pass is asked again when the contract is next in sight.
        if (isRetryable(asAppError(error))) known.delete(key);
      }
    };
    await forEachLimited(contracts, readOne, { limit: AT_ONCE });
    if (found && !signal.aborted) changed.fire();
  }

  return {
    unitsOf: (contract, chainId) => known.get(keyOf(contract, chainId)),
    want(contracts, asked) {
      const wanted: Address[] = [];
      for (const contract of contracts) {
        const key = keyOf(contract, asked.network.chainId);
        if (known.has(key) || known.size >= MOST_KEPT || wanted.length >= MOST_WANTED) continue;
        known.set(key, undefined);
        wanted.push(contract);
      }
      if (wanted.length > 0) void read(wanted, asked);
    },
    onDidChange: changed.event,
    dispose() {
      ended.abort();
      changed.dispose();
    },
  };
}

function keyOf(contract: Address, chainId: number): string {
  return `${chainId} ${contract}`;
}
