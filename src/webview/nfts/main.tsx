import './nfts.css';
import type { NftSnapshot } from '../../features/nfts/protocol/nftSnapshot.ts';
import { type NftAction, nftActions } from '../../features/nfts/protocol/parts.ts';
import type { NftHost } from '../../features/nfts/protocol/protocol.ts';
import { type ViewState, viewStateSchema } from '../../features/nfts/protocol/viewState.ts';
import { HostFailureBanner } from '../kit/problemBanner.tsx';
import { startPanel } from '../kit/startPanel.tsx';
import { ask } from './actions.ts';
import { PartSection } from './part.tsx';
import { Picture } from './picture.tsx';
import { fetchPicture, showSnapshot } from './snapshots.ts';
import { createNftState, type NftState, viewState } from './state.ts';
import { TokenSection } from './tokenSection.tsx';
import { TransfersSection } from './transfersSection.tsx';

startPanel<NftHost, NftState, NftSnapshot, NftAction, ViewState>({
  kept: viewStateSchema,
  actions: nftActions,
  createState: createNftState,
  show: showSnapshot,
  act: ask,
  keep: viewState,
  begin: (state) => void fetchPicture(state),
  Page: NftPage,
});

function NftPage({ state }: { readonly state: NftState }) {
  const { heading, contract } = state.snapshot.value;
  return (
    <main class="page">
      <HostFailureBanner words={state.hostFailure.value} />
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
