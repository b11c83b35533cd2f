import type { ComponentChildren } from 'preact';
import type { NftFact, PartName, WirePart } from '../../features/nfts/protocol.ts';
import { CopyIcon, ErrorBanner } from '../kit/panelParts.tsx';
import { callHost } from '../kit/panelState.ts';
import { runAction } from './nftActions.ts';
import type { NftState } from './nftState.ts';

/** A part: its facts and their provider, its error, and its buttons. */
export function PartSection({ state, name, part, label, children }: SectionProps) {
  return (
    <section aria-label={label} aria-busy={part.isLoading}>
      {children}
      <PartError state={state} name={name} part={part} />
      <p class="source" aria-live="polite">
        {part.status}
      </p>
      <PartActions state={state} name={name} part={part} />
      <Facts state={state} name={name} facts={part.facts} />
    </section>
  );
}

interface SectionProps extends PartProps {
  readonly label: string;
  /** Shown above the facts. */
  readonly children?: ComponentChildren;
}

interface PartProps {
  readonly state: NftState;
  readonly name: PartName;
  readonly part: WirePart;
}

/** The buttons of a part, each with a note on what it requests and costs; *Cancel* while it loads. */
export function PartActions({ state, name, part }: PartProps) {
  if (part.offers.length === 0 && !part.isLoading) return null;
  return (
    <div class="offers">
      {part.offers.map(({ action, title, note }) => (
        <div key={action} class="offer">
          <button
            type="button"
            aria-describedby={note ? `note-${action}` : undefined}
            onClick={() => runAction(state, action, title)}
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
        <button type="button" onClick={() => void callHost(state, 'cancel', name)}>
          {state.strings.cancel}
        </button>
      )}
    </div>
  );
}

export function PartError({ state, name, part }: PartProps) {
  if (!part.error) return null;
  return (
    <ErrorBanner
      error={part.error}
      tryAgain={{ title: state.strings.tryAgain, run: () => void callHost(state, 'tryAgain', name) }}
      onRemedy={(title) => void callHost(state, 'remedy', { part: name, title })}
    />
  );
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
                onClick={() => void callHost(state, 'copyText', fact.full ?? fact.value)}
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

interface FactsProps {
  readonly state: NftState;
  readonly name: PartName;
  readonly facts: readonly NftFact[];
}
