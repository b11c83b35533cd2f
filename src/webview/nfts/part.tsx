import type { ComponentChildren } from 'preact';
import type { Fact, WirePart } from '../../features/nfts/protocol/nftSnapshot.ts';
import type { PartName } from '../../features/nfts/protocol/parts.ts';
import { CopyIcon } from '../kit/copyIcon.tsx';
import { ProblemBanner } from '../kit/problemBanner.tsx';
import { ask, cancel, copyText, remedy, tryAgain } from './actions.ts';
import type { NftState } from './state.ts';

interface PartProps {
  readonly state: NftState;
  readonly name: PartName;
  readonly part: WirePart;
}

/** The buttons of a part, each with what it asks and what that costs, and its cancel while it loads. */
export function Offers({ state, name, part }: PartProps) {
  if (part.offers.length === 0 && !part.isLoading) return null;
  return (
    <div class="offers">
      {part.offers.map(({ action, title, note }) => (
        <div key={action} class="offer">
          <button
            type="button"
            aria-describedby={note ? `note-${action}` : undefined}
            onClick={() => ask(state, action, title)}
          >
            {title}
          </button>
          {note && (
            <span class="note" id={`note-${action}`}>
              {note}
            </span>
          )}
        </div>
      ))}
      {part.isLoading && (
        <button type="button" onClick={() => cancel(state, name)}>
          {state.strings.cancel}
        </button>
      )}
    </div>
  );
}

export function PartProblem({ state, name, part }: PartProps) {
  if (!part.problem) return null;
  return (
    <ProblemBanner
      problem={part.problem}
      tryAgain={{ title: state.strings.tryAgain, run: () => tryAgain(state, name) }}
      onRemedy={(title) => remedy(state, name, title)}
    />
  );
}

interface FactsProps {
  readonly state: NftState;
  readonly name: PartName;
  readonly facts: readonly Fact[];
}

function Facts({ state, name, facts }: FactsProps) {
  if (facts.length === 0) return null;
  return (
    <dl class="facts">
      {facts.map((fact, index) => (
        <div key={`${index} ${fact.name}`} class="fact">
          <dt id={`${name}-${index}`}>{fact.name}</dt>
          <dd>
            <span class="value" title={fact.full ?? fact.value}>
              {fact.value}
            </span>
            {fact.canCopy && (
              <button
                type="button"
                class="plain copy"
                title={state.strings.copy}
                aria-label={state.strings.copy}
                aria-describedby={`${name}-${index}`}
                onClick={() => copyText(state, fact.full ?? fact.value)}
              >
                <CopyIcon />
              </button>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface SectionProps extends PartProps {
  /** Its accessible name. */
  readonly label: string;
  /** Stands above the facts. */
  readonly children?: ComponentChildren;
}

/** A part: what is known and where it was read, what went wrong, what can be asked. */
export function PartSection({ state, name, part, label, children }: SectionProps) {
  return (
    <section aria-label={label} aria-busy={part.isLoading}>
      {children}
      <PartProblem state={state} name={name} part={part} />
      <p class="source" aria-live="polite">
        {part.status}
      </p>
      <Offers state={state} name={name} part={part} />
      <Facts state={state} name={name} facts={part.facts} />
    </section>
  );
}
