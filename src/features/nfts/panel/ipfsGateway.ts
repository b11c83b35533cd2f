import * as vscode from 'vscode';
import { isAppError, requireIpfsGateway } from '../../../core/index.ts';
import { askForText, type Choice, pickOne } from '../../../host/surface/questions.ts';

const publicGateways = ['https://ipfs.io', 'https://dweb.link', 'https://gateway.pinata.cloud'] as const;

interface GatewayItem extends Choice {
  readonly gateway: string | undefined;
}

/** Asks which gateway to load from IPFS through. Undefined when left with Escape. */
export async function chooseIpfsGateway(): Promise<string | undefined> {
  const { l10n } = vscode;
  const items: readonly GatewayItem[] = [
    ...publicGateways.map((gateway) => ({ label: gateway, gateway })),
    { label: '', kind: vscode.QuickPickItemKind.Separator, gateway: undefined },
    { label: l10n.t('Another…'), gateway: undefined },
  ];
  const picked = await pickOne(items, {
    title: l10n.t('Choose an IPFS Gateway'),
    placeHolder: l10n.t('It sees which pictures you look at, and is kept in your settings'),
    ignoreFocusOut: true,
  });
  return picked && (picked.gateway ?? askForGateway());
}

async function askForGateway(): Promise<string | undefined> {
  const typed = await askForText({
    title: vscode.l10n.t('IPFS Gateway'),
    prompt: vscode.l10n.t('The https address that /ipfs/… goes behind'),
    placeHolder: 'https://',
    ignoreFocusOut: true,
    validateInput: gatewayProblem,
  });
  return typed && requireIpfsGateway(typed);
}

function gatewayProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    requireIpfsGateway(text);
    return undefined;
  } catch (error) {
    if (!isAppError(error, 'badInput')) throw error;
    return vscode.l10n.t('Not a gateway: expected an https address with a public name.');
  }
}
