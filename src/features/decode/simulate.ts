import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { badInput, parseHexData } from '../../core/index.ts';
import { askOnNetwork } from '../../host/session/chains.ts';
import { pickOne } from '../../host/ui/dialogs.ts';
import type { documentSchemes } from '../../manifest.ts';
import { CallSchema, HASH_BYTES, parseCall, parseShownKey } from './shownKey.ts';
import { getTransactionHash, type ShowDeps, showPage } from './showTransaction.ts';

const transactionScheme: (typeof documentSchemes)[1] = 'chainside-transaction';

const SimulationSchema = z.object({ hash: z.string(), at: z.enum(['own', 'latest']) });

/**
 * *Simulate Transaction…*: runs the call of a transaction again, without sending it. By default the transaction of the
 * active document.
 *
 * @throws AppError `badInput` if the argument is malformed.
 */
export async function simulateTransaction(argument: unknown, deps: ShowDeps): Promise<void> {
  if (argument !== undefined) {
    const given = SimulationSchema.safeParse(argument).data;
    const hash = parseHexData(given?.hash, HASH_BYTES);
    if (!given || !hash) throw badInput('hash', 'The argument has no hash, or no block.');
    return showPage({ hash, simulate: given.at }, deps);
  }
  const { network } = deps.session;
  const hash =
    getShownHash() ?? (await askOnNetwork(deps, () => getTransactionHash(undefined, network.name)));
  const at = hash && (await pickPoint());
  if (hash && at) await showPage({ hash, simulate: at }, deps);
}

/**
 * Runs a call that was never mined on the latest state.
 *
 * @throws AppError `badInput` if the argument is no call.
 */
export async function simulateGivenCall(argument: unknown, deps: ShowDeps): Promise<void> {
  const given = CallSchema.safeParse(argument).data;
  const call = given && parseCall(given);
  if (!call) throw badInput('call', 'The argument is no call: it needs to and data.');
  await showPage({ call }, deps);
}

/** The hash of the transaction whose document is active. */
function getShownHash() {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const shown = uri?.scheme === transactionScheme ? parseShownKey(uri.query)?.shown : undefined;
  return shown && 'hash' in shown ? shown.hash : undefined;
}

async function pickPoint(): Promise<'own' | 'latest' | undefined> {
  const { l10n } = vscode;
  const choices = [
    {
      label: l10n.t('At its own block'),
      description: l10n.t('the state before it, without earlier transactions of the block'),
      at: 'own',
    },
    { label: l10n.t('At the latest block'), description: l10n.t('whether it would fail now'), at: 'latest' },
  ] as const;
  const picked = await pickOne(choices, {
    title: l10n.t('Simulate Transaction'),
    placeHolder: l10n.t('Select the state on which the node runs the call. Nothing is sent to the chain.'),
  });
  return picked?.at;
}
