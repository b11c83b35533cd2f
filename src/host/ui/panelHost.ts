import * as vscode from 'vscode';
import { type Clock, isAppError, type Network } from '../../core/index.ts';
import {
  type Channel,
  type Contract,
  openChannel,
  type ServedMethods,
  type WireError,
} from '../../messaging/channel.ts';
import type { PanelView } from '../../messaging/panel.ts';
import { describeError } from '../errors.ts';
import { formatErrorForLog } from '../log.ts';
import { isOnBothNetworks, isSameChain } from '../session/networks.ts';
import type { Session } from '../session/session.ts';
import { createThrottle, type Throttle } from '../timing.ts';

/**
 * What all panels share: serves the view, which may come and go, sends it throttled snapshots, and follows the
 * active network where the panel has none of its own.
 */
export class PanelHost<Served extends Contract<Served>, Shown, Action extends string>
  implements vscode.Disposable
{
  /** When to send the next snapshot. */
  readonly showing: Throttle;
  readonly signal: AbortSignal;
  readonly #channel: Channel<PanelView<Shown, Action>>;
  readonly #shown = new vscode.EventEmitter<void>();
  readonly #ended = new AbortController();
  readonly #subscriptions: readonly vscode.Disposable[];

  /** Fires after a snapshot is sent, and when the view reports a change of its own. */
  readonly onDidShow = this.#shown.event;

  constructor({ webview }: PanelSurface, deps: PanelDeps, content: PanelContent<Served, Shown>) {
    const { session, log } = deps;
    const { program } = content;
    this.signal = this.#ended.signal;
    this.showing = createThrottle(() => this.#show(content.shown), SHOW_INTERVAL_MS, deps.clock);
    this.#channel = openChannel<Served, PanelView<Shown, Action>>({
      post: (message) => webview.postMessage(message),
      methods: content.methods,
      toWireError: (error) => toWireError(error, deps),
      onRefused: ({ message }) => log.warn(`Panel ${program.name}: refused a message. ${message}`),
    });
    this.#subscriptions = [
      webview.onDidReceiveMessage((message) => this.#channel.receive(message)),
      session.onDidChange(() => {
        const resultsNetwork = content.leaving?.askedNetwork();
        if (resultsNetwork && !isSameChain(resultsNetwork, session.network)) content.leaving?.leaveNetwork();
        else this.showing.now();
      }),
      session.onDidReplaceChain((network) => {
        const resultsNetwork = content.leaving?.askedNetwork();
        if (resultsNetwork && isOnBothNetworks(resultsNetwork, network)) content.leaving?.leaveNetwork();
      }),
      this.#shown,
      this.showing,
    ];
    if ('html' in webview) startWebview(webview, { ...program, extensionUri: deps.extensionUri });
  }

  /** Fires `onDidShow` without a snapshot: what can be done with the panel may have changed. */
  notifyChange(): void {
    this.#shown.fire();
  }

  /** Makes the view act as if its button of that name were pressed. */
  act(action: Action): void {
    this.#channel.notify('act', action);
  }

  dispose(): void {
    this.#ended.abort();
    this.#channel.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #show(shown: () => Shown): void {
    if (this.signal.aborted) return;
    this.#channel.notify('show', shown());
    this.#shown.fire();
  }
}

/**
 * Where the view of a panel runs: an editor tab, or a host that has the program already and forwards its messages.
 */
export interface PanelSurface {
  readonly webview: vscode.Webview | Pick<vscode.Webview, 'postMessage' | 'onDidReceiveMessage'>;
}

interface PanelDeps {
  readonly extensionUri: vscode.Uri;
  readonly session: Pick<Session, 'network' | 'onDidChange' | 'onDidReplaceChain'>;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
}

interface PanelContent<Served, Shown> {
  readonly program: Omit<WebviewProgram, 'extensionUri'>;
  readonly methods: ServedMethods<Served>;
  /** The snapshot of everything that the view shows. */
  readonly shown: () => Shown;
  /** For a panel that always shows the active network. Other panels follow networks themselves. */
  readonly leaving?: {
    /** The network of the results; undefined while there are none. */
    readonly askedNetwork: () => Network | undefined;
    /** Drops the results of a network that is no longer active. */
    readonly leaveNetwork: () => void;
  };
}

/** Milliseconds between two snapshots while data streams in. */
const SHOW_INTERVAL_MS = 200;

function toWireError(error: unknown, { session, log }: PanelDeps): WireError {
  const { message } = describeError(error, { service: 'endpoint', network: session.network });
  if (isAppError(error)) return { code: error.kind, message, field: error.details.field };
  log.error(formatErrorForLog(error));
  return { code: 'internal', message };
}

/** The only folder that a webview may load from. */
function getWebviewRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}

interface WebviewProgram {
  readonly extensionUri: vscode.Uri;
  /** The name of the browser program in `dist/webview`. */
  readonly name: string;
  /** Whether the page shows images that the host sends as `data:` URLs. */
  readonly pictures?: boolean;
}

/** Loads a browser program into `webview`, with minimal permissions. */
function startWebview(webview: vscode.Webview, program: WebviewProgram): void {
  webview.options = {
    enableScripts: true,
    enableForms: false,
    localResourceRoots: [getWebviewRoot(program.extensionUri)],
  };
  webview.html = createWebviewHtml(webview, program);
}

/**
 * The page of a browser program. It contains no data, which arrives by message. Its content security policy allows
 * the script, the style sheet and, on request, `data:` images; nothing else, no connection included.
 */
function createWebviewHtml(
  webview: vscode.Webview,
  { extensionUri, name, pictures: hasImages }: WebviewProgram,
): string {
  const root = getWebviewRoot(extensionUri);
  const script = webview.asWebviewUri(vscode.Uri.joinPath(root, `${name}.js`));
  const style = webview.asWebviewUri(vscode.Uri.joinPath(root, `${name}.css`));
  const nonce = createNonce();
  const imagePolicy = hasImages ? '; img-src data:' : '';
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'${imagePolicy}`;
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="${style}">
    <title>Chainside</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="module" nonce="${nonce}" src="${script}"></script>
  </body>
</html>`;
}

function createNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
