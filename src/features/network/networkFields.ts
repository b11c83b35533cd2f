import * as vscode from 'vscode';
import { type Network, validateNetworkField } from '../../core/index.ts';
import { networkFaultText } from '../../host/settings/settingWords.ts';
import { openInput } from '../../host/surface/questions.ts';

/** What is known of a network that is being described. */
export type NetworkDraft = Partial<Network> & Pick<Network, 'rpcUrl'>;

/** A field that is typed by itself. The URL of the endpoint is asked for with a look at what answers there. */
export type FieldId = 'chainId' | 'name' | 'symbol' | 'explorerUrl' | 'dataApiUrl';

interface Field {
  readonly label: string;
  readonly prompt: string;
  readonly placeHolder: string;
  readonly optional?: true;
}

export function fieldsOf(): Readonly<Record<FieldId, Field>> {
  const { l10n } = vscode;
  return {
    name: {
      label: l10n.t('Name'),
      prompt: l10n.t('Name of the network'),
      placeHolder: l10n.t('My Network'),
    },
    chainId: {
      label: l10n.t('Chain ID'),
      prompt: l10n.t('Chain ID, decimal or 0x hex'),
      placeHolder: '31337',
    },
    symbol: {
      label: l10n.t('Symbol'),
      prompt: l10n.t('Symbol of the native token'),
      placeHolder: 'ETH',
    },
    explorerUrl: {
      label: l10n.t('Explorer'),
      prompt: l10n.t('URL of the explorer website, for links (empty: none)'),
      placeHolder: 'https://explorer.example',
      optional: true,
    },
    dataApiUrl: {
      label: l10n.t('Data API'),
      prompt: l10n.t('URL of the data API, for token balances (empty: none)'),
      placeHolder: 'https://api.covalenthq.com',
      optional: true,
    },
  };
}

/** Asks for one field of `draft`, checked as it is typed; undefined when the user goes back or leaves. */
export function askForField(
  title: string,
  id: FieldId,
  draft: NetworkDraft,
): Promise<{ readonly value: string | number | undefined } | undefined> {
  const field = fieldsOf()[id];
  const { prompt, placeHolder } = field;
  return new Promise((resolve) => {
    const value = String(draft[id] ?? '');
    const { box, showProblem } = openInput(title, prompt, { value, placeHolder, onBack: () => box.hide() });
    box.ignoreFocusOut = true;
    const problem = () => inputProblem(id, box.value.trim(), field);
    const judge = () => {
      const message = problem();
      showProblem(
        message === undefined ? undefined : { message, severity: vscode.InputBoxValidationSeverity.Error },
      );
    };
    box.onDidChangeValue(judge);
    box.onDidAccept(() => {
      if (problem() !== undefined) return judge();
      const text = box.value.trim();
      resolve({ value: text === '' ? undefined : fieldValue(id, text) });
      box.hide();
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}

function inputProblem(id: FieldId, text: string, { optional }: Field): string | undefined {
  if (text === '') return optional ? undefined : vscode.l10n.t('This field must not be empty.');
  const fault = validateNetworkField(id, fieldValue(id, text));
  return fault && vscode.l10n.t('“{0}” {1}.', text, networkFaultText(fault, id, vscode.l10n));
}

function fieldValue(id: FieldId, text: string): string | number {
  if (id !== 'chainId') return text;
  return /^(\d+|0[xX][0-9a-fA-F]+)$/.test(text) ? Number(text) : Number.NaN;
}
