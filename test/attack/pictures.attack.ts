import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { type NftPanel, openNftContract } from '../e2e/support/nftPanel.ts';
import { assertWithinBounds } from './support/bounds.ts';
import { type WindowStrain, watchWindow } from './support/browserStrain.ts';
import { campaign, chosen } from './support/campaign.ts';
import { setDataApiKey, useHostileEditor } from './support/hostileEditor.ts';
import { type Behaviour, CONTRACT } from './support/hostileServer.ts';
import { harmlessPicture, pictureAttacks } from './support/pictures.ts';

/** A picture is drawn beside the window's own work; that it shows nothing new meanwhile may last so long. */
const LATEST_FRAME_MS = 2000;

describe('pictures of tokens that mean harm', () => {
  const editor = useHostileEditor();
  /** What the window goes through for a picture that is none of these. */
  let plain: WindowStrain;
  /** A token of its own for each: what was asked is kept for a while. */
  let tokenId = 0;

  before(async () => {
    await setDataApiKey(editor());
    plain = (await showPicture(harmlessPicture())).strain;
    await editor().workbench.runCommand('View: Close All Editors');
  });

  /** Opens a panel, has the picture shown, and waits until it is or is refused. */
  async function showPicture(url: string) {
    const { server, workbench } = editor();
    tokenId += 2;
    server.behaviour = metadataOf(`${tokenId}`, url);
    const panel = await openNftContract(workbench, CONTRACT);
    await panel.tokenId.fill(`${tokenId}`);
    const strain = await watchWindow(workbench.page, await frameOf(panel), async () => {
      await panel.button('Show Metadata').click();
      await panel.frame.locator('.picture img').or(panel.frame.getByRole('alert')).first().waitFor();
    });
    return { panel, strain };
  }

  for (const { name, url, refused } of chosen(pictureAttacks)) {
    it(`do not freeze the window: ${name}`, async () => {
      await editor().probe.watch(async () => {
        const { panel, strain } = await showPicture(url());
        if (refused) {
          assert.equal(await panel.frame.locator('img').count(), 0);
          assert.match((await panel.frame.getByRole('alert').textContent()) ?? '', refused);
        }
        const next = `${tokenId + 1}`;
        await panel.tokenId.fill(next);
        await panel.button('Show Metadata').click();
        await panel.frame
          .getByText(`Token ${next} is not indexed by the data API. Check the network.`)
          .waitFor();
        const longestBlockMs = Math.max(0, strain.longestBlockMs - plain.longestBlockMs);
        assertWithinBounds({ seconds: 0, grownMiB: strain.grownMiB, longestBlockMs }, 'window');
        const late = strain.longestFrameMs - plain.longestFrameMs;
        assert.ok(campaign.short || late < LATEST_FRAME_MS, `a frame was ${late} ms late`);
      });
    });
  }
});

/** A data API that has that picture in the metadata of that token. */
function metadataOf(tokenId: string, image: string): Behaviour {
  const item = {
    ...{ contract_address: CONTRACT, contract_name: 'Art', supports_erc: ['erc721'] },
    nft_data: [{ token_id: tokenId, external_data: { name: 'Token', image } }],
  };
  const body = JSON.stringify({ data: { chain_id: 31337, items: [item] }, error: false });
  return ({ url }) => (url.startsWith('/v1/') ? { body } : undefined);
}

async function frameOf(panel: NftPanel): Promise<Frame> {
  const root = await panel.frame.locator(':root').elementHandle();
  return (await root?.ownerFrame()) ?? assert.fail('The panel is gone.');
}
