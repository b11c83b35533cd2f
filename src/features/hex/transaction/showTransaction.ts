import * as vscode from 'vscode';
import {
  type Address,
  type ExplainedTransaction,
  findKnownHash,
  type HashResult,
  type Hex,
  isAppError,
  type TokenUnits,
} from '../../../core/index.ts';
import { whileAsking } from '../../../host/commands/whileAsking.ts';
import type { WorkspaceContracts } from '../../../host/contracts/workspaceContracts.ts';
import { readWithin } from '../../../host/loading/readWithin.ts';
import { askOnNetwork, type ChainDeps } from '../../../host/session/chains.ts';
import { showMessage } from '../../../host/surface/messages.ts';
import type { ReadOnlyText, TextLine } from '../../../host/surface/readOnlyText.ts';
import { showError } from '../../../host/words/showError.ts';
import { wholeKnowledge } from '../decode/wholeKnowledge.ts';
import type { Knowledge } from '../knowledge/knowledge.ts';
import { givenHash } from './givenHash.ts';
import { otherHashText } from './otherHashText.ts';
import type { FoundHash, TransactionReader } from './transactionReader.ts';
import { transactionText } from './transactionText.ts';

interface ShowDeps extends ChainDeps {
  readonly contracts: WorkspaceContracts;
  readonly knowledge: Knowledge;
  readonly reader: TransactionReader;
  readonly page: Pick<ReadOnlyText, 'show'>;
  readonly log: vscode.LogOutputChannel;
}

/** How long units of tokens are waited for, once all else is there: without them integers stand as they are. */
const UNITS_MS = 2_000;
/** Tokens of one transaction whose units are read. */
const MOST_TOKENS = 20;

/**
 * *Show Transaction…*: what the active network knows by a hash, in a document.
 *
 * @throws AppError `badInput` for an argument that is no hash.
 */
export async function showTransaction(argument: unknown, deps: ShowDeps): Promise<void> {
  const { session, log } = deps;
  const { network } = session;
  const hash = await askOnNetwork(deps, () => givenHash(argument, network.name));
  if (hash === undefined) return;
  try {
    const title = vscode.l10n.t('Asking {0} for the transaction', network.name);
    const lines = await whileAsking(title, ({ signal }) => linesOf(hash, deps, signal));
    if (lines !== 'cancelled') await deps.page.show(lines);
  } catch (error) {
    if (isAppError(error, 'notServed')) {
      const words = vscode.l10n.t(
        'The endpoint of {0} does not tell of transactions: it has neither the methods of a node for that nor the REST interface of an explorer.',
        network.name,
      );
      void showMessage('information', words);
      return;
    }
    if (await showError(error, { service: 'source', network, log }, true)) await showTransaction(hash, deps);
  }
}

async function linesOf(hash: Hex, deps: ShowDeps, signal: AbortSignal): Promise<readonly TextLine[]> {
  const { reader, knowledge, contracts } = deps;
  const found = await reader.lookUp(hash, { signal, fresh: true });
  const known = await wholeKnowledge(knowledge);
  const { wording } = known;
  const { answer, network } = found;
  if (!isTransaction(found)) {
    const other = answer as Exclude<HashResult, { kind: 'transaction' }>;
    return otherHashText({ hash, network, answer: other, known: findKnownHash(hash, known.lookup), wording });
  }
  const explained = await reader.explain(found, { signal, reads: true });
  const [places, units] = await Promise.all([
    reader.revertPlaces(explained, network, { signal }),
    unitsIn(explained, found.client, signal),
  ]);
  const uriOf = (file: string) => contracts.uriOf(file)?.toString();
  return transactionText({
    ...found,
    explained,
    wording,
    places,
    uriOf,
    unitsOf: (token) => units.get(token),
  });
}

function isTransaction(
  found: FoundHash,
): found is FoundHash & { readonly answer: Extract<HashResult, { kind: 'transaction' }> } {
  return found.answer.kind === 'transaction';
}

/** Symbols and decimals of the tokens that moved: one request where the server takes batches. */
async function unitsIn(
  { movements }: ExplainedTransaction,
  client: FoundHash['client'],
  signal: AbortSignal,
): Promise<ReadonlyMap<Address, TokenUnits>> {
  const tokens = new Set(
    movements.list.flatMap(({ token, standard }) => (token && standard === 'erc20' ? token : [])),
  );
  const units = new Map<Address, TokenUnits>();
  const reads = [...tokens].slice(0, MOST_TOKENS).map(async (token) => {
    const read = await client.tokenUnits(token, { signal });
    if (read) units.set(token, read);
  });
  await readWithin(UNITS_MS, Promise.allSettled(reads));
  return units;
}
