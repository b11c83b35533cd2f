import './nfts.css';
import { useState } from 'preact/hooks';
import {
  type NftAction,
  type NftHost,
  type NftSnapshot,
  type NftViewState,
  nftActions,
  nftViewStateSchema,
} from '../../features/nfts/protocol.ts';
import { Field } from '../kit/field.tsx';
import { startPanel } from '../kit/panelPage.tsx';
import { HostErrorBanner } from '../kit/panelParts.tsx';
import { changeTokenId, leaveTokenId, runAction } from './nftActions.ts';
import { applySnapshot, createNftState, fetchPicture, getViewState, type NftState } from './nftState.ts';
import { PartActions, PartError, PartSection } from './part.tsx';
import { TransfersSection } from './transfers.tsx';

startPanel<NftHost, NftState, NftSnapshot, NftAction, NftViewState>({
  savedStateSchema: nftViewStateSchema,
  actions: nftActions,
  createState: createNftState,
  show: applySnapshot,
  act: runAction,
  getStateToSave: getViewState,
  begin: (state) => void fetchPicture(state),
  Page: NftPage,
});

function NftPage({ state }: { readonly state: NftState }) {
  const { heading, contract } = state.snapshot.value;
  return (
    <main class="page">
      <HostErrorBanner message={state.hostError.value} />
      <h1>{heading}</h1>
      <div class="about">
        <Picture state={state} />
        <div class="parts">
          <TokenSection state={state} />
          <PartSection state={state} name="contract" part={contract} label={state.strings.contract} />
        </div>
      </div>
      <TransfersSection state={state} />
    </main>
  );
}

/** The picture, or buttons to load it; nothing if the token has none. */
function Picture({ state }: { readonly state: NftState }) {
  const { strings } = state;
  const part = state.snapshot.value.picture;
  const picture = state.picture.value;
  const [unreadable, setUnreadable] = useState<string>();
  const isEmpty = !picture && !part.isLoading && !part.status && !part.error && part.offers.length === 0;
  if (isEmpty) return null;
  return (
    <div class="picture" aria-busy={part.isLoading}>
      {picture && unreadable !== picture.url && (
        <img src={picture.url} alt={part.alt} onError={() => setUnreadable(picture.url)} />
      )}
      {picture && unreadable === picture.url && <p class="source">{strings.pictureUnreadable}</p>}
      {part.status && <p class="source">{part.status}</p>}
      <PartActions state={state} name="picture" part={part} />
      <PartError state={state} name="picture" part={part} />
    </div>
  );
}

/** The token ID, and the metadata of the token. */
function TokenSection({ state }: { readonly state: NftState }) {
  const { strings, snapshot } = state;
  return (
    <PartSection state={state} name="token" part={snapshot.value.token} label={strings.token}>
      <Field
        id="tokenId"
        label={strings.tokenId}
        placeholder={strings.tokenIdHint}
        value={state.tokenId.value}
        hint={undefined}
        problem={state.tokenIdError.value}
        onInput={(text) => changeTokenId(state, text)}
        onLeave={() => leaveTokenId(state)}
        onEnter={() => {
          for (const action of snapshot.value.onEnter) runAction(state, action);
        }}
      />
    </PartSection>
  );
}
