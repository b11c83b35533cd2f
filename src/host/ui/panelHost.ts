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
import { isSameChain } from '../session/networks.ts';
import type { Session } from '../session/session.ts';
import { createThrottle, type Throttle } from '../timing.ts';

/** Milliseconds between two snapshots while more of the same comes in. */
const SHOW_INTERVAL_MS = 200;

/** Where a view lives: an editor tab, or a place that has its program already and passes its messages on. */
export interface PanelSurface {
  readonly webview: vscode.Webview | Pick<vscode.Webview, 'postMessage' | 'onDidReceiveMessage'>;
}

/** What a panel needs of the extension. */
interface PanelDeps {
  readonly extensionUri: vscode.Uri;
  readonly session: Pick<Session, 'network' | 'onDidChange'>;
  readonly clock: Clock;
  readonly log: vscode.LogOutputChannel;
}

interface PanelContent<Served, Shown> {
  /** The browser program of its view. */
  readonly program: Omit<WebviewProgram, 'extensionUri'>;
  /** What its view may call. */
  readonly methods: ServedMethods<Served>;
  /** Everything that its view shows, as it is now. */
  readonly shown: () => Shown;
  /** For a panel that is always of the active network; another one follows networks by itself. */
  readonly leaving?: {
    /** The network that its answers are of; undefined while there are none. */
    readonly askedNetwork: () => Network | undefined;
    /** Forgets the answers of a network that is not the active one any more. */
    readonly leaveNetwork: () => void;
  };
}

/**
 * What every panel has in common: it serves its view, which may come and go, and shows what there is, at most so often;
 * one without a network of its own follows the active one.
 */
export class PanelHost<Served extends Contract<Served>, Shown, Action extends string>
  implements vscode.Disposable
{
  /** When to tell the view what there is to show. */
  readonly showing: Throttle;
  /** Aborts when the panel is closed. */
  readonly signal: AbortSignal;
  readonly #channel: Channel<PanelView<Shown, Action>>;
  readonly #shown = new vscode.EventEmitter<void>();
  readonly #ended = new AbortController();
  readonly #subscriptions: readonly vscode.Disposable[];

  /** Fires after a message to the view, and when the view has told of a change of its own. */
  readonly onDidShow = this.#shown.event;

  constructor({ webview }: PanelSurface, deps: PanelDeps, content: PanelContent<Served, Shown>) {
    const { session, log } = deps;
    const { program } = content;
    this.signal = this.#ended.signal;
    this.showing = createThrottle(() => this.#show(content.shown), SHOW_INTERVAL_MS, deps.clock);
    this.#channel = openChannel<Served, PanelView<Shown, Action>>({
      post: (message) => webview.postMessage(message),
      methods: content.methods,
      toWireError: (error) => wireError(error, deps),
      onRefused: ({ message }) => log.warn(`Panel ${program.name}: refused a message. ${message}`),
    });
    this.#subscriptions = [
      webview.onDidReceiveMessage((message) => this.#channel.receive(message)),
      session.onDidChange(() => {
        const asked = content.leaving?.askedNetwork();
        if (asked && !isSameChain(asked, session.network)) content.leaving?.leaveNetwork();
        else this.showing.now();
      }),
      this.#shown,
      this.showing,
    ];
    if ('html' in webview) startWebview(webview, { ...program, extensionUri: deps.extensionUri });
  }

  /** Says that what can be done with the panel may have changed, though there is nothing new to show. */
  notifyChange(): void {
    this.#shown.fire();
  }

  /** Has the view do what its button of that name does. */
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

function wireError(error: unknown, { session, log }: PanelDeps): WireError {
  const { message } = describeError(error, { service: 'endpoint', network: session.network });
  if (isAppError(error)) return { code: error.kind, message, field: error.details.field };
  log.error(formatErrorForLog(error));
  return { code: 'internal', message };
}

/** The only folder that a webview may load from. */
function webviewRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}

interface WebviewProgram {
  readonly extensionUri: vscode.Uri;
  /** Of the browser program in `dist/webview`. */
  readonly name: string;
  /** Whether the page draws pictures that the host hands it as `data:` URLs. */
  readonly pictures?: boolean;
}

/** Puts a browser program into `webview`, with the least that it needs. */
function startWebview(webview: vscode.Webview, program: WebviewProgram): void {
  webview.options = {
    enableScripts: true,
    enableForms: false,
    localResourceRoots: [webviewRoot(program.extensionUri)],
  };
  webview.html = webviewHtml(webview, program);
}

/**
 * The page of a browser program. It holds no data: that arrives by message. Its content policy allows the program,
 * its style sheet and, if asked for, pictures out of messages; nothing else, no connection included.
 */
function webviewHtml(webview: vscode.Webview, { extensionUri, name, pictures }: WebviewProgram): string {
  const root = webviewRoot(extensionUri);
  const script = webview.asWebviewUri(vscode.Uri.joinPath(root, `${name}.js`));
  const style = webview.asWebviewUri(vscode.Uri.joinPath(root, `${name}.css`));
  const nonce = randomNonce();
  const images = pictures ? '; img-src data:' : '';
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'${images}`;
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

function randomNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
