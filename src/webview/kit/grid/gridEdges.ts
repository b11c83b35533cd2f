/**
 * Marks the sides of a grid where columns are out of view, for the style sheet. The returned function stops it.
 */
export function markHiddenColumns(frame: HTMLElement, scroller: HTMLElement): () => void {
  const mark = () => {
    const { scrollLeft, clientWidth, scrollWidth, offsetWidth, offsetHeight, clientHeight } = scroller;
    frame.classList.toggle('more-left', scrollLeft > 0);
    frame.classList.toggle('more-right', scrollLeft + clientWidth < scrollWidth - 1);
    frame.style.setProperty('--bar-width', `${offsetWidth - clientWidth}px`);
    frame.style.setProperty('--bar-height', `${offsetHeight - clientHeight}px`);
  };
  const observer = new ResizeObserver(mark);
  for (const element of [scroller, ...scroller.children]) observer.observe(element);
  scroller.addEventListener('scroll', mark, { passive: true });
  return () => {
    observer.disconnect();
    scroller.removeEventListener('scroll', mark);
  };
}
