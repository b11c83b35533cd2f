import * as vscode from 'vscode';
import { badInput, type Clock, createLogDecoder, createTimeSlices } from '../../../core/index.ts';
import type { WorkspaceContracts } from '../../../host/contracts/workspaceContracts.ts';
import type { Session } from '../../../host/session/session.ts';
import { showMessage } from '../../../host/surface/messages.ts';
import type { ReadOnlyText } from '../../../host/surface/readOnlyText.ts';
import type { Knowledge, Known } from '../knowledge/knowledge.ts';
import { type DecodingWith, decodedHexes, decodedLogs } from './decodedLines.ts';
import { type GivenText, givenText } from './givenText.ts';
import { hexItems } from './hexItems.ts';
import { logItems } from './logItems.ts';
import { wholeKnowledge } from './wholeKnowledge.ts';

interface DecodeDeps {
  readonly session: Session;
  readonly contracts: WorkspaceContracts;
  readonly clock: Clock;
  readonly knowledge: Knowledge;
  readonly page: Pick<ReadOnlyText, 'show'>;
}

/**
 * *Decode…*: what was given, else the selection, the hex under the cursor, the clipboard, or what is typed; answered in
 * a document.
 *
 * @throws AppError `badInput` for something given that is no text and no place.
 */
export async function decodeGiven(argument: unknown, deps: DecodeDeps): Promise<void> {
  const given = await givenText(argument);
  if (!given) return;
  const logs = logItems(given.text);
  const hexes = logs ? undefined : hexItems(given.text, given.firstLine);
  if (hexes && hexes.items.length === 0) {
    if (argument !== undefined) throw badInput('hex', vscode.l10n.t('No hex found in the argument.'));
    void showMessage('information', vscode.l10n.t('No hex found in the selection.'));
    return;
  }
  const known = await wholeKnowledge(deps.knowledge);
  const { session, clock, page, contracts } = deps;
  const { lookup, wording, isWhole } = known;
  const decoding: DecodingWith = {
    ...{ lookup, wording, slices: createTimeSlices(clock) },
    decoder: createLogDecoder({ lookup, chainId: session.network.chainId }),
    intro: introOf(given, known),
    help: helpWords(contracts, isWhole),
  };
  const lines = logs
    ? await decodedLogs(logs, decoding)
    : await decodedHexes(hexes ?? { items: [], left: 0 }, decoding);
  await page.show(lines);
}

function introOf({ from }: GivenText, { isWhole }: Known): readonly string[] {
  const { l10n } = vscode;
  const words = {
    given: l10n.t('Decoded'),
    selection: l10n.t('Decoded from the selection'),
    cursor: l10n.t('Decoded at the cursor'),
    clipboard: l10n.t('Decoded from the clipboard'),
    typed: l10n.t('Decoded from input'),
  };
  const unread = l10n.t('The contracts of the workspace are still loading: results may be incomplete.');
  return [words[from], ...(isWhole ? [] : [unread])];
}

/** What would let more be known. */
function helpWords({ known }: WorkspaceContracts, isWhole: boolean): string | undefined {
  const { l10n } = vscode;
  if (!vscode.workspace.isTrusted) {
    return l10n.t('Only bundled lists are searched. Trust the workspace to use its contracts.');
  }
  if ((vscode.workspace.workspaceFolders?.length ?? 0) === 0) {
    return l10n.t('Open the folder with the source or the build output of the contract.');
  }
  if (!isWhole) return l10n.t('Decode again once the workspace is loaded.');
  const contracts = known?.contracts.length ?? 0;
  return contracts === 0
    ? l10n.t('No contracts found in the workspace. Build the project or add an ABI file.')
    : l10n.t(
        'Not found in the {0} contracts of the workspace. Build the project or add an ABI file.',
        contracts,
      );
}
