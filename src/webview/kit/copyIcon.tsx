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
