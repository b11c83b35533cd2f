import * as vscode from 'vscode';
import { Disposables } from '../../host/disposables.ts';
import type { Session } from '../../host/session/session.ts';
import type { KeyState } from '../../host/session/sourceAccess.ts';

/** Whether the active network has a data API and a key for it; read when it is first wanted, and when it changes. */
export class DataApiState implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #session: Session;
  #state: KeyState | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(session: Session) {
    this.#session = session;
    this.#disposables.add(session.onDidChangeSources(() => this.#read()));
  }

  /** Undefined until {@link ready}. */
  get state(): KeyState | undefined {
    return this.#state;
  }

  async ready(): Promise<void> {
    if (this.#state === undefined) await this.#read();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  async #read(): Promise<void> {
    const { connection } = this.#session;
    const state = await this.#session.keyState().catch(() => 'noKey' as const);
    if (connection !== this.#session.connection || state === this.#state) return;
    this.#state = state;
    this.#changed.fire();
  }
}
