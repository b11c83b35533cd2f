import type { Signal } from '@preact/signals';

interface ReasonsProps {
  readonly isOpen: Signal<boolean>;
  readonly reasons: readonly string[];
}

/** Opens and closes the reasons of a status; not there without any. */
export function WhyButton({ isOpen, reasons, title }: ReasonsProps & { readonly title: string }) {
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
