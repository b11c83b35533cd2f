import type { ProblemWords } from '../../messaging/panel.ts';
import { ButtonRow } from './buttonRow.tsx';

interface ProblemBannerProps {
  readonly problem: ProblemWords;
  readonly tryAgain: { readonly title: string; readonly run: () => void };
  readonly onRemedy: (title: string) => void;
}

/** What went wrong, with a way to go on. What is loaded stays beside it. */
export function ProblemBanner({ problem, tryAgain, onRemedy }: ProblemBannerProps) {
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
export function HostFailureBanner({ words }: { readonly words: string | undefined }) {
  if (words === undefined) return null;
  return (
    <div class="banner error" role="alert">
      {words}
    </div>
  );
}
