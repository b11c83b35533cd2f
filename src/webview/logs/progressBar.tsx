import type { LogsState } from './state.ts';

/** The thin bar on top of the grid, as the editor shows it: how far loading has come, or that something is loading. */
export function ProgressBar({ state }: { readonly state: LogsState }) {
  const { loading, progress } = state.snapshot.value;
  if (!loading) return <div class="progress" />;
  const percent = progress && Math.floor(progress.share * 100);
  return (
    <div
      class={progress ? 'progress' : 'progress unknown'}
      role="progressbar"
      aria-label={state.strings.loading}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={progress?.words}
    >
      <div class="done" style={{ transform: percent === undefined ? '' : `scaleX(${percent / 100})` }} />
    </div>
  );
}
