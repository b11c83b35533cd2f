import * as vscode from 'vscode';
import type { ArgumentsOf, CommandId, SettingId } from '../../manifest.ts';
import { commandOf } from '../commands/commands.ts';
import type { EditorSetting } from './unreachable.ts';

/** Something that a person can do about an error, besides trying again. */
export interface Remedy extends vscode.Command {
  readonly run: () => Thenable<unknown>;
}

export const setKey = remedy('chainside.setApiKey', vscode.l10n.t('Set Data API Key…'));

export const setSecret = remedy('chainside.setEndpointSecret', vscode.l10n.t('Set Endpoint Secret…'));

/** A network of the chain behind Blockscout's gateway, which takes a key. */
export function useGateway(chainId: number): Remedy {
  return remedy('chainside.addNetwork', vscode.l10n.t('Use Blockscout’s Gateway…'), { gatewayOf: chainId });
}

/** The public endpoints of the chain, one after another. */
export function tryPublicEndpoints(chainId: number): Remedy {
  return remedy('chainside.addNetwork', vscode.l10n.t('Try Public Endpoints…'), { publicOf: chainId });
}

export const watchToken = remedy('chainside.watchToken', vscode.l10n.t('Watch Token…'));

export const chooseNetwork = remedy('chainside.selectNetwork', vscode.l10n.t('Choose a Network…'));

export const chooseAnother = remedy('chainside.selectNetwork', vscode.l10n.t('Choose Another Network…'));

export const showOutput = remedy('chainside.showOutput', vscode.l10n.t('Show Output'));

export function openSettings(setting: SettingId | EditorSetting): Remedy {
  const title = vscode.l10n.t('Open Settings');
  return withRun({ title, command: 'workbench.action.openSettings', arguments: [setting] });
}

function remedy<Id extends CommandId>(id: Id, title: string, ...args: ArgumentsOf<Id>): Remedy {
  return withRun(commandOf(id, title, ...args));
}

function withRun(command: vscode.Command): Remedy {
  return {
    ...command,
    run: () => vscode.commands.executeCommand(command.command, ...(command.arguments ?? [])),
  };
}
