import { CopyIcon } from '../../kit/copyIcon.tsx';

interface CopyButtonProps {
  /** What it does, and to what. */
  readonly title: string;
  readonly name: string;
  readonly onCopy: () => void;
}

/** Copies what stands beside it. */
export function CopyButton({ title, name, onCopy }: CopyButtonProps) {
  return (
    <button type="button" class="icon copy" aria-label={`${title} ${name}`} title={title} onClick={onCopy}>
      <CopyIcon />
    </button>
  );
}
