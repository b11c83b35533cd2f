import { useState } from 'preact/hooks';
import { Field } from '../kit/field.tsx';
import { ask, leaveTokenId, typedTokenId } from './actions.ts';
import { Offers, PartProblem, PartSection } from './part.tsx';
import type { NftState } from './state.ts';

/** Which token, and what its metadata says. */
export function TokenSection({ state }: { readonly state: NftState }) {
  const { strings, snapshot } = state;
  const { token } = snapshot.value;
  return (
    <PartSection
      state={state}
      name="token"
      part={token}
      label={strings.token}
      below={<Picture state={state} />}
    >
      <Field
        id="tokenId"
        label={strings.tokenId}
        placeholder={strings.tokenIdHint}
        value={state.tokenId.value}
        hint={undefined}
        problem={state.tokenIdProblem.value}
        onInput={(text) => typedTokenId(state, text)}
        onLeave={() => leaveTokenId(state)}
        onEnter={() => {
          const first = snapshot.value.transfers.offers[0];
          if (first) ask(state, first.action);
        }}
      />
    </PartSection>
  );
}

/** The picture, once it was asked for. */
function Picture({ state }: { readonly state: NftState }) {
  const { strings } = state;
  const part = state.snapshot.value.picture;
  const picture = state.picture.value;
  const [unreadable, setUnreadable] = useState<string>();
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
