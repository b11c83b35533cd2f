import { type ReadonlySignal, signal } from '@preact/signals';

/** The pixels between the sides of the view, however it is resized. */
export function viewWidth(): ReadonlySignal<number> {
  const width = signal(document.documentElement.clientWidth);
  addEventListener('resize', () => {
    width.value = document.documentElement.clientWidth;
  });
  return width;
}
