import './nfts.css';
import { render } from 'preact';
import * as z from 'zod/mini';
import {
  type NftHost,
  type NftSnapshot,
  type NftView,
  viewStateSchema,
} from '../../features/nfts/protocol/protocol.ts';
import { focusPlace } from '../kit/focusPlace.ts';
import { connectHost, keepAsItChanges, keptState } from '../kit/host.ts';
import { HostFailureBanner } from '../kit/problemBanner.tsx';
import { PartSection } from './part.tsx';
import { fetchPicture, takeSnapshot } from './snapshots.ts';
import { createNftState, type NftState, viewState } from './state.ts';
import { TokenSection } from './tokenSection.tsx';
import { TransfersSection } from './transfersSection.tsx';

// The page's content policy forbids building functions from text.
z.config({ jitless: true });

async function start(root: HTMLElement): Promise<void> {
  let state: NftState | undefined;
  let early: NftSnapshot | undefined;
  const host = connectHost<NftView, NftHost>({
    show: {
      params: z.custom<NftSnapshot>(),
      handle: (snapshot) => {
        if (state) takeSnapshot(state, snapshot, focusPlace());
        else early = snapshot;
      },
    },
  });
  const opening = await host.request('open', undefined);
  const kept = viewStateSchema.safeParse(keptState());
  const shown = createNftState(host, opening, kept.success ? kept.data : undefined);
  state = shown;
  if (early) takeSnapshot(shown, early, focusPlace());
  else void fetchPicture(shown);
  keepAsItChanges(() => viewState(shown));
  render(<NftPage state={shown} />, root);
}

function NftPage({ state }: { readonly state: NftState }) {
  const { heading, contract } = state.snapshot.value;
  return (
    <main class="page">
      <HostFailureBanner words={state.hostFailure.value} />
      <div class="about">
        <PartSection state={state} name="contract" part={contract} label={state.strings.contract}>
          <h1>{heading}</h1>
        </PartSection>
        <TokenSection state={state} />
      </div>
      <TransfersSection state={state} />
    </main>
  );
}

const page = document.getElementById('root');
if (page) start(page).catch((error: unknown) => page.replaceChildren(String(error)));
