import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../../scripts/support/paths.ts';
import { testSettings } from '../../../scripts/support/workbench/testSettings.ts';
import { Editor } from './editor.ts';

const folder = mkdtempSync(join(tmpdir(), 'chainside-unit-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** The module `vscode` of unit tests: an editor in memory, one for each process. */
export const editor = new Editor({ folder, extension: projectRoot, settings: testSettings });
const { api } = editor;

export const { commands, env, extensions, l10n, languages, lm, notebooks, window, workspace } = api;
export const { CancellationTokenSource, Disposable, EventEmitter, FileSystemError, Uri } = api;
export const { Position, Range, RelativePattern, Selection, WorkspaceEdit } = api;
export const { MarkdownString, ThemeColor, ThemeIcon } = api;
export const { CodeAction, CodeLens, CompletionItem, CompletionList, Diagnostic, DocumentLink } = api;
export const { Hover, InlayHint, Location, NotebookCellData, NotebookData } = api;
export const { LanguageModelTextPart, LanguageModelToolResult, McpStdioServerDefinition } = api;
export const { TabInputCustom, TabInputNotebook, TabInputNotebookDiff, TabInputText } = api;
export const { TabInputTextDiff, TabInputWebview } = api;
export const { CodeActionKind, CompletionItemKind, ConfigurationTarget, DiagnosticSeverity } = api;
export const { FileChangeType, FilePermission, FileType, InputBoxValidationSeverity } = api;
export const { NotebookCellKind, ProgressLocation, QuickInputButtons, QuickPickItemKind } = api;
export const { StatusBarAlignment, TreeItemCollapsibleState, ViewColumn } = api;
