import * as vscode from 'vscode';
import { Disposables } from '../../host/disposables.ts';
import type { SecretState, Session } from '../../host/session/session.ts';
import type { KeyState } from '../../host/session/sourceAccess.ts';

/** Whether the active network has a data API and a key for it, and a secret for its endpoint; read when it is first wanted, and when it changes. */
export class DataApiState implements vscode.Disposable {
  readonly #disposables = new Disposables();
  readonly #changed = this.#disposables.add(new vscode.EventEmitter<void>());
  readonly #session: Session;
  #state: KeyState | undefined;
  #secret: SecretState | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(session: Session) {
    this.#session = session;
    this.#disposables.add(
      session.onDidChangeSources(async () => {
        if (await this.#read()) this.#changed.fire();
      }),
    );
  }

  /** Undefined until {@link ready}. */
  get state(): KeyState | undefined {
    return this.#state;
  }

  /** Undefined until {@link ready}. */
  get secret(): SecretState | undefined {
    return this.#secret;
  }

  /** Without an event: the editor gives up a row to reveal where the view changes while it is being drawn. */
  async ready(): Promise<void> {
    if (this.#state === undefined) await this.#read();
  }

  dispose(): void {
    this.#disposables.dispose();
  }

  /** Whether anything has changed. */
  async #read(): Promise<boolean> {
    const { connection } = this.#session;
    const state = await this.#session.keyState().catch(() => 'noKey' as const);
    const secret = await this.#session.secretState().catch(() => 'missing' as const);
    if (connection !== this.#session.connection) return false;
    if (state === this.#state && secret === this.#secret) return false;
    this.#state = state;
    this.#secret = secret;
    return true;
  }
}
