import type * as vscode from 'vscode';
import type { Clock } from '../../core/index.ts';
import { registerCommand } from '../../host/commands/commands.ts';
import type { WorkspaceContracts } from '../../host/contracts/workspaceContracts.ts';
import { Disposables } from '../../host/disposables.ts';
import type { AddressNames } from '../../host/names/addressNames.ts';
import type { FoundHex } from '../../host/places/findHex.ts';
import type { Session } from '../../host/session/session.ts';
import type { SettingsService } from '../../host/settings/settings.ts';
import type { MarkdownLines } from '../../host/surface/markdown.ts';
import { openReadOnlyText } from '../../host/surface/readOnlyText.ts';
import { decodeGiven } from './decode/decode.ts';
import { type HoveredPlace, hexHover } from './hover/hexHover.ts';
import { createKnowledge } from './knowledge/knowledge.ts';

export interface HexDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly contracts: WorkspaceContracts;
  /** What addresses are called; loaded with the first use. */
  readonly names: () => Promise<AddressNames>;
  readonly clock: Clock;
}

interface HexWords extends vscode.Disposable {
  /** Undefined where nothing is known of the hex. */
  hoverLines(found: FoundHex, place: HoveredPlace): Promise<MarkdownLines | undefined>;
}

/** All of the feature but its places in the editor; says what its command does. */
export function openHex(deps: HexDeps): HexWords {
  const disposables = new Disposables();
  const page = disposables.add(openReadOnlyText('chainside-decoded', 'Decoded'));
  const knowledge = createKnowledge(deps);
  disposables.add(
    registerCommand('chainside.decode', (given) => decodeGiven(given, { ...deps, knowledge, page })),
  );
  return {
    hoverLines: (found, place) => hexHover(found, { knowledge, place }),
    dispose: () => disposables.dispose(),
  };
}
