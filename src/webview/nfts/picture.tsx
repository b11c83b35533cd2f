import { useState } from 'preact/hooks';
import { Offers, PartProblem } from './part.tsx';
import type { NftState } from './state.ts';

/** The picture, or how it can be had; nothing where the token has none. */
export function Picture({ state }: { readonly state: NftState }) {
  const { strings } = state;
  const part = state.snapshot.value.picture;
  const picture = state.picture.value;
  const [unreadable, setUnreadable] = useState<string>();
  const isEmpty = !picture && !part.isLoading && !part.status && !part.problem && part.offers.length === 0;
  if (isEmpty) return null;
  return (
    <div class="picture" aria-busy={part.isLoading}>
      {picture && unreadable !== picture.url && (
        <img src={picture.url} alt={part.alt} onError={() => setUnreadable(picture.url)} />
      )}
      {picture && unreadable === picture.url && <p class="source">{strings.pictureUnreadable}</p>}
      {part.status && <p class="source">{part.status}</p>}
      <Offers state={state} name="picture" part={part} />
      <PartProblem state={state} name="picture" part={part} />
    </div>
  );
}
