import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { LoadingProgress, PanelError, Tone } from '../../messaging/panel.ts';

/** An error with buttons to retry or remedy it. Loaded rows stay visible. */
export function ErrorBanner({ error, tryAgain, onRemedy }: ErrorBannerProps) {
  return (
    <div class="banner error" role="alert">
      <div class="words">
        {error.message}
        {error.advice && <div class="advice">{error.advice}</div>}
      </div>
      <ButtonRow>
        <button type="button" onClick={tryAgain.run}>
          {tryAgain.title}
        </button>
        {error.remedies.map((title) => (
          <button key={title} type="button" onClick={() => onRemedy(title)}>
            {title}
          </button>
        ))}
      </ButtonRow>
    </div>
  );
}

interface ErrorBannerProps {
  readonly error: PanelError;
  readonly tryAgain: { readonly title: string; readonly run: () => void };
  readonly onRemedy: (title: string) => void;
}

/** An error of the extension itself. */
export function HostErrorBanner({ message }: { readonly message: string | undefined }) {
  if (message === undefined) return null;
  return (
    <div class="banner error" role="alert">
      {message}
    </div>
  );
}

/** Buttons that wrap as a group. If the focused button disappears, the first remaining one gets the focus. */
export function ButtonRow({ children }: { readonly children: ComponentChildren }) {
  const row = useRef<HTMLDivElement>(null);
  const hasFocus = () => row.current?.contains(document.activeElement) ?? false;
  const hadFocus = hasFocus();
  useLayoutEffect(() => {
    if (hadFocus && !hasFocus()) row.current?.querySelector('button')?.focus();
  });
  return (
    <div class="buttons" ref={row}>
      {children}
    </div>
  );
}

/** The thin progress bar above the grid, as in VS Code. Indeterminate without `progress`. */
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

interface ProgressBarProps {
  readonly name: string;
  readonly isLoading: boolean;
  readonly progress: LoadingProgress | undefined;
}

/** Shows or hides the reasons of a status; absent if there are none. */
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

/** The list of reasons, while it is open. */
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

interface ReasonsProps {
  readonly isOpen: Signal<boolean>;
  readonly reasons: readonly string[];
}

/** Shows the tone as an icon. The text beside it says the same, so screen readers skip it. */
export function ToneIcon({ tone }: { readonly tone: Tone }) {
  if (tone === 'plain') return null;
  return (
    <svg class={`tone ${tone}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={TONE_PATHS[tone]} fill="none" stroke="currentColor" stroke-width="1.5" />
    </svg>
  );
}

/** SVG outlines in a 16 × 16 view box. */
const TONE_PATHS: Readonly<Record<Exclude<Tone, 'plain'>, string>> = {
  complete: 'M2.5 8.5 6 12l7.5-8',
  more: 'M8 2.5v11M3.5 9 8 13.5 12.5 9',
  uncertain: 'M8 1.8 15 14H1ZM8 6.2v4M8 11.4v1.2',
  cancelled: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M3.5 3.5l9 9',
  unreached: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M8 4.2V8l2.6 1.6',
  failed: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M5.5 5.5l5 5M10.5 5.5l-5 5',
};

/** For buttons that copy the value beside them. */
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
