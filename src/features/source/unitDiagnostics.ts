import * as vscode from 'vscode';
import {
  type ContractIndex,
  explainUnit,
  findNamedToken,
  getLabeledFolder,
  isAppError,
  type Message,
  parseAmountUnit,
  teamLabelsPath,
} from '../../core/index.ts';
import { localize } from '../../host/l10n.ts';
import { findUnits } from '../../host/names/labelsFile.ts';
import type { NamesService } from '../../host/names/nameProviders.ts';
import type { Session } from '../../host/session/session.ts';
import type { DocumentDiagnostic } from '../../host/ui/diagnostics.ts';

interface UnitContext {
  readonly session: Session;
  readonly names: Pick<NamesService, 'contracts' | 'pathOf'>;
  readonly signal: AbortSignal;
}

/** Units in the labels of a team that have no effect: a wrong field or unit, or no such token on the active chain. */
export async function findUnitDiagnostics(
  document: vscode.TextDocument,
  { session, names, signal }: UnitContext,
): Promise<readonly DocumentDiagnostic[]> {
  const path = names.pathOf(document.uri);
  if (!`/${path}`.endsWith(`/${teamLabelsPath}`)) return [];
  const units = findUnits(document.getText()).slice(0, MAX_UNITS);
  if (units.length === 0) return [];
  const index = await names.contracts.index();
  const found: DocumentDiagnostic[] = [];
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
const MAX_UNITS = 200;

async function explainToken(
  text: string,
  index: ContractIndex,
  { session, signal }: Pick<UnitContext, 'session' | 'signal'>,
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
