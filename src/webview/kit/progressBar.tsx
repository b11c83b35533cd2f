import type { LoadingProgress } from '../../messaging/panel.ts';

interface ProgressBarProps {
  readonly name: string;
  readonly isLoading: boolean;
  readonly progress: LoadingProgress | undefined;
}

/** The thin bar on top of the grid, as the editor shows it: how far loading has come, or that something is loading. */
export function ProgressBar({ name, isLoading, progress }: ProgressBarProps) {
  if (!isLoading) return <div class="progress" />;
  const percent = progress && Math.floor(progress.share * 100);
  return (
    <div
      class={progress ? 'progress' : 'progress unknown'}
      role="progressbar"
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={progress?.words}
    >
      <div class="done" style={{ transform: percent === undefined ? '' : `scaleX(${percent / 100})` }} />
    </div>
  );
}
