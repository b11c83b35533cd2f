import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Buttons that stay together when they wrap. When the one with the focus goes, the first that is left takes it. */
export function ButtonRow({ children }: { readonly children: ComponentChildren }) {
  const row = useRef<HTMLDivElement>(null);
  const holdsFocus = () => row.current?.contains(document.activeElement) ?? false;
  const heldFocus = holdsFocus();
  useLayoutEffect(() => {
    if (heldFocus && !holdsFocus()) row.current?.querySelector('button')?.focus();
  });
  return (
    <div class="buttons" ref={row}>
      {children}
    </div>
  );
}
