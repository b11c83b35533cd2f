import * as vscode from 'vscode';

/** Messages to and from the views that a renderer draws, in all notebooks that are in sight. */
export interface RendererMessages {
  post(message: unknown): void;
  readonly onDidReceive: vscode.Event<unknown>;
}

export function openRendererMessages(rendererId: string): RendererMessages & vscode.Disposable {
  const messaging = vscode.notebooks.createRendererMessaging(rendererId);
  const received = new vscode.EventEmitter<unknown>();
  const listening = messaging.onDidReceiveMessage(({ message }) => received.fire(message));
  return {
    post: (message) => void messaging.postMessage(message),
    onDidReceive: received.event,
    dispose() {
      listening.dispose();
      received.dispose();
    },
  };
}
