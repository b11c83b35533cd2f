/**
 * A labelled text field with a hint below. Its validation error lies over what is below while the field has the focus or
 * the pointer, so that it moves nothing. The field takes several lines, so that a pasted list
 * keeps its line breaks. Enter submits; Shift+Enter inserts a line break.
 */
export function Field(props: FieldProps) {
  const { id, label, type, value, problem } = props;
  return (
    <div class={`field ${id}`}>
      <label for={id}>{label}</label>
      {type && <span class="type">{type}</span>}
      <textarea
        id={id}
        rows={1}
        spellcheck={false}
        autocomplete="off"
        placeholder={props.placeholder}
        value={value}
        aria-invalid={problem !== undefined}
        title={props.info}
        aria-describedby={findNoteId(props)}
        onInput={(event) => props.onInput(event.currentTarget.value)}
        onBlur={props.onLeave}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          props.onEnter();
        }}
      />
      <FieldNote {...props} />
    </div>
  );
}

export interface FieldProps {
  readonly id: string;
  readonly label: string;
  /** The type of the value, shown beside the label. */
  readonly type?: string | undefined;
  readonly placeholder: string;
  readonly value: string;
  readonly hint: string | undefined;
  /** Text of the tooltip. */
  readonly info?: string | undefined;
  readonly problem: string | undefined;
  readonly onInput: (value: string) => void;
  readonly onLeave: () => void;
  readonly onEnter: () => void;
}

/** The description of a field: its error and hint; for screen readers also its type and tooltip. */
export function FieldNote(props: FieldProps) {
  const { id, type, hint, info, problem } = props;
  if (!findNoteId(props)) return null;
  return (
    <div id={toNoteId(id)} class="note">
      {type && <span class="unseen">{type}</span>}
      {info && <span class="unseen">{info}</span>}
      {problem && <div class="problem">{problem}</div>}
      {hint && <div class="hint">{hint}</div>}
    </div>
  );
}

function toNoteId(id: string): string {
  return `${id}-note`;
}

/** The ID of a field's note; undefined if it has none. */
export function findNoteId({ id, type, hint, info, problem }: FieldProps): string | undefined {
  return problem || hint || info || type ? toNoteId(id) : undefined;
}
