import * as vscode from 'vscode';
import { type Address, type Network, toChecksumAddress } from '../../core/index.ts';
import { registerCommand } from '../commands/commands.ts';
import { readAddress, readRow } from '../commands/rowArguments.ts';
import type { AddressNames } from '../names/addressNames.ts';
import { askForAddress } from '../names/askForAddress.ts';
import type { Session } from '../session/session.ts';
import type { SettingsService } from '../settings/settings.ts';
import { showMessage } from '../surface/messages.ts';
import { showError } from '../words/showError.ts';
import type { ThirdPartyConsent } from './consent.ts';
import type { VerifiedReader } from './openVerified.ts';

interface VerifiedCommandsDeps {
  readonly session: Session;
  readonly settings: SettingsService;
  readonly names: AddressNames;
  readonly log: vscode.LogOutputChannel;
  readonly reader: VerifiedReader;
  readonly consent: Pick<ThirdPartyConsent, 'askForSource'>;
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
  const { session, settings, names, log } = deps;
  const chainId = readRow(given)?.chainId ?? session.network.chainId;
  const network =
    [session.network, ...settings.current.networks].find((one) => one.chainId === chainId) ?? session.network;
  const title = vscode.l10n.t('Open Verified Source');
  const prompt = vscode.l10n.t('Address of the contract');
  const address = readAddress(given) ?? (await askForAddress(title, prompt, { names, chainId }));
  if (!address) return;
  try {
    if (await openOrAsk(address, network, deps)) return;
  } catch (error) {
    await showError(error, { service: 'source', network, log });
    return;
  }
  const words = vscode.l10n.t('{0} is not verified, as far as may be asked.', toChecksumAddress(address));
  await showMessage('information', words);
}

/** Opens the source by who may be asked; where they do not have it, by who may be once the user has allowed it. */
async function openOrAsk(
  address: Address,
  network: Network,
  { reader, consent }: VerifiedCommandsDeps,
): Promise<boolean> {
  const written = toChecksumAddress(address);
  const open = () => reader.openContract(address, network);
  const first = await open().catch((error: unknown) => ({ error }));
  if (first === 'cancelled' || first === true) return true;
  if (await consent.askForSource(written, network)) return (await open()) !== false;
  if (typeof first === 'object') throw first.error;
  return false;
}
