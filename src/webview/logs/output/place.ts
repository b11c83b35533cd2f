import { type ReadonlySignal, signal } from '@preact/signals';
import type { FocusPlace } from '../../kit/focusPlace.ts';

/** Where an answer is drawn: a tree of its own, so that neither styles nor ids meet those of other outputs. */
export interface OutputPlace {
  readonly root: ShadowRoot;
  readonly page: HTMLElement;
  readonly width: ReadonlySignal<number>;
  isIn(element: HTMLElement): boolean;
  dispose(): void;
}

export function drawnIn(element: HTMLElement, style: string): OutputPlace {
  const host = document.createElement('div');
  element.replaceChildren(host);
  const root = host.attachShadow({ mode: 'open' });
  const sheet = document.createElement('style');
  sheet.textContent = style;
  root.append(sheet);
  const page = document.createElement('div');
  const width = signal(element.clientWidth);
  const observer = new ResizeObserver(() => {
    width.value = host.clientWidth;
  });
  observer.observe(host);
  host.addEventListener('wheel', keepWheel, { passive: true });
  host.addEventListener('keydown', keepKey);
  return {
    ...{ root, page, width },
    isIn: (other) => other.contains(host),
    dispose() {
      observer.disconnect();
      host.remove();
    },
  };
}

/** Where the keyboard is: an answer in an output never takes it by itself. */
export function focusIn({ activeElement }: ShadowRoot): FocusPlace {
  return activeElement?.closest('[role="grid"]') ? 'grid' : 'elsewhere';
}

/** The notebook scrolls by the wheel too, and does not see into this tree: what scrolls here has it first. */
function keepWheel(event: WheelEvent): void {
  for (const node of event.composedPath()) {
    if (node === event.currentTarget) return;
    if (!(node instanceof Element) || node.scrollHeight <= node.clientHeight) continue;
    const isAtTop = node.scrollTop <= 0;
    const isAtEnd = node.scrollTop + node.clientHeight >= node.scrollHeight - 1;
    if ((event.deltaY < 0 && !isAtTop) || (event.deltaY > 0 && !isAtEnd)) {
      event.stopPropagation();
      return;
    }
  }
}

/** Single keys are commands of the notebook: those that are typed here, or move in the grid, are not. */
function keepKey(event: KeyboardEvent): void {
  const isCombined = event.ctrlKey || event.metaKey || event.altKey;
  if (!isCombined && !/^(?:Escape|Tab|F\d+)$/.test(event.key)) event.stopPropagation();
}
