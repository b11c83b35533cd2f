import * as vscode from 'vscode';
import { type EndpointFacts, extractKey, mayHoldKey, requiresSecret, safeUrl } from '../../core/index.ts';
import { formatNumber } from '../../host/numbers.ts';
import { formatServer } from '../../host/session/chains.ts';
import { openQuickPick, type QuickPickChoice } from '../../host/ui/dialogs.ts';
import {
  applyEndpoint,
  askForField,
  askForUrl,
  type FieldId,
  getNetworkFields,
  type NetworkDraft,
} from './networkFields.ts';
import {
  askForSecret,
  askForSecretPlace,
  formatSecretPlace,
  type NetworkDeps,
  type TypedSecret,
  toTypedSecret,
} from './secretInput.ts';

interface PageChoice extends QuickPickChoice {
  readonly act: string | undefined;
  readonly field?: FieldId | 'rpcUrl' | 'secret';
}

interface Page {
  readonly title: string;
  /** Shown in place of facts of an endpoint that was not probed. */
  readonly untested: string;
  readonly hasBack: boolean;
  /** The first is shown above the fields of the network, the others below. */
  readonly actions: readonly { readonly act: string; readonly label: string; readonly icon: string }[];
}

interface PageState {
  readonly draft: NetworkDraft;
  readonly facts: EndpointFacts | undefined;
  /** A secret for the endpoint that is not stored yet. */
  readonly typed?: TypedSecret | undefined;
}

/** The action picked, and the network as it was then. */
interface PageResult extends Omit<PageState, 'facts'> {
  readonly act: string;
}

/** Moves the key from the URL to the secret storage. */
const STORE_KEY = 'keepKey';

/**
 * Shows a network until the user picks an action. Each field can be edited, and leads back here without losing the
 * others. A key in the URL can be moved out of it; a required key that is missing is prompted for.
 */
export async function showNetworkPage(
  deps: NetworkDeps,
  page: Page,
  state: PageState,
): Promise<PageResult | 'back' | undefined> {
  const options = {
    title: page.title,
    placeHolder: vscode.l10n.t('Press Enter to continue, or choose a field to edit'),
    hasBack: page.hasBack,
    ignoreFocusOut: true,
  };
  const secretText = await formatSecretState(deps, state);
  const picked = await openQuickPick<PageChoice>(options, createPageRows(page, state, secretText));
  if (picked === undefined || picked === 'back') return picked;
  const { act, field } = picked.choice;
  const { draft } = state;
  if (act === STORE_KEY) return showNetworkPage(deps, page, moveKeyOut(state));
  if (field === 'rpcUrl') return showNetworkPage(deps, page, await editUrl(deps, page, state));
  if (field === 'secret') return showNetworkPage(deps, page, await editSecret(deps, state));
  const missing = field ?? (draft.chainId === undefined ? 'chainId' : undefined);
  const input = missing && (await askForField(page.title, missing, draft));
  const changed = input ? ({ ...draft, [missing as FieldId]: input.value } as NetworkDraft) : draft;
  if (act === undefined || (missing && !input)) {
    return showNetworkPage(deps, page, { ...state, draft: changed });
  }
  return finish(deps, page, { act, shown: { ...state, draft: changed } });
}

/** Prompts for the secret first, if the endpoint requires one and none is stored or typed. */
async function finish(
  deps: NetworkDeps,
  page: Page,
  { act, shown: state }: { readonly act: string; readonly shown: PageState },
): Promise<PageResult | 'back' | undefined> {
  const { draft } = state;
  const typed = getTypedSecret(state);
  const isMissing = requiresSecret(draft) && !typed && (await deps.secrets.get(draft.rpcUrl)) === undefined;
  if (!isMissing) return { act, draft, typed };
  const secret = await askForSecret(deps, draft);
  if (secret === undefined) return showNetworkPage(deps, page, state);
  return { act, draft, typed: toTypedSecret(draft.rpcUrl, secret) };
}

async function editUrl(deps: NetworkDeps, { title }: Page, state: PageState): Promise<PageState> {
  const { draft } = state;
  const input = await askForUrl(deps, { title, value: draft.rpcUrl, rpcAuth: draft.rpcAuth, hasBack: true });
  if (!input || input === 'back') return state;
  const { networks } = deps.settings.current;
  return { ...state, draft: applyEndpoint(draft, input, networks), facts: input.facts };
}

