/**
 * Gives the focus back to what had it in the page, when the keyboard comes back to the page: the browser forgets it when
 * another part of the window takes the keyboard, as a list to pick from does.
 */
export function keepFocus(): void {
  let last: HTMLElement | undefined;
  addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) last = target;
  });
  addEventListener('focus', () => {
    if (document.activeElement === document.body && last?.isConnected) last.focus({ preventScroll: true });
  });
}
