import * as vscode from 'vscode';
import { harmless } from './harmless.ts';

const LONGEST_TITLE = 200;
const LONGEST_WORDS = 600;

export type InputProblem = string | vscode.InputBoxValidationMessage;

export type InputWords = Pick<vscode.InputBoxOptions, 'value' | 'ignoreFocusOut'> & {
  readonly title: string;
  readonly prompt: string;
  readonly placeHolder?: string;
  readonly validateInput: (text: string) => InputProblem | undefined;
};

/** Asks for a text; undefined when left with Escape. */
export function askForText(words: InputWords): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    ...words,
    title: harmless(words.title, LONGEST_TITLE),
    prompt: harmless(words.prompt, LONGEST_WORDS),
    placeHolder: harmless(words.placeHolder ?? '', LONGEST_TITLE),
    validateInput: (text) => {
      const problem = words.validateInput(text);
      if (typeof problem === 'string') return harmless(problem, LONGEST_WORDS);
      return problem && harmlessProblem(problem);
    },
  });
}

type Worded = 'title' | 'prompt' | 'placeholder' | 'validationMessage' | 'buttons';

/** An input box of which the caller holds all but its words. */
export interface OpenInput {
  readonly box: Omit<vscode.InputBox, Worded>;
  /** What is wrong, with a button that may help: its icon and its words. Nothing takes both away. */
  tell(problem?: vscode.InputBoxValidationMessage, button?: { icon: string; words: string }): void;
}

/** An input box that stays open until it is told to hide. */
export function openInput(title: string, prompt: string): OpenInput {
  const box = vscode.window.createInputBox();
  box.title = harmless(title, LONGEST_TITLE);
  box.prompt = harmless(prompt, LONGEST_WORDS);
  return {
    box,
    tell(problem, button) {
      box.validationMessage = problem && harmlessProblem(problem);
      box.buttons = button
        ? [{ iconPath: new vscode.ThemeIcon(button.icon), tooltip: harmless(button.words, LONGEST_TITLE) }]
        : [];
    },
  };
}

function harmlessProblem({ message, severity }: vscode.InputBoxValidationMessage) {
  return { message: harmless(message, LONGEST_WORDS), severity };
}
