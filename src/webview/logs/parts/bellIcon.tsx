/** In the colour of the text that it stands in. */
export function BellIcon() {
  return (
    <svg class="bell" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path
        d="M8 2a4 4 0 0 0-4 4v3L2.8 11.5h10.4L12 9V6a4 4 0 0 0-4-4M6.5 13.5a1.5 1.5 0 0 0 3 0"
        fill="none"
        stroke="currentColor"
        stroke-width="1.2"
        stroke-linejoin="round"
      />
    </svg>
  );
}
