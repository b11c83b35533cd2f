import * as vscode from 'vscode';
import { toChecksumAddress } from '../../core/index.ts';
import { registerCommand } from '../commands/commands.ts';
import { readAddress, readRow } from '../commands/rowArguments.ts';
import type { AddressNames } from '../names/addressNames.ts';
import { askForAddress } from '../names/askForAddress.ts';
import type { Session } from '../session/session.ts';
import type { SettingsService } from '../settings/settings.ts';
import { showMessage } from '../surface/messages.ts';
import { showError } from '../words/showError.ts';
import type { VerifiedReader } from './openVerified.ts';

interface VerifiedCommandsDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly names: AddressNames;
  readonly log: vscode.LogOutputChannel;
  readonly reader: VerifiedReader;
  clear(): Promise<void>;
}

/** Says what the commands about verified contracts do. */
export function registerVerifiedCommands(deps: VerifiedCommandsDeps): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand('chainside.openVerifiedSource', (given) => openSource(given, deps)),
    registerCommand('chainside.clearVerified', () => deps.clear()),
  );
}

async function openSource(given: unknown, deps: VerifiedCommandsDeps): Promise<void> {
  const { session, settings, names, log, reader } = deps;
  const chainId = readRow(given)?.chainId ?? session.network.chainId;
  const network =
    [session.network, ...settings.current.networks].find((one) => one.chainId === chainId) ?? session.network;
  const title = vscode.l10n.t('Open Verified Source');
  const prompt = vscode.l10n.t('Address of the contract');
  const address = readAddress(given) ?? (await askForAddress(title, prompt, { names, chainId }));
  if (!address) return;
  try {
    if (await reader.openContract(address, network)) return;
  } catch (error) {
    await showError(error, { service: 'source', network, log });
    return;
  }
  const words = vscode.l10n.t('{0} is not verified, as far as may be asked.', toChecksumAddress(address));
  await showMessage('information', words);
}
