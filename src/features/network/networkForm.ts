import * as vscode from 'vscode';
import { findNetworkFault, type Network } from '../../core/index.ts';
import { networkFaultText } from '../../host/settings/settingWords.ts';
import { askForText } from '../../host/surface/questions.ts';

/** What has been typed of a network; a field that is left empty is absent. */
type NetworkDraft = Partial<Network>;

interface Step {
  readonly field: 'rpcUrl' | 'chainId' | 'name' | 'symbol' | 'dataApiUrl' | 'explorerUrl';
  readonly prompt: string;
  readonly placeHolder: string;
  readonly optional?: true;
}

const steps: readonly Step[] = [
  {
    field: 'rpcUrl',
    prompt: vscode.l10n.t('URL of the JSON-RPC endpoint: of an explorer or of a node'),
    placeHolder: 'https://explorer.example/api/eth-rpc',
  },
  { field: 'chainId', prompt: vscode.l10n.t('Chain ID, decimal or 0x hex'), placeHolder: '31337' },
  { field: 'name', prompt: vscode.l10n.t('Name of the network'), placeHolder: vscode.l10n.t('My Network') },
  { field: 'symbol', prompt: vscode.l10n.t('Symbol of the native token'), placeHolder: 'ETH' },
  {
    field: 'dataApiUrl',
    prompt: vscode.l10n.t('URL of the data API for token balances (leave empty if there is none)'),
    placeHolder: 'https://api.covalenthq.com',
    optional: true,
  },
  {
    field: 'explorerUrl',
    prompt: vscode.l10n.t('URL of the explorer website for links (leave empty if there is none)'),
    placeHolder: 'https://explorer.example',
    optional: true,
  },
];

/** Asks for the fields of a network one after another, each checked as it is typed; undefined when left with Escape. */
export async function askForNetwork(draft: NetworkDraft): Promise<Omit<Network, 'id'> | undefined> {
  const fields: Record<string, string | number> = {};
  for (const [position, step] of steps.entries()) {
    const text = await ask(step, position, draft[step.field]);
    if (text === undefined) return undefined;
    if (text !== '') fields[step.field] = fieldValue(step, text);
  }
  const { rpcUrl, chainId, name, symbol, ...urls } = fields as Omit<Network, 'id' | 'decimals'>;
  return { rpcUrl, chainId, name, symbol, decimals: draft.decimals ?? 18, ...urls };
}

async function ask(
  step: Step,
  position: number,
  value: string | number | undefined,
): Promise<string | undefined> {
  const text = await askForText({
    title: vscode.l10n.t('Add Network ({0}/{1})', position + 1, steps.length),
    prompt: step.prompt,
    placeHolder: step.placeHolder,
    value: String(value ?? (step.field === 'symbol' ? 'ETH' : '')),
    ignoreFocusOut: true,
    validateInput: (typed) => inputProblem(step, typed.trim()),
  });
  return text?.trim();
}

function inputProblem(step: Step, text: string): string | undefined {
  if (text === '') return step.optional ? undefined : vscode.l10n.t('This field must not be empty.');
  const fault = findNetworkFault(step.field, fieldValue(step, text));
  return fault && vscode.l10n.t('“{0}” {1}.', text, networkFaultText(fault, step.field, vscode.l10n));
}

function fieldValue({ field }: Step, text: string): string | number {
  if (field !== 'chainId') return text;
  return /^(\d+|0[xX][0-9a-fA-F]+)$/.test(text) ? Number(text) : Number.NaN;
}
