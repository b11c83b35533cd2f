import * as vscode from 'vscode';
import type { NetworkFailure } from '../../core/index.ts';

/** Settings of VS Code itself that decide whether a request goes through. */
export type EditorSetting = 'http.proxy' | 'http.systemCertificates';

/** Why a server was not reached: what stands between it and this machine is named where it is known. */
export function unreachableReason(failure: NetworkFailure | undefined): string {
  const { l10n } = vscode;
  switch (failure?.at) {
    case 'proxySignIn':
      return l10n.t('not reached: the proxy asks for a sign-in (HTTP 407), which http.proxy can hold');
    case 'proxyRefused':
      return l10n.t('not reached: the proxy refused the connection (HTTP {0})', failure.status);
    case 'proxyUnreachable':
      return l10n.t('not reached: the proxy cannot be reached ({0})', failure.code);
    case 'certificate':
      return l10n.t('not reached: a certificate is refused ({0})', failure.code);
    default:
      return l10n.t('cannot be reached ({0})', failure?.code ?? l10n.t('no connection'));
  }
}

/** What a machine that has no way of its own to the server meets: no name, no route, no answer. */
const mayNeedProxy = /^(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/;

/** Names only settings that the editor's `fetch` heeds: `http.proxyAuthorization` and `http.proxyStrictSSL` are not. */
export function unreachableAdvice(failure: NetworkFailure | undefined): string | undefined {
  const { l10n } = vscode;
  switch (failure?.at) {
    case 'proxySignIn':
      return l10n.t('Write user name and password into http.proxy: http://USER:PASSWORD@HOST:PORT.');
    case 'proxyRefused':
    case 'proxyUnreachable':
      return l10n.t('The proxy is the one of the setting http.proxy, of the environment or of the system.');
    case 'certificate':
      return l10n.t(
        'To trust it, add it to the certificates of this computer, with http.systemCertificates on, and restart VS Code. http.proxyStrictSSL has no effect here.',
      );
    default:
      return failure !== undefined && mayNeedProxy.test(failure.code)
        ? l10n.t(
            'Where the internet is reached through a proxy, set it in http.proxy, with http.proxySupport other than off.',
          )
        : undefined;
  }
}

/** The setting to look at. */
export function unreachableSetting(
  failure: NetworkFailure | undefined,
): EditorSetting | 'chainside.networks' {
  if (failure?.at === 'certificate') return 'http.systemCertificates';
  return failure === undefined || failure.at === 'connection' ? 'chainside.networks' : 'http.proxy';
}
