import * as vscode from 'vscode';
import {
  getGatewayChain,
  parseRpcAuth,
  type RpcAuth,
  requiresSecret,
  SECRET_PLACEHOLDER,
  safeUrl,
} from '../../core/index.ts';
import { isPrivate } from '../../host/session/isPrivate.ts';
import { type Choice, openInput, pickOne } from '../../host/surface/questions.ts';
import { type Asked, checkSecret } from './checkSecret.ts';
import type { NetworkDeps } from './deps.ts';
import { askForKey } from './keyInput.ts';

/** Asks for the secret of an endpoint, and tries it there; undefined when left. */
export async function askForSecret(deps: NetworkDeps, endpoint: Asked): Promise<string | undefined> {
  const answer = await askForKey({
    title: vscode.l10n.t('Set Endpoint Secret'),
    prompt: promptFor(endpoint),
    signUpUrl: signUpUrlOf(endpoint.rpcUrl),
    check: (secret, options) => checkSecret(deps, { endpoint, secret }, options),
  });
  return answer?.key;
}

/** Where Blockscout gives out keys for its gateway. */
function signUpUrlOf(rpcUrl: string): string | undefined {
  const isGateway =
    new URL(rpcUrl).origin === 'https://api.blockscout.com' && getGatewayChain(rpcUrl) !== undefined;
  return isGateway ? 'https://dev.blockscout.com' : undefined;
}

function promptFor({ rpcUrl, rpcAuth }: Asked): string {
  const { l10n } = vscode;
  const origin = safeUrl(rpcUrl);
  const words = isPrivate(rpcUrl)
    ? l10n.t('Key for {0}. It is kept in the secret storage of this machine and sent only there.', origin)
    : l10n.t('Key for {0}. Careful: without https it can be read on its way there.', origin);
  return `${words} ${placeWords(rpcAuth)}`;
}

function placeWords(rpcAuth: RpcAuth | undefined): string {
  const { l10n } = vscode;
  if (rpcAuth === undefined) {
    return l10n.t(
      'It goes in the URL of each request, where proxies and logs, VS Code’s own at level Debug too, can show it.',
    );
  }
  if (rpcAuth === 'bearer') return l10n.t('It goes as a bearer token in the header “authorization”.');
  return l10n.t('It goes in the header “{0}”.', rpcAuth.slice('header:'.length));
}

/** How the place of an endpoint's secret is named where it stands in a list. */
export function placeName({ rpcUrl, rpcAuth }: Asked): string {
  const { l10n } = vscode;
  if (!requiresSecret({ rpcUrl, rpcAuth })) return l10n.t('none');
  if (rpcAuth === undefined) return l10n.t('in the URL');
  return rpcAuth === 'bearer'
    ? l10n.t('bearer token')
    : l10n.t('header {0}', rpcAuth.slice('header:'.length));
}

interface PlaceChoice extends Choice {
  readonly as: 'bearer' | 'header' | 'none';
}

/** Asks where the secret of an endpoint goes; undefined when left. `none` where it takes none any more. */
export async function askForPlace({ rpcUrl, rpcAuth }: Asked): Promise<RpcAuth | 'none' | undefined> {
  const { l10n } = vscode;
  const choices: PlaceChoice[] = [
    { as: 'bearer', label: l10n.t('Bearer Token'), description: l10n.t('header “authorization”') },
    { as: 'header', label: l10n.t('Another Header…'), description: l10n.t('such as x-api-key') },
    ...(rpcAuth === undefined
      ? []
      : [{ as: 'none' as const, label: l10n.t('No Secret'), description: l10n.t('asked as everyone is') }]),
  ];
  const placeHolder = l10n.t(
    'Where {0} looks for its key. In its URL: write {1} there instead',
    ...[safeUrl(rpcUrl), SECRET_PLACEHOLDER],
  );
  const picked = await pickOne(choices, { title: l10n.t('Endpoint Secret'), placeHolder });
  return picked?.as === 'header' ? askForHeader() : picked?.as;
}

function askForHeader(): Promise<RpcAuth | undefined> {
  const { l10n } = vscode;
  return new Promise((resolve) => {
    const { box, showProblem } = openInput(l10n.t('Endpoint Secret'), l10n.t('Name of the header'), {
      placeHolder: 'x-api-key',
    });
    box.ignoreFocusOut = true;
    box.onDidChangeValue(() => showProblem());
    box.onDidAccept(() => {
      const place = parseRpcAuth(`header:${box.value.trim()}`);
      if (place === undefined) {
        const message = l10n.t('Not the name of a header that is free for a key.');
        return showProblem({ message, severity: vscode.InputBoxValidationSeverity.Error });
      }
      resolve(place);
      box.hide();
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}
