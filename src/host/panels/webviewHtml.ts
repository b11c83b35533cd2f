import * as vscode from 'vscode';

/** The only folder that a webview may load from. */
function webviewRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}

export interface WebviewProgram {
  readonly extensionUri: vscode.Uri;
  /** Of the browser program in `dist/webview`. */
  readonly name: string;
  /** Whether the page draws pictures that the host hands it as `data:` URLs. */
  readonly pictures?: boolean;
}

/** Puts a browser program into `webview`, with the least that it needs. */
export function startWebview(webview: vscode.Webview, program: WebviewProgram): void {
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
