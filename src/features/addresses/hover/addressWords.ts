import * as vscode from 'vscode';
import type { Address, Clock } from '../../../core/index.ts';
import type { Session } from '../../../host/session/session.ts';
import type { SettingsService } from '../../../host/settings/settings.ts';
import { commandLink, type MarkdownLines } from '../../../host/surface/markdown.ts';
import type { BalanceReader } from '../balances/balanceReader.ts';
import type { AddressBook } from '../book/addressBook.ts';
import type { Identities } from '../identity/identities.ts';
import type { ActiveNames } from '../names/activeNames.ts';
import { actionLine } from './actionLine.ts';
import { figureLines, seenLine } from './figureLines.ts';
import { headLines } from './headLines.ts';
import type { HoveredAddress } from './hoveredAddress.ts';
import { createHoverReader, type KnownUnits } from './hoverReader.ts';
import { identityLines } from './identityLines.ts';

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
  readonly identities: Identities;
  readonly settings: SettingsService;
  readonly active: ActiveNames;
  readonly clock: Clock;
}): AddressWords & vscode.Disposable {
  const { session, active, clock, identities } = deps;
  const figures = createHoverReader(deps);
  const about = { ...deps, names: active.names };
  /** The units of a watched token, or of one that was looked at. */
  function unitsOf(address: Address): KnownUnits | undefined {
    const token = identities.of(address)?.token;
    const isFungible = token?.standard === 'ERC-20' || token?.standard === 'ERC-4626';
    return figures.unitsOf(address) ?? (isFungible ? token : undefined);
  }
  return {
    async known(found) {
      await active.ready();
      return headLines(found, { ...about, units: unitsOf(found.address) });
    },
    async figures(found, { signal }) {
      const { network } = session;
      const actions = () => actionLine(found, { ...about, isToken: unitsOf(found.address) !== undefined });
      // The text of a workspace that is not trusted must not decide what is asked of a server.
      if (!vscode.workspace.isTrusted) return [restrictedLine(), [{ rule: true }], actions()];
      if (!session.isChosen) return [unchosenLine(), [{ rule: true }], actions()];
      const known = identities.of(found.address);
      const reading = figures.read(found.address, { signal });
      // What takes more than a glance is shown at the next look: nobody waits for it.
      if (known) void identities.load(found.address, 'recent');
      else void reading.then(() => identities.load(found.address));
      const read = await reading;
      if (signal.aborted || !read) return undefined;
      await active.ready();
      const seen = seenLine(read.native, clock);
      const identity = identities.of(found.address);
      const nameOf = (address: Address) => active.names.nameOf(address, network.chainId)?.name;
      return [
        ...(identity ? identityLines(identity, { nameOf, clock }) : []),
        ...figureLines(read, { network, place: found.place, clock, kind: identity?.kind }),
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
