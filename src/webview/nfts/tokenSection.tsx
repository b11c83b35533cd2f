import { Field } from '../kit/field.tsx';
import { ask, leaveTokenId, typedTokenId } from './actions.ts';
import { PartSection } from './part.tsx';
import type { NftState } from './state.ts';

/** Which token, and what its metadata says. */
export function TokenSection({ state }: { readonly state: NftState }) {
  const { strings, snapshot } = state;
  return (
    <PartSection state={state} name="token" part={snapshot.value.token} label={strings.token}>
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
          for (const action of snapshot.value.onEnter) ask(state, action);
        }}
      />
    </PartSection>
  );
}