async function editSecret(deps: NetworkDeps, state: PageState): Promise<PageState> {
  const { draft } = state;
  const inUrl = requiresSecret({ rpcUrl: draft.rpcUrl });
  const place = inUrl ? undefined : await askForSecretPlace(draft);
  if (place === 'none') return { ...state, draft: { ...draft, rpcAuth: undefined }, typed: undefined };
  if (!inUrl && place === undefined) return state;
  const withPlace = inUrl ? draft : { ...draft, rpcAuth: place };
  const secret = await askForSecret(deps, withPlace);
  if (secret === undefined) return state;
  return { ...state, draft: withPlace, typed: toTypedSecret(withPlace.rpcUrl, secret) };
}

function moveKeyOut(state: PageState): PageState {
  const { draft } = state;
  const found = extractKey(draft.rpcUrl);
  if (!found) return state;
  return { ...state, draft: { ...draft, rpcUrl: found.url }, typed: toTypedSecret(found.url, found.key) };
}

/** The typed secret, if it is for the present origin of the endpoint. */
function getTypedSecret({ draft, typed }: PageState): TypedSecret | undefined {
  return typed?.origin === new URL(draft.rpcUrl).origin ? typed : undefined;
}

async function formatSecretState({ secrets }: NetworkDeps, state: PageState): Promise<string> {
  const { l10n } = vscode;
  const { draft } = state;
  const place = formatSecretPlace(draft);
  if (!requiresSecret(draft)) return place;
  if (getTypedSecret(state)) return l10n.t('{0} · entered', place);
  const stored = await secrets.get(draft.rpcUrl).catch(() => undefined);
  return stored === undefined ? l10n.t('{0} · not set', place) : l10n.t('{0} · set', place);
}

function createPageRows(
  { actions, untested }: Page,
  { draft, facts }: PageState,
  secret: string,
): readonly PageChoice[] {
  const { l10n } = vscode;
  const [first, ...others] = actions.map(({ act, label, icon }) => ({
    act,
    label,
    iconPath: new vscode.ThemeIcon(icon),
  }));
  const masked = extractKey(draft.rpcUrl)?.url;
  return [
    ...(masked === undefined ? [] : [createStoreKeyRow()]),
    ...(first ? [{ ...first, description: facts ? formatEndpoint(facts) : untested }] : []),
    { label: l10n.t('Fields'), kind: vscode.QuickPickItemKind.Separator, act: undefined },
    { ...createFieldRow(l10n.t('URL'), masked ?? draft.rpcUrl), field: 'rpcUrl' },
    ...(mayHoldKey(draft.rpcUrl) ? [createKeyWarningRow()] : []),
    { ...createFieldRow(l10n.t('API Key'), secret), field: 'secret' },
    ...Object.entries(getNetworkFields()).map(([id, { label }]) => {
      const field = id as FieldId;
      return { ...createFieldRow(label, draft[field]), field };
    }),
    ...(others.length > 0 ? [{ label: '', kind: vscode.QuickPickItemKind.Separator, act: undefined }] : []),
    ...others,
  ];
}

/** The first row of the page, which Enter picks. */
function createStoreKeyRow(): PageChoice {
  return {
    label: vscode.l10n.t('Move the Key to Secret Storage'),
    description: vscode.l10n.t('settings.json stores the URL without it'),
    iconPath: new vscode.ThemeIcon('lock'),
    act: STORE_KEY,
  };
}

function createKeyWarningRow(): PageChoice {
  return {
    label: vscode.l10n.t('The URL seems to contain a key'),
    description: vscode.l10n.t('settings.json stores it as plain text'),
    iconPath: new vscode.ThemeIcon('warning'),
    act: undefined,
    isInformation: true,
  };
}

function createFieldRow(label: string, value: string | number | undefined): PageChoice {
  return {
    label,
    description: value === undefined ? vscode.l10n.t('none') : String(value),
    iconPath: new vscode.ThemeIcon('edit'),
    act: undefined,
  };
}

function formatEndpoint({ server, block, url }: EndpointFacts): string {
  return vscode.l10n.t('{0} · block {1}', formatServer(server) ?? safeUrl(url), formatNumber(block));
}
