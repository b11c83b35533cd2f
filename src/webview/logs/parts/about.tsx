import type { Signal } from '@preact/signals';
import type { AboutAnswer as Known } from '../../../features/logs/protocol/logsSnapshot.ts';
import type { LogsStrings } from '../../../features/logs/protocol/strings.ts';

interface AboutProps {
  readonly isOpen: Signal<boolean>;
  readonly known: Known;
  readonly strings: LogsStrings;
}

const ID = 'about-answer';

/** Opens and closes what there is to know of the answer; not there without any. */
export function AboutButton({ isOpen, known, strings }: AboutProps) {
  if (known.facts.length === 0) return null;
  return (
    <button
      type="button"
      class="icon"
      id={`${ID}-button`}
      aria-label={strings.about}
      title={strings.about}
      aria-expanded={isOpen.value}
      aria-controls={isOpen.value ? ID : undefined}
      onClick={() => {
        isOpen.value = !isOpen.value;
      }}
    >
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path
          d="M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M8 7v4.5M8 4.2v1.4"
          fill="none"
          stroke="currentColor"
          stroke-width="1.2"
        />
      </svg>
    </button>
  );
}

/** Where the answer stands and what was asked of whom, while it is open. */
export function AboutAnswer({ isOpen, known, strings }: AboutProps) {
  const { facts, notes } = known;
  if (!isOpen.value || facts.length === 0) return null;
  return (
    <section
      class="about"
      id={ID}
      aria-label={strings.about}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        isOpen.value = false;
        document.getElementById(`${ID}-button`)?.focus();
      }}
    >
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <dl>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Why the answer is not certain to be complete: always in sight. */
export function Doubts({ known: { doubts }, strings }: Omit<AboutProps, 'isOpen'>) {
  if (doubts.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <ul class="doubts" tabIndex={0} aria-label={strings.doubts}>
      {doubts.map((doubt) => (
        <li key={doubt}>{doubt}</li>
      ))}
    </ul>
  );
}
