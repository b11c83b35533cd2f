import * as vscode from 'vscode';
import { isLoopbackUrl, type NetworkError, type RpcAuth } from '../core/index.ts';

/** Settings of VS Code that affect requests. */
export type EditorSetting = 'http.proxy' | 'http.systemCertificates';

/** What failed, and what to do first if that is known: two sentences without full stops. */
interface UnreachableDescription {
  readonly what: string;
  readonly hint?: string;
}

/** Describes why the server at `url` was not reached, including a known intermediary. */
export function describeUnreachable(error: NetworkError | undefined, url: string): UnreachableDescription {
  const { l10n } = vscode;
  const host = hostOf(url);
  switch (error?.at) {
    case 'proxySignIn':
      return {
        what: l10n.t(
          'Cannot reach {0}: the proxy requires a user name and password in http.proxy (HTTP 407)',
          host,
        ),
      };
    case 'proxyRefused':
      return {
        what: l10n.t('Cannot reach {0}: the proxy refused the connection (HTTP {1})', host, error.status),
      };
    case 'proxyUnreachable':
      return {
        what: l10n.t('Cannot reach {0}: the proxy does not respond', host),
        hint: l10n.t('Check http.proxy'),
      };
    case 'certificate':
      return {
        what: l10n.t('Cannot reach {0}: its certificate {1}', host, formatCertificateError(error.code)),
      };
    case 'crossOrigin':
      return describeCrossOriginError(url);
    case 'pagePolicy':
      return {
        what: l10n.t('In a browser, http works only with localhost and 127.0.0.1, not with {0}', host),
        hint: isLoopbackUrl(url)
          ? l10n.t('Enter 127.0.0.1 instead')
          : l10n.t('Use an https URL, or VS Code on the desktop'),
      };
    case 'localNotChosen':
      return {
        what: l10n.t('Not connected to {0} on this machine', host),
        hint: l10n.t('Refresh to connect. Your browser may ask for permission'),
      };
    default:
      return describeConnectionError(error?.code ?? '', url);
  }
}

/** A browser hides whether there was a response that the page may not read. */
function describeCrossOriginError(url: string): UnreachableDescription {
  const { l10n } = vscode;
  const host = hostOf(url);
  if (isLoopbackUrl(url)) {
    return {
      what: l10n.t('No node at {0}, or it does not allow web pages (CORS)', host),
      hint: l10n.t('Start anvil or hardhat node'),
    };
  }
  return {
    what: l10n.t('No response from {0}, or it does not allow web pages (CORS)', host),
    hint: l10n.t('Use another endpoint, or VS Code on the desktop'),
  };
}

function describeConnectionError(code: string, url: string): UnreachableDescription {
  const { l10n } = vscode;
  const host = hostOf(url);
  if (/^(ENOTFOUND|EAI_\w+)$/.test(code)) {
    return {
      what: l10n.t('Cannot reach {0}: DNS lookup failed', new URL(url).hostname),
      hint: l10n.t('Check the URL and your connection'),
    };
  }
  if (isLoopbackUrl(url)) {
    return { what: l10n.t('No node at {0}', host), hint: l10n.t('Start anvil or hardhat node') };
  }
  if (code === 'ECONNREFUSED') {
    return { what: l10n.t('Cannot reach {0}: connection refused', host), hint: l10n.t('Check the port') };
  }
  if (/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code)) {
    return { what: l10n.t('The connection to {0} was closed', host), hint: l10n.t('Retry') };
  }
  if (/TIMEDOUT|TIMEOUT/.test(code)) {
    return {
      what: l10n.t('Cannot reach {0}: connection timed out', host),
      hint: l10n.t('Check your connection'),
    };
  }
  if (/SSL|EPROTO/.test(code)) {
    return { what: l10n.t('Cannot reach {0} over https', host), hint: l10n.t('Check the URL') };
  }
  return { what: l10n.t('Cannot reach {0}', host), hint: l10n.t('Check your connection') };
}

/** Covers the common codes of OpenSSL and Node; others are shown, so that users can search for them. */
function formatCertificateError(code: string): string {
  const { l10n } = vscode;
  if (code.includes('SELF_SIGNED')) return l10n.t('is self-signed');
  if (code === 'CERT_HAS_EXPIRED') return l10n.t('has expired');
  if (code.includes('ALTNAME')) return l10n.t('is for another host name');
  return l10n.t('is not trusted ({0})', code);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : vscode.l10n.t('the server');
}

/** Codes on a machine without direct access to the internet: no name, no route, no response. */
const mayNeedProxy = /^(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/;

/**
 * Names only settings that the editor's `fetch` honours: it ignores `http.proxyAuthorization` and
 * `http.proxyStrictSSL`.
 *
 * @param rpcAuth where the secret of the endpoint goes, if the error is of an endpoint.
 */
export function getUnreachableAdvice(
  error: NetworkError | undefined,
  url: string,
  rpcAuth: RpcAuth | undefined,
): string | undefined {
  const { l10n } = vscode;
  switch (error?.at) {
    case 'proxySignIn':
      return l10n.t('Add the user name and password to http.proxy: http://USER:PASSWORD@HOST:PORT.');
    case 'proxyRefused':
    case 'proxyUnreachable':
      return l10n.t('The proxy comes from the setting http.proxy, the environment or the system.');
    case 'certificate':
      return l10n.t(
        'To trust it, add it to the certificates of this computer. Turn on http.systemCertificates and restart VS Code. http.proxyStrictSSL has no effect here.',
      );
    case 'crossOrigin':
      if (isLoopbackUrl(url)) {
        return l10n.t(
          'Allow the browser to reach this device when it asks. Some browsers and nodes refuse web pages. A geth node needs --http.corsdomain.',
        );
      }
      return rpcAuth === undefined
        ? undefined
        : l10n.t(
            'The key is sent in a header, which the server must allow for web pages. If your provider has URLs with the key in them, use such a URL.',
          );
    case 'pagePolicy':
    case 'localNotChosen':
      return undefined;
    default:
      return error !== undefined && mayNeedProxy.test(error.code)
        ? l10n.t('If you connect through a proxy, set http.proxy, and do not set http.proxySupport to off.')
        : undefined;
  }
}

/** The setting to check; undefined where no setting of the editor is involved. */
export function findUnreachableSetting(error: NetworkError | undefined): EditorSetting | undefined {
  if (error?.at === 'certificate') return 'http.systemCertificates';
  return error?.at.startsWith('proxy') ? 'http.proxy' : undefined;
}
