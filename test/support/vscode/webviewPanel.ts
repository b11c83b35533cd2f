import type * as vscode from 'vscode';
import { URI } from 'vscode-uri';
import { EventEmitter } from './classes.ts';

/** Where files of the extension are for pages; nothing answers there but the tests. */
export const PAGE_ORIGIN = 'https://webview.test';

interface PanelEvents {
  readonly onDidActivate: () => void;
  readonly onDidDispose: () => void;
}

/** An editor tab with a webview, as the extension has it; its page connects to it by `post` and `onDidPost`. */
export class WebviewPanel {
  readonly viewType: string;
  title: string;
  /** What the page has stored for the time when it is hidden. */
  state: unknown;
  active = true;
  readonly #events: PanelEvents;
  readonly #posted = new EventEmitter<string>();
  readonly #received = new EventEmitter<unknown>();
  readonly #viewState = new EventEmitter<unknown>();
  readonly #disposed = new EventEmitter<void>();
  #fill: (html: string) => void = () => undefined;
  /** The page, once the extension has written it. */
  readonly html = new Promise<string>((resolve) => {
    this.#fill = resolve;
  });
  /** Fires with each message of the extension to the page, as JSON: what is no plain data does not arrive. */
  readonly onDidPost = this.#posted.event;
  readonly onDidDispose = this.#disposed.event;

  constructor(viewType: string, title: string, events: PanelEvents) {
    this.viewType = viewType;
    this.title = title;
    this.#events = events;
  }

  /** Hands a message of the page to the extension. */
  receive(message: unknown): void {
    this.#received.fire(message);
  }

  reveal(): void {
    this.active = true;
    this.#events.onDidActivate();
    this.#viewState.fire({ webviewPanel: this.asApi() });
  }

  deactivate(): void {
    if (!this.active) return;
    this.active = false;
    this.#viewState.fire({ webviewPanel: this.asApi() });
  }

  dispose(): void {
    this.active = false;
    this.#events.onDidDispose();
    this.#disposed.fire();
  }

  asApi(): vscode.WebviewPanel {
    this.#api ??= this.#createApi();
    return this.#api;
  }

  #api: vscode.WebviewPanel | undefined;

  #createApi(): vscode.WebviewPanel {
    const panel = this;
    const api = {
      ...{ viewType: panel.viewType, viewColumn: 1, iconPath: undefined, options: {} },
      get title() {
        return panel.title;
      },
      set title(title: string) {
        panel.title = title;
      },
      get active() {
        return panel.active;
      },
      // There is one group of tabs, with one in front.
      get visible() {
        return panel.active;
      },
      webview: {
        options: {},
        cspSource: PAGE_ORIGIN,
        set html(html: string) {
          panel.#fill(html);
        },
        asWebviewUri: (uri: URI) => URI.parse(`${PAGE_ORIGIN}${uri.path}`),
        postMessage: async (message: unknown) => {
          panel.#posted.fire(JSON.stringify(message));
          return true;
        },
        onDidReceiveMessage: panel.#received.event,
      },
      onDidDispose: panel.#disposed.event,
      onDidChangeViewState: panel.#viewState.event,
      reveal: () => panel.reveal(),
      dispose: () => panel.dispose(),
    };
    return api as unknown as vscode.WebviewPanel;
  }
}
