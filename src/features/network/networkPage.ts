import * as vscode from 'vscode';
import { type EndpointFacts, groupDigits, mayHoldKey, safeUrl } from '../../core/index.ts';
import { type ListChoice, openList } from '../../host/surface/lists/openList.ts';
import { serverWords } from '../../host/words/serverWords.ts';
import { askForUrl } from './askForUrl.ts';
import type { NetworkDeps } from './deps.ts';
import { withEndpoint } from './describedNetwork.ts';
import { askForField, type FieldId, fieldsOf, type NetworkDraft } from './networkFields.ts';

interface PageChoice extends ListChoice {
  readonly act: string | undefined;
  readonly field?: FieldId | 'rpcUrl';
}

interface Page {
  readonly title: string;
  /** What is said of an endpoint that was not asked. */
  readonly untested: string;
  readonly hasBack: boolean;
  /** What can be done with the network: what is done first stands above its fields, the rest below. */
  readonly actions: readonly { readonly act: string; readonly label: string; readonly icon: string }[];
}

/** What is to be done with the network as it is described then. */
interface PageAnswer {
  readonly act: string;
  readonly draft: NetworkDraft;
}

interface Shown {
  readonly draft: NetworkDraft;
  readonly facts: EndpointFacts | undefined;
}

/**
 * Shows what is known of a network, each field open to change, until the user does one of the actions. A field that is
 * left comes back here with nothing lost.
 */
export async function showNetworkPage(
  deps: NetworkDeps,
  page: Page,
  { draft, facts }: Shown,
): Promise<PageAnswer | 'back' | undefined> {
  const { title } = page;
  const words = {
    title,
    placeHolder: vscode.l10n.t('Enter to go on, or choose a field to change it'),
    ...{ hasBack: page.hasBack, ignoreFocusOut: true },
  };
  const picked = await openList<PageChoice>(words, (show) => show(pageRows(page, { draft, facts })));
  if (picked === undefined || picked === 'back') return picked;
  const { act, field } = picked.choice;
  if (field === 'rpcUrl') {
    const answer = await askForUrl(deps, { title, value: draft.rpcUrl, hasBack: true });
    const { networks } = deps.settings.current;
    const next =
      answer && answer !== 'back'
        ? { draft: withEndpoint(draft, answer, networks), facts: answer.facts }
        : { draft, facts };
    return showNetworkPage(deps, page, next);
  }
  const missing = field ?? (draft.chainId === undefined ? 'chainId' : undefined);
  const answer = missing && (await askForField(title, missing, draft));
  if (missing && answer) {
    const changed = { ...draft, [missing]: answer.value } as NetworkDraft;
    if (act === undefined) return showNetworkPage(deps, page, { draft: changed, facts });
    return { act, draft: changed };
  }
  if (missing || act === undefined) return showNetworkPage(deps, page, { draft, facts });
  return { act, draft };
}

function pageRows({ actions, untested }: Page, { draft, facts }: Shown): readonly PageChoice[] {
  const { l10n } = vscode;
  const [first, ...others] = actions.map(({ act, label, icon }) => ({
    ...{ act, label, iconPath: new vscode.ThemeIcon(icon) },
  }));
  const warning: PageChoice = {
    label: l10n.t('The URL seems to hold a key'),
    description: l10n.t('settings.json keeps it as plain text'),
    iconPath: new vscode.ThemeIcon('warning'),
    ...{ act: undefined, onlyWords: true },
  };
  return [
    ...(first ? [{ ...first, description: facts ? endpointWords(facts) : untested }] : []),
    { label: l10n.t('Fields'), kind: vscode.QuickPickItemKind.Separator, act: undefined },
    { ...fieldRow(l10n.t('URL'), draft.rpcUrl), field: 'rpcUrl' },
    ...(mayHoldKey(draft.rpcUrl) ? [warning] : []),
    ...Object.entries(fieldsOf()).map(([id, { label }]) => {
      const field = id as FieldId;
      return { ...fieldRow(label, draft[field]), field };
    }),
    ...(others.length > 0 ? [{ label: '', kind: vscode.QuickPickItemKind.Separator, act: undefined }] : []),
    ...others,
  ];
}

function fieldRow(label: string, value: string | number | undefined): PageChoice {
  return {
    label,
    description: value === undefined ? vscode.l10n.t('none') : String(value),
    iconPath: new vscode.ThemeIcon('edit'),
    act: undefined,
  };
}

function endpointWords({ server, block, url }: EndpointFacts): string {
  return vscode.l10n.t('{0} · block {1}', serverWords(server) ?? safeUrl(url), groupDigits(block));
}
