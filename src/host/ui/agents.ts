import * as vscode from 'vscode';
import { createMarkdown, type MarkdownLines } from './markdown.ts';
import { escapeUiError, escapeUiText } from './untrustedText.ts';

/**
 * Offers MCP servers to the editor's agents. `programs` must not return secrets.
 *
 * @throws where the editor does not let extensions do so.
 */
export function registerMcpServers(
  id: string,
  provider: {
    readonly onDidChange: vscode.Event<unknown>;
    readonly programs: () => Promise<readonly ServerProgram[]>;
    /** Environment variables for the program with these arguments, requested when it is started. */
    readonly secrets: (args: readonly string[]) => Promise<Readonly<Record<string, string>>>;
  },
): vscode.Disposable {
  return vscode.lm.registerMcpServerDefinitionProvider(id, {
    onDidChangeMcpServerDefinitions: (listener, thisArgs, owners) =>
      provider.onDidChange(() => listener.call(thisArgs), undefined, owners),
    async provideMcpServerDefinitions() {
      const programs = await provider.programs();
      return programs.map(
        ({ name, command, args, env, version }) =>
          new vscode.McpStdioServerDefinition(
            escapeUiText(name, MAX_TITLE_CHARS),
            command,
            [...args],
            { ...env },
            version,
          ),
      );
    },
    async resolveMcpServerDefinition(server) {
      try {
        if (!(server instanceof vscode.McpStdioServerDefinition)) return undefined;
        server.env = { ...server.env, ...(await provider.secrets(server.args)) };
        return server;
      } catch (error) {
        throw escapeUiError(error);
      }
    },
  });
}

/** A program that serves agents over stdio. */
export interface ServerProgram {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** When it changes, the editor requests the tools again. */
  readonly version: string;
}

/** Registers a tool for the editor's agents; its result goes to a model as JSON. @throws as {@link registerMcpServers}. */
export function registerTool(
  name: string,
  tool: {
    readonly ask: (input: unknown, token: vscode.CancellationToken) => Promise<ToolConfirmation>;
    readonly run: (input: unknown, token: vscode.CancellationToken) => Promise<unknown>;
  },
): vscode.Disposable {
  return vscode.lm.registerTool<unknown>(name, {
    async prepareInvocation({ input }, token) {
      const { invocationMessage, title, lines } = await tool.ask(input, token);
      return {
        invocationMessage: escapeUiText(invocationMessage, MAX_TITLE_CHARS),
        confirmationMessages: { title: escapeUiText(title, MAX_TITLE_CHARS), message: createMarkdown(lines) },
      };
    },
    async invoke({ input }, token) {
      try {
        const text = JSON.stringify(await tool.run(input, token));
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
      } catch (error) {
        throw escapeUiError(error);
      }
    },
  });
}

/** What the user confirms before a tool runs. */
export interface ToolConfirmation {
  readonly invocationMessage: string;
  readonly title: string;
  readonly lines: MarkdownLines;
}

const MAX_TITLE_CHARS = 120;
