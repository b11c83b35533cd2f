import type { Signal } from '@preact/signals';

/** A button that opens and closes a part of the form. */
export function Toggle(props: {
  readonly open: Signal<boolean>;
  /** The id of the part. */
  readonly controls: string;
  readonly label: string;
}) {
  const { open, controls, label } = props;
  return (
    <button
      type="button"
      class="plain"
      aria-expanded={open.value}
      aria-controls={open.value ? controls : undefined}
      onClick={() => {
        open.value = !open.value;
      }}
    >
      <span aria-hidden="true">{open.value ? '▾' : '▸'}</span> {label}
    </button>
  );
}
