import { isAppError, parseEventSignature } from '../../core/index.ts';
import type { FormField } from '../../features/logs/protocol/queryForm.ts';
import { wrongChecksums } from '../../features/logs/protocol/queryForm.ts';
import { fill } from '../../messaging/fill.ts';
import { Field } from '../kit/field.tsx';
import { judgeField, runQuery, typed } from './actions.ts';
import type { LogsState } from './state.ts';

/** The form on top. Not an HTML form: the page has no need of the capability to submit one. */
export function QueryForm({ state }: { readonly state: LogsState }) {
  const { strings, topicsOpen } = state;
  const form = state.form.value;
  const problems = state.problems.value;
  const field = (
    name: FormField,
    label: string,
    inside: { readonly placeholder: string; readonly hint?: string | undefined },
  ) => (
    <Field
      id={name}
      label={label}
      placeholder={inside.placeholder}
      value={form[name]}
      hint={inside.hint}
      problem={problems[name]}
      onInput={(value) => typed(state, name, value)}
      onLeave={() => judgeField(state, name)}
      onEnter={() => void runForm(state)}
    />
  );
  return (
    <search class="form" aria-label={strings.query}>
      <div class="fields">
        {field('address', strings.address, { placeholder: strings.addressHint, hint: checksumHint(state) })}
        {field('event', strings.event, { placeholder: strings.eventHint, hint: topic0Hint(form.event) })}
        {field('fromBlock', strings.fromBlock, { placeholder: 'earliest' })}
        {field('toBlock', strings.toBlock, { placeholder: 'latest' })}
      </div>
      {topicsOpen.value && (
        <div class="fields topics" id="topics">
          {field('topic1', strings.topic1, { placeholder: strings.topicHint })}
          {field('topic2', strings.topic2, { placeholder: strings.topicHint })}
          {field('topic3', strings.topic3, { placeholder: strings.topicHint })}
        </div>
      )}
      <div class="actions">
        <button type="button" class="primary" onClick={() => void runForm(state)}>
          {strings.run}
        </button>
        <button
          type="button"
          class="plain"
          aria-expanded={topicsOpen.value}
          aria-controls={topicsOpen.value ? 'topics' : undefined}
          onClick={() => {
            topicsOpen.value = !topicsOpen.value;
          }}
        >
          <span aria-hidden="true">{topicsOpen.value ? '▾' : '▸'}</span> {strings.moreTopics}
        </button>
      </div>
    </search>
  );
}

/** Begins the query, or shows the first field that keeps it from it. */
export async function runForm(state: LogsState): Promise<void> {
  if (await runQuery(state)) return;
  if (topicProblem(state)) state.topicsOpen.value = true;
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}

function topicProblem({ problems }: LogsState): boolean {
  const { topic1, topic2, topic3 } = problems.value;
  return Boolean(topic1 ?? topic2 ?? topic3);
}

function checksumHint({ form, strings }: LogsState): string | undefined {
  const wrong = wrongChecksums(form.value.address);
  return wrong.length === 0 ? undefined : fill(strings.wrongChecksum, wrong.join(', '));
}

/** The topic0 that a typed signature stands for, so that it can be seen and checked. */
function topic0Hint(event: string): string | undefined {
  if (event.trim() === '' || event.trim().startsWith('0x')) return undefined;
  try {
    return `topic0 ${parseEventSignature(event).topic0}`;
  } catch (error) {
    if (isAppError(error, 'badInput')) return undefined;
    throw error;
  }
}
