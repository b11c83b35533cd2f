import * as vscode from 'vscode';
import type { Clock } from '../../../core/index.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import { commandLink, type MarkdownLines } from '../../../host/surface/markdown.ts';
import type { BalanceReader } from '../balances/balanceReader.ts';
import type { AddressBook } from '../book/addressBook.ts';
import type { ActiveNames } from '../names/activeNames.ts';
import { actionLine } from './actionLine.ts';
import { figureLines, seenLine } from './figureLines.ts';
import { headLines } from './headLines.ts';
import type { HoveredAddress } from './hoveredAddress.ts';
import { createHoverReader } from './hoverReader.ts';

/** What the hovers on an address say. */
export interface AddressWords {
  /** What it is, without asking anyone. */
  known(found: HoveredAddress): Promise<MarkdownLines>;
  /** What it holds and what can be done with it; undefined when nobody wants that any more. */
  figures(
    found: HoveredAddress,
    options: { readonly signal: AbortSignal },
  ): Promise<MarkdownLines | undefined>;
}

export function createAddressWords(deps: {
  readonly session: Session;
  readonly book: AddressBook;
  readonly reader: BalanceReader;
  readonly settings: SettingsService;
  readonly active: ActiveNames;
  readonly clock: Clock;
}): AddressWords & vscode.Disposable {
  const { session, active, clock } = deps;
  const figures = createHoverReader(deps);
  const about = { ...deps, names: active.names };
  return {
    async known(found) {
      await active.ready();
      return headLines(found, { ...about, units: figures.unitsOf(found.address) });
    },
    async figures(found, { signal }) {
      const { network } = session;
      const actions = () =>
        actionLine(found, { ...about, isToken: figures.unitsOf(found.address) !== undefined });
      // The text of a workspace that is not trusted must not decide what is asked of a server.
      if (!vscode.workspace.isTrusted) return [restrictedLine(), [{ rule: true }], actions()];
      if (!session.isChosen) return [unchosenLine(), [{ rule: true }], actions()];
      const read = await figures.read(found.address, { signal });
      if (signal.aborted || !read) return undefined;
      await active.ready();
      const seen = seenLine(read.native, clock);
      return [
        ...figureLines(read, { network, place: found.place, clock }),
        [{ rule: true }],
        actions(),
        ...(seen ? [seen] : []),
      ];
    },
    dispose: () => figures.dispose(),
  };
}

/** In place of balances, until a network is chosen. */
function unchosenLine() {
  return [{ icon: 'globe' }, commandLink(vscode.l10n.t('Choose a Network…'), 'chainside.selectNetwork')];
}

function restrictedLine() {
  return [{ icon: 'shield' }, vscode.l10n.t('Balances are shown here once you trust this workspace.')];
}
