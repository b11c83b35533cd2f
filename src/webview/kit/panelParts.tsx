import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { LoadingProgress, PanelError, Tone } from '../../messaging/panel.ts';

interface ErrorBannerProps {
  readonly problem: PanelError;
  readonly tryAgain: { readonly title: string; readonly run: () => void };
  readonly onRemedy: (title: string) => void;
}

/** What went wrong, with a way to go on. What is loaded stays beside it. */
export function ErrorBanner({ problem, tryAgain, onRemedy }: ErrorBannerProps) {
  return (
    <div class="banner error" role="alert">
      <div class="words">
        {problem.message}
        {problem.advice && <div class="advice">{problem.advice}</div>}
      </div>
      <ButtonRow>
        <button type="button" onClick={tryAgain.run}>
          {tryAgain.title}
        </button>
        {problem.remedies.map((title) => (
          <button key={title} type="button" onClick={() => onRemedy(title)}>
            {title}
          </button>
        ))}
      </ButtonRow>
    </div>
  );
}

/** The extension failed to do what was asked of it. */
export function HostErrorBanner({ words }: { readonly words: string | undefined }) {
  if (words === undefined) return null;
  return (
    <div class="banner error" role="alert">
      {words}
    </div>
  );
}

/** Buttons that stay together when they wrap. When the one with the focus goes, the first that is left takes it. */
export function ButtonRow({ children }: { readonly children: ComponentChildren }) {
  const row = useRef<HTMLDivElement>(null);
  const holdsFocus = () => row.current?.contains(document.activeElement) ?? false;
  const heldFocus = holdsFocus();
  useLayoutEffect(() => {
    if (heldFocus && !holdsFocus()) row.current?.querySelector('button')?.focus();
  });
  return (
    <div class="buttons" ref={row}>
      {children}
    </div>
  );
}

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
      aria-valuetext={progress?.label}
    >
      <div class="done" style={{ transform: percent === undefined ? '' : `scaleX(${percent / 100})` }} />
    </div>
  );
}

interface ReasonsProps {
  readonly isOpen: Signal<boolean>;
  readonly reasons: readonly string[];
}

/** Opens and closes the reasons of a status; not there without any. */
export function ReasonsButton({ isOpen, reasons, title }: ReasonsProps & { readonly title: string }) {
  if (reasons.length === 0) return null;
  return (
    <button
      type="button"
      class="plain"
      aria-expanded={isOpen.value}
      aria-controls={isOpen.value ? 'reasons' : undefined}
      onClick={() => {
        isOpen.value = !isOpen.value;
      }}
    >
      {title}
    </button>
  );
}

/** Why the status is what it is, while it is open. */
export function Reasons({ isOpen, reasons }: ReasonsProps) {
  if (reasons.length === 0 || !isOpen.value) return null;
  return (
    <ul class="reasons" id="reasons">
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}

/** `ahead`: there is nothing yet. */
type ShownTone = Tone | 'ahead';

/** Outlines on a field of 16 by 16. */
const TONE_PATHS: Readonly<Record<Exclude<ShownTone, 'plain'>, string>> = {
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
      <path d={TONE_PATHS[tone]} fill="none" stroke="currentColor" stroke-width="1.5" />
    </svg>
  );
}

/** On buttons that copy what stands beside them. */
export function CopyIcon() {
  return (
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path
        d="M5.5 5.5V2.5h8v8h-3M2.5 5.5h8v8h-8Z"
        fill="none"
        stroke="currentColor"
        stroke-linejoin="round"
      />
    </svg>
  );
}
