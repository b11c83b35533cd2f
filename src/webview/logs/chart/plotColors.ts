/** As the style sheet has them, so that themes, high contrast and the system's colours are the style sheet's alone. */
export interface PlotColors {
  /** Of logs that are shown, and of those that do not pass the filter. */
  readonly bar: string;
  readonly rest: string;
  readonly selected: string;
  readonly marked: string;
  readonly unread: string;
}

export function takeColors(box: HTMLElement): PlotColors {
  const probe = document.createElement('span');
  probe.className = 'probe';
  box.append(probe);
  const take = (name: string) => {
    probe.style.color = `var(--chart-${name})`;
    return getComputedStyle(probe).color;
  };
  const colors = {
    ...{ bar: take('bar'), rest: take('rest'), selected: take('selected') },
    ...{ marked: take('marked'), unread: take('unread') },
  };
  probe.remove();
  return colors;
}
