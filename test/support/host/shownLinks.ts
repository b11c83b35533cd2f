import { commands, type DocumentLink, type Hover, MarkdownString, Position, type Uri, window } from 'vscode';

/** What the hovers at a place say. */
export async function hoverAt(uri: Uri, character: number, line = 0): Promise<readonly MarkdownString[]> {
  const place = new Position(line, character);
  const hovers = await commands.executeCommand<Hover[]>('vscode.executeHoverProvider', uri, place);
  return hovers.flatMap(({ contents }) => contents).filter((content) => content instanceof MarkdownString);
}

/** As {@link hoverAt}, as text without the escapes of Markdown. */
export async function hoverTextAt(...place: Parameters<typeof hoverAt>): Promise<string> {
  return (await hoverAt(...place)).map(({ value }) => value.replaceAll('\\', '')).join('\n');
}

/** Does what the link to `command` in a hover does. */
export async function followLink(text: string, command: string): Promise<void> {
  const [, args = ''] = text.split(`command:${command}?`)[1]?.match(/^([^)]*)\)/) ?? [];
  await commands.executeCommand(command, ...JSON.parse(decodeURIComponent(args)));
}

/** The targets of the links in a document, by default in the active one. */
export async function linksIn(uri = window.activeTextEditor?.document.uri): Promise<readonly string[]> {
  const links = await commands.executeCommand<DocumentLink[]>('vscode.executeLinkProvider', uri);
  return links.map(({ target }) => target?.toString(true) ?? '');
}
