import type * as vscode from 'vscode';

/**
 * Disposables that are disposed together, the last added first. One that is added afterwards is disposed at once.
 */
export class Disposables implements vscode.Disposable {
  readonly #owned = new Set<vscode.Disposable>();
  #ended = false;

  add<T extends vscode.Disposable>(disposable: T): T {
    if (this.#ended) disposable.dispose();
    else this.#owned.add(disposable);
    return disposable;
  }

  dispose(): void {
    this.#ended = true;
    const owned = [...this.#owned].reverse();
    this.#owned.clear();
    for (const disposable of owned) disposable.dispose();
  }
}
