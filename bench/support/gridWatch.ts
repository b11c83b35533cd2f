/** What the page has seen since it was last asked. */
export interface GridTimes {
  /** From a click or a jump until the rows in view were painted, in milliseconds. */
  readonly shown: readonly number[];
  /** From a click until the page heard anything of the extension, in milliseconds: the way there and back. */
  readonly heard: readonly number[];
  /** From one frame of scrolling to the next, in milliseconds. */
  readonly frames: readonly number[];
  /** Frames of scrolling that showed a row whose cells were still on their way. */
  readonly unfilled: number;
  /** Tasks of the page's thread that took 50 ms or more, which browsers call long, in milliseconds. */
  readonly longTasks: readonly number[];
}

/**
 * A program for the page of the log panel.
 *
 * - `gridWatch.expectRows()` takes the times from the next click on; `gridWatch.expected` settles with them.
 * - `gridWatch.jump(share)` drags the scroll bar to a share of its way and takes the time until other rows are in view.
 * - `gridWatch.scroll(frames)` scrolls up and down, a step a frame, at every 40th far away.
 * - `gridWatch.take()` gives the {@link GridTimes}.
 */
export const gridWatchProgram = `globalThis.gridWatch = (() => {
  const grid = document.querySelector('[role="grid"]');
  const nothing = () => ({ shown: [], heard: [], frames: [], unfilled: 0, longTasks: [] });
  let seen = nothing();
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.longTasks.push(duration);
  }).observe({ type: 'longtask' });
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const painted = () => new Promise((resolve) => setTimeout(resolve));
  const rowsInView = () => {
    const top = grid.querySelector('.head').getBoundingClientRect().bottom;
    const { bottom } = grid.getBoundingClientRect();
    return [...grid.querySelectorAll('.rows [data-row]')].filter((row) => {
      const place = row.getBoundingClientRect();
      return place.bottom > top && place.top < bottom;
    });
  };
  const noteWhenShown = async (started, isOther) => {
    const stand = (rows) => rows.length > 0 && rows.every((row) => row.ariaBusy === 'false' && isOther(row));
    do {
      await nextFrame();
      if (performance.now() - started > 10000) throw new Error('No rows within 10 s.');
    } while (!stand(rowsInView()));
    await painted();
    seen.shown.push(performance.now() - started);
  };
  return {
    expectRows() {
      const once = { capture: true, once: true };
      this.expected = new Promise((resolve) => {
        addEventListener('click', ({ timeStamp }) => {
          addEventListener('message', () => seen.heard.push(performance.now() - timeStamp), once);
          resolve(noteWhenShown(timeStamp, () => true));
        }, once);
      });
    },
    async jump(share) {
      const before = rowsInView().map((row) => row.dataset.row);
      const started = performance.now();
      grid.scrollTop = (grid.scrollHeight - grid.clientHeight) * share;
      await noteWhenShown(started, (row) => !before.includes(row.dataset.row));
    },
    async scroll(frames) {
      const most = grid.scrollHeight - grid.clientHeight;
      let last = await nextFrame();
      for (let frame = 0; frame < frames; frame++) {
        const step = frame % 80 < 40 ? 300 : -300;
        grid.scrollTop = frame % 40 === 0 ? most * ((frame * 0.37) % 1) : grid.scrollTop + step;
        const now = await nextFrame();
        seen.frames.push(now - last);
        last = now;
        if (rowsInView().some((row) => row.ariaBusy === 'true')) seen.unfilled++;
      }
    },
    take() {
      const taken = seen;
      seen = nothing();
      return taken;
    },
  };
})()`;
