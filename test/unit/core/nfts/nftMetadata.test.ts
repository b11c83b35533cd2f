import assert from 'node:assert/strict';
import {
  type AssetUrl,
  type ErrorKind,
  fetchNftMetadata,
  isAppError,
  systemClock,
} from '../../../../src/core/index.ts';
import { parseAssetUrl } from '../../../../src/core/nfts/assetUrl.ts';
import type { AssetContext } from '../../../../src/core/nfts/fetchMetadata.ts';

const of: AssetContext = { tokenId: 7n, standard: 'erc721', local: false };
const redirect = (location: string) => new Response(null, { status: 302, headers: { location } });

function asset(url: string, local = false): AssetUrl {
  return parseAssetUrl(url, { local }) ?? assert.fail(`${url} is no asset.`);
}

/** A host that gives these answers one after the other, and what it was asked. */
function hostOf(...answers: readonly Response[]) {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    return answers[asked.length - 1] ?? assert.fail('It asked once too often.');
  };
  return { http: { fetch, clock: systemClock }, asked };
}

async function refused(kind: ErrorKind, ...answers: readonly Response[]): Promise<void> {
  const { http } = hostOf(...answers);
  await assert.rejects(fetchNftMetadata(http, asset('https://meta.example.com/7'), of), (error) =>
    isAppError(error, kind),
  );
}

describe('metadata of an NFT in a file', () => {
  it('is read as ERC-721 has it, as plain and bounded text', async () => {
    const { http, asked } = hostOf(
      Response.json({
        ...{ name: 'One\u202eX', description: ' a\n b ', image: 'https://img.example.com/7.png', other: {} },
        ...{ animation_url: 'javascript:alert(1)', external_url: 'http://10.0.0.1/' },
        attributes: [
          { trait_type: 'Fur', value: 'Gold' },
          { value: 7 },
          { value: {} },
          ...Array.from({ length: 200 }, () => ({ value: true })),
        ],
      }),
    );
    const metadata = await fetchNftMetadata(http, asset('https://meta.example.com/7'), of);
    assert.deepEqual(asked, ['https://meta.example.com/7']);
    assert.deepEqual([metadata.name, metadata.description], ['One<U+202E>X', 'a b']);
    assert.deepEqual(metadata.image, { kind: 'https', url: 'https://img.example.com/7.png' });
    assert.deepEqual([metadata.animation, metadata.externalUrl], [undefined, undefined]);
    assert.deepEqual(metadata.attributes.slice(0, 2), [
      { trait: 'Fur', value: 'Gold', display: undefined },
      { trait: undefined, value: '7', display: undefined },
    ]);
    assert.equal(metadata.attributes.length + metadata.attributesSkipped, 203);
  });

  it('may have its picture in it, as an SVG', async () => {
    const { http } = hostOf(Response.json({ image_data: '<svg xmlns="http://www.w3.org/2000/svg"/>' }));
    const { image } = await fetchNftMetadata(http, asset('https://meta.example.com/7'), of);
    assert.equal(image?.kind === 'data' && image.mediaType, 'image/svg+xml');
  });

  it('comes through the gateway from IPFS, and not without one', async () => {
    const file = asset('ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/7.json');
    const { http, asked } = hostOf(Response.json({ name: 'Seven' }));
    await fetchNftMetadata(http, file, { ...of, ipfsGateway: 'https://ipfs.example.com' });
    assert.match(asked[0] ?? '', /^https:\/\/ipfs\.example\.com\/ipfs\/bafy.+\/7\.json$/);
    await assert.rejects(fetchNftMetadata(http, file, of), (error) => isAppError(error, 'badInput'));
  });

  for (const location of [
    'http://127.0.0.1/7',
    'https://192.168.0.1/7',
    'https://router.lan/7',
    'file:///etc/passwd',
  ]) {
    it(`is not followed to ${location}`, () => refused('redirected', redirect(location)));
  }

  it('is not followed for ever', () => {
    const on = () => redirect('https://meta.example.com/next');
    return refused('redirected', on(), on(), on(), on());
  });

  it('is refused where it is something else, missing, or too large', async () => {
    await refused('badResponse', new Response('<html>'));
    await refused('badResponse', Response.json(['a']));
    await refused('notFound', new Response('', { status: 404 }));
    await refused('tooLarge', new Response(new Uint8Array(1024 * 1024 + 1)));
    await refused('tooLarge', new Response(`{"a":[${'0,'.repeat(30_000)}0]}`));
    await refused('tooLarge', new Response(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`));
  });

  it('of a body without an end is given up at the limit', async () => {
    let sent = 0;
    let stopped = false;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 64 * 1024;
        controller.enqueue(new Uint8Array(64 * 1024).fill(0x20));
      },
      cancel() {
        stopped = true;
      },
    });
    await refused('tooLarge', new Response(endless));
    assert.ok(stopped && sent < 2 * 1024 * 1024, `${sent} bytes`);
  });

  it('on this machine is asked for on a network of this machine alone, and followed nowhere inside else', async () => {
    assert.equal(parseAssetUrl('http://127.0.0.1:3000/7'), undefined);
    for (const url of ['http://10.0.0.1/7', 'http://example.com/7', 'http://user:secret@localhost/7']) {
      assert.equal(parseAssetUrl(url, { local: true }), undefined, url);
    }
    const local = { ...of, local: true };
    const { http, asked } = hostOf(redirect('/8'), Response.json({ name: 'Eight' }));
    await fetchNftMetadata(http, asset('http://127.0.0.1:3000/7', true), local);
    assert.deepEqual(asked, ['http://127.0.0.1:3000/7', 'http://127.0.0.1:3000/8']);
    const astray = hostOf(redirect('http://10.0.0.1/8')).http;
    await assert.rejects(fetchNftMetadata(astray, asset('http://localhost/7', true), local), (error) =>
      isAppError(error, 'redirected'),
    );
    const lured = hostOf(redirect('http://127.0.0.1/8')).http;
    await assert.rejects(fetchNftMetadata(lured, asset('https://meta.example.com/7'), local), (error) =>
      isAppError(error, 'redirected'),
    );
  });
});
