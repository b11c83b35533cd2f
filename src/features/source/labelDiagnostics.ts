import * as vscode from 'vscode';
import {
  type ContractIndex,
  createMessage,
  explainNamedContract,
  explainUnit,
  findNamedToken,
  getLabeledFolder,
  isAppError,
  type Message,
  parseAmountUnit,
  teamLabelsPath,
} from '../../core/index.ts';
import { localize } from '../../host/l10n.ts';
import { findChosenContracts, findUnits } from '../../host/names/labelsFile.ts';
import type { NamesService } from '../../host/names/nameProviders.ts';
import type { Session } from '../../host/session/session.ts';
import type { DocumentDiagnostic } from '../../host/ui/diagnostics.ts';

interface LabelContext {
  readonly session: Session;
  readonly names: Pick<NamesService, 'contracts' | 'pathOf'>;
  readonly signal: AbortSignal;
}

/**
 * What in the labels of a team has no effect: contracts that the project does not have, and units with a wrong field or
 * unit, or no such token on the active chain.
 */
export async function findLabelDiagnostics(
  document: vscode.TextDocument,
  { session, names, signal }: LabelContext,
): Promise<readonly DocumentDiagnostic[]> {
  const path = names.pathOf(document.uri);
  if (!`/${path}`.endsWith(`/${teamLabelsPath}`)) return [];
  const text = document.getText();
  const contracts = findChosenContracts(text).slice(0, MAX_CHECKED);
  const units = findUnits(text).slice(0, MAX_CHECKED);
  if (contracts.length === 0 && units.length === 0) return [];
  const index = await names.contracts.index();
  const found: DocumentDiagnostic[] = [];
  const places = new Set<string>();
  for (const { address, chainId, contract, start, end } of contracts) {
    const place = `${chainId} ${address}`;
    const reason = places.has(place)
      ? createMessage('An entry above has the contract of this address.')
      : explainNamedContract(index, contract, getLabeledFolder(path));
    places.add(place);
    if (!reason) continue;
    found.push({
      range: new vscode.Range(document.positionAt(start), document.positionAt(end)),
      message: localize(reason, vscode.l10n),
      code: 'contract',
      severity: 'error',
    });
  }
  for (const { field, unit = '', start, end } of units) {
    signal.throwIfAborted();
    const wrong = explainUnit({ field, unit }, getLabeledFolder(path), index.contractNamed);
    const reason = wrong ?? (await explainToken(unit, index, { session, signal }));
    if (!reason) continue;
    found.push({
      range: new vscode.Range(document.positionAt(start), document.positionAt(end)),
      message: localize(reason, vscode.l10n),
      code: 'unit',
      // Another chain may have the token.
      severity: wrong ? 'error' : 'warning',
    });
  }
  return found;
}

/** Each is compared with the contracts of the project, and each token with the chain. */
const MAX_CHECKED = 200;

async function explainToken(
  text: string,
  index: ContractIndex,
  { session, signal }: Pick<LabelContext, 'session' | 'signal'>,
): Promise<Message | undefined> {
  const unit = parseAmountUnit(text);
  if (unit?.kind !== 'token' || !session.isChosen) return undefined;
  const { client, network } = session.connection;
  try {
    const place = { client, chainId: network.chainId, index };
    return (await findNamedToken(unit.token, place, { signal })).reason;
  } catch (error) {
    // Without the endpoint, nothing is known of the token.
    if (!isAppError(error) || signal.aborted) throw error;
    return undefined;
  }
}
