import * as vscode from 'vscode';
import type { CommandId } from '../../manifest.ts';
import { harmless, harmlessLines, type Line } from './harmless.ts';

const LONGEST_TEXT = 120;
const LONGEST_LINE = 300;

interface StatusWords {
  /** Of the editor's icons, by name. */
  readonly icon: string;
  readonly text: string;
  readonly tooltip: readonly Line[];
  /** What a screen reader hears. */
  readonly spoken: string;
  readonly warns: boolean;
}

interface StatusBarItem extends vscode.Disposable {
  draw(words: StatusWords): void;
  show(): void;
  hide(): void;
}

/** An item at the left of the status bar that runs a command. */
export function openStatusItem(id: string, name: string, command: CommandId): StatusBarItem {
  const item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left, 50);
  item.name = harmless(name, LONGEST_TEXT);
  item.command = command;
  return {
    draw({ icon, text, tooltip, spoken, warns }) {
      item.text = `$(${icon}) ${harmless(text, LONGEST_TEXT)}`;
      item.tooltip = harmlessLines(tooltip, LONGEST_LINE);
      item.accessibilityInformation = { label: harmless(spoken, LONGEST_LINE) };
      item.backgroundColor = warns ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    },
    show: () => item.show(),
    hide: () => item.hide(),
    dispose: () => item.dispose(),
  };
}
