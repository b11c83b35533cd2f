import type { Tone } from '../../messaging/panel.ts';

/** `ahead`: there is nothing yet. */
type ShownTone = Tone | 'ahead';

/** Outlines on a field of 16 by 16. */
const paths: Readonly<Record<Exclude<ShownTone, 'plain'>, string>> = {
  complete: 'M2.5 8.5 6 12l7.5-8',
  more: 'M8 2.5v11M3.5 9 8 13.5 12.5 9',
  uncertain: 'M8 1.8 15 14H1ZM8 6.2v4M8 11.4v1.2',
  cancelled: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M3.5 3.5l9 9',
  ahead: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M8 4.2V8l2.6 1.6',
  failed: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M5.5 5.5l5 5M10.5 5.5l-5 5',
};

/** The state of the answer at a glance; the words beside it say the same. */
export function ToneIcon({ tone }: { readonly tone: ShownTone }) {
  if (tone === 'plain') return null;
  return (
    <svg class={`tone ${tone}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={paths[tone]} fill="none" stroke="currentColor" stroke-width="1.5" />
    </svg>
  );
}
