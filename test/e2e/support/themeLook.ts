import type { Page } from 'playwright-core';
import { type Theme, themes } from '../../../scripts/support/workbench/driver.ts';
import { failedWait, waitUntil } from '../../../scripts/support/workbench/waitUntil.ts';

/** What is drawn of the extension in the workbench itself, and the least contrast of each: WCAG 2.2, 1.4.3 and 1.4.11. */
const drawn: readonly { readonly what: string; readonly selector: string; readonly least: number }[] = [
  { what: 'title of a view', selector: '.part.sidebar .pane-header .title', least: 4.5 },
  { what: 'label', selector: '.part.sidebar .monaco-list-row .label-name', least: 4.5 },
  // The workbench itself draws descriptions paler than labels.
  { what: 'description', selector: '.part.sidebar .monaco-list-row .label-description', least: 3 },
  {
    what: 'icon',
    selector: '.part.sidebar .monaco-list-row .custom-view-tree-node-item-icon.codicon',
    least: 3,
  },
  { what: 'status item', selector: '.statusbar-item[id^="chainside"] a', least: 4.5 },
];

interface Look {
  readonly kinds: readonly string[];
  /** From 0, black, to 1, white. */
  readonly background: number;
  readonly bordered: boolean;
  readonly seen: readonly { readonly what: string; readonly text: string; readonly contrast: number }[];
}

/** Waits until the views of the extension look as they should in a theme: the workbench goes over from one to another. */
export async function isReadable(page: Page, theme: Theme): Promise<void> {
  let findings: readonly string[] = [];
  const holds = async () => {
    findings = await themeFindings(page, theme);
    return findings.length === 0;
  };
  await waitUntil(`the views can be read in the theme ${theme}`, holds).catch((error) => {
    throw failedWait(`the views can be read in the theme ${theme}`, findings.join('\n') || error);
  });
}

/** What is wrong with how the views of the extension look in a theme, one line each. */
export async function themeFindings(page: Page, theme: Theme): Promise<readonly string[]> {
  const look = await lookAt(page);
  const findings: string[] = [];
  const { kind } = themes[theme];
  if (!look.kinds.includes(kind)) findings.push(`the workbench is drawn as ${look.kinds}, not as ${kind}`);
  const isLight = kind === 'vs' || kind === 'hc-light';
  if (isLight ? look.background < 0.7 : look.background > 0.1)
    findings.push(`its background is ${look.background.toFixed(2)} bright`);
  if (kind.startsWith('hc-') && !look.bordered) findings.push('nothing parts the views in high contrast');
  for (const { what, least } of drawn) {
    const found = look.seen.filter((each) => each.what === what);
    if (found.length === 0) findings.push(`no ${what} is drawn`);
    for (const { text, contrast } of found) {
      if (contrast < least) findings.push(`${what} “${text}” has a contrast of ${contrast.toFixed(2)}`);
    }
  }
  return findings;
}

function lookAt(page: Page): Promise<Look> {
  return page.evaluate((selectors) => {
    const { document, getComputedStyle } = globalThis as unknown as StyledWindow;
    type Colour = readonly [red: number, green: number, blue: number, alpha: number];
    const read = (text: string): Colour => {
      const [red = 0, green = 0, blue = 0, alpha = 1] = (text.match(/[\d.]+/g) ?? []).map(Number);
      return text.startsWith('color(')
        ? [red * 255, green * 255, blue * 255, alpha]
        : [red, green, blue, alpha];
    };
    const over = ([r, g, b, a]: Colour, [x, y, z]: Colour): Colour => {
      return [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
    };
    const backgroundOf = (element: StyledElement | null): Colour => {
      if (element === null) return [255, 255, 255, 1];
      const own = read(getComputedStyle(element).backgroundColor);
      return own[3] === 1 ? own : over(own, backgroundOf(element.parentElement));
    };
    const opacityOf = (element: StyledElement | null): number =>
      element === null ? 1 : Number(getComputedStyle(element).opacity) * opacityOf(element.parentElement);
    const luminance = ([r, g, b]: Colour) => {
      const [x = 0, y = 0, z = 0] = [r, g, b].map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const contrast = (one: Colour, other: Colour) => {
      const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
      return (light + 0.05) / (dark + 0.05);
    };
    const contrastOf = (element: StyledElement, before?: string) => {
      const behind = backgroundOf(element);
      const [r, g, b, alpha] = read(getComputedStyle(element, before).color);
      const shown = over([r, g, b, alpha * opacityOf(element)], behind);
      return contrast(shown, behind);
    };
    const seen = selectors.flatMap(({ what, selector }) =>
      [...document.querySelectorAll(selector)]
        .filter((element) => element.getBoundingClientRect().height > 0)
        .map((element) => ({
          ...{ what, text: element.textContent ?? '' },
          contrast: contrastOf(element, what === 'icon' ? '::before' : undefined),
        })),
    );
    const [workbench] = document.querySelectorAll('.monaco-workbench');
    const [sideBar] = document.querySelectorAll('.part.sidebar');
    const parts = document.querySelectorAll('.part.sidebar, .part.activitybar, .part.sidebar .pane-header');
    const bordered = [...parts].some((part) => {
      const { borderWidth, borderColor } = getComputedStyle(part);
      const behind = backgroundOf(part);
      const lines = borderColor.match(/[a-z]+\([^)]*\)/g) ?? [];
      return (
        /[1-9]/.test(borderWidth) && lines.some((line) => contrast(over(read(line), behind), behind) >= 3)
      );
    });
    return {
      kinds: (workbench?.className ?? '').split(' ').filter((name) => /^(vs|vs-dark|hc-\w+)$/.test(name)),
      background: luminance(backgroundOf(sideBar ?? null)),
      ...{ bordered, seen },
    };
  }, drawn);
}

interface StyledElement {
  readonly className: string;
  readonly textContent: string | null;
  readonly parentElement: StyledElement | null;
  getBoundingClientRect(): { readonly height: number };
}

interface StyledWindow {
  readonly document: { querySelectorAll(selector: string): Iterable<StyledElement> };
  getComputedStyle(
    element: StyledElement,
    before?: string,
  ): {
    readonly color: string;
    readonly backgroundColor: string;
    readonly opacity: string;
    readonly borderWidth: string;
    readonly borderColor: string;
  };
}
