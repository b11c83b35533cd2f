import type { Theme } from '../../../scripts/support/workbench/driver.ts';
import colors from './themes.json' with { type: 'json' };

/** How a page is drawn in a theme. */
export interface PageTheme {
  /** As the editor names it on the body of a webview. */
  readonly kind: string;
  readonly variables: readonly (readonly [name: string, value: string])[];
  /** The editor's own style, which lies under that of the page. */
  readonly style: string;
}

/** What the style sheets use of each theme of the editor; an end-to-end test holds them to the editor's own. */
export const themeColors: Readonly<Record<Theme, { readonly kind: string; readonly variables: object }>> =
  colors;

export function pageTheme(theme: Theme): PageTheme {
  const { kind, variables } = themeColors[theme];
  return { kind, variables: Object.entries(variables), style };
}

const style = `@layer vscode-default {
  html { scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }
  body {
    padding: 0 20px;
    background: transparent;
    color: var(--vscode-editor-foreground);
    font-family: var(--vscode-font-family);
    font-size: var(--vscode-font-size);
    font-weight: var(--vscode-font-weight);
  }
  a { color: var(--vscode-textLink-foreground); }
  code {
    color: var(--vscode-textPreformat-foreground);
    background: var(--vscode-textPreformat-background);
  }
}`;
