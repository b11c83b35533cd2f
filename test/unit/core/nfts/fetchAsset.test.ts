import assert from 'node:assert/strict';
import {
  type AssetUrl,
  type ErrorKind,
  fetchNftMetadata,
  fetchNftPicture,
  PictureError,
  systemClock,
} from '../../../../src/core/index.ts';
import { parseAssetUrl } from '../../../../src/core/nfts/assetUrl.ts';
import type { AssetContext } from '../../../../src/core/nfts/fetchMetadata.ts';
import { png } from '../../../support/pictures.ts';

const PNG = png(3, 2);
const ACCEPTED = 'image/png, image/jpeg, image/gif, image/webp, image/svg+xml, image/bmp';
const inBase64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64');
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const HOSTILE = '<svg xmlns="http://www.w3.org/2000/svg"><use href="#a"/></svg>';
const picture = (headers: Record<string, string> = {}, body: Uint8Array<ArrayBuffer> = PNG) =>
  new Response(body, { headers: { 'content-type': 'image/png', ...headers } });
const redirect = (location: string) => new Response(null, { status: 302, headers: { location } });

function asset(url: string, local = false): AssetUrl {
  return parseAssetUrl(url, { local }) ?? assert.fail(`${url} is no asset.`);
}

/** A host that gives these answers one after the other, and what it was asked. */
function hostOf(...answers: readonly Response[]) {
  const asked: { readonly url: string; readonly headers: Record<string, string> }[] = [];
  const fetch = async (url: string, { headers }: { headers: Record<string, string> }) => {
    asked.push({ url, headers });
    return answers[asked.length - 1] ?? assert.fail('It asked once too often.');
  };
  return { http: { fetch, clock: systemClock }, asked };
}

async function refused(kind: ErrorKind, ...answers: readonly Response[]): Promise<void> {
  const { http } = hostOf(...answers);
  await assert.rejects(fetchNftPicture(http, asset('https://img.example.com/1')), { kind });
}

describe('picture of an NFT', () => {
  it('comes by https as a data URL of its own media type', async () => {
    const { http, asked } = hostOf(picture({ 'content-type': 'Image/PNG; charset=binary' }));
    const loaded = await fetchNftPicture(http, asset('https://img.example.com/1.png?a=b'));
    assert.deepEqual(loaded, { mediaType: 'image/png', url: `data:image/png;base64,${inBase64(PNG)}` });
    assert.deepEqual(asked, [{ url: 'https://img.example.com/1.png?a=b', headers: { accept: ACCEPTED } }]);
  });

  it('comes whole, however the bytes are', async () => {
    const bytes = new Uint8Array(100_000).map((_, index) => index % 256);
    bytes.set(PNG);
    const { http } = hostOf(picture({}, bytes));
    const { url } = await fetchNftPicture(http, asset('https://img.example.com/1'));
    assert.deepEqual(new Uint8Array(Buffer.from(url.split(',')[1] ?? '', 'base64')), bytes);
  });

  it('comes from IPFS through the gateway, and not without one', async () => {
    const image = asset('ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/1.png');
    const { http, asked } = hostOf(picture());
    await fetchNftPicture(http, image, { ipfsGateway: 'https://ipfs.example.com' });
    assert.equal(
      asked[0]?.url,
      'https://ipfs.example.com/ipfs/bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/1.png',
    );
    await assert.rejects(fetchNftPicture(http, image), { kind: 'badInput' });
    assert.equal(asked.length, 1);
  });

  it('is taken out of a data URL without a request, in base64 or as text', async () => {
    const { http, asked } = hostOf();
    const shown = {
      mediaType: 'image/svg+xml',
      url: `data:image/svg+xml;charset=utf-8;base64,${inBase64(SVG)}`,
    };
    for (const url of [
      `data:image/svg+xml;base64,${inBase64(SVG)}`,
      `data:image/svg+xml;utf8,${encodeURIComponent(SVG)}`,
      `data:image/svg+xml,${SVG}`,
      `data:image/svg+xml;base64,${encodeURIComponent(inBase64(SVG))}`,
    ]) {
      assert.deepEqual(await fetchNftPicture(http, asset(url)), shown);
    }
    for (const url of [
      'data:text/plain,hello',
      'data:image/png;base64,AA',
      'data:image/png;base64,*',
      'data:image/svg+xml,%',
    ]) {
      await assert.rejects(fetchNftPicture(http, asset(url)), { kind: 'badResponse' }, url);
    }
    assert.equal(asked.length, 0);
  });

  it('is what its bytes are, whatever its server or metadata call it', async () => {
    const called = (type: string, body: Uint8Array<ArrayBuffer> | string) =>
      fetchNftPicture(
        hostOf(new Response(body, { headers: { 'content-type': type } })).http,
        asset('https://img.example.com/1'),
      );
    assert.equal((await called('image/svg+xml', PNG)).mediaType, 'image/png');
    assert.equal((await called('image/png', SVG)).mediaType, 'image/svg+xml');
    await assert.rejects(called('image/png', HOSTILE), PictureError);
    await assert.rejects(called('image/gif', png(20_000, 20_000)), PictureError);
    await assert.rejects(called('image/avif', 'text'), PictureError);
    for (const written of [`base64,${inBase64(HOSTILE)}`, `utf8,${encodeURIComponent(HOSTILE)}`]) {
      await assert.rejects(fetchNftPicture(hostOf().http, asset(`data:image/png;${written}`)), PictureError);
    }
  });

  it('is followed through redirects to other public https hosts', async () => {
    const { http, asked } = hostOf(redirect('https://b.example.com/x'), redirect('/y'), picture());
    await fetchNftPicture(http, asset('https://a.example.com/'));
    assert.deepEqual(
      asked.map(({ url }) => url),
      ['https://a.example.com/', 'https://b.example.com/x', 'https://b.example.com/y'],
    );
  });

  for (const location of [
    'http://img.example.com/1',
    'https://127.0.0.1/1',
    'https://img.example.com:8443/1',
    'data:image/png;base64,AA',
    'https://user:secret@img.example.com/1',
  ]) {
    it(`is not followed to ${location}`, () => refused('redirected', redirect(location)));
  }

  it('is not followed to nowhere', () => refused('redirected', new Response(null, { status: 302 })));

  it('is not followed for ever', () => {
    const on = () => redirect('https://img.example.com/next');
    return refused('redirected', on(), on(), on(), on());
  });

  it('is refused when it is something else, missing, or too large', async () => {
    await refused('badResponse', picture({ 'content-type': 'text/html' }));
    await refused('badResponse', picture({ 'content-type': 'application/octet-stream' }));
    await refused('notFound', new Response('no', { status: 404 }));
    await refused('tooLarge', picture({}, new Uint8Array(5 * 1024 * 1024 + 1)));
  });
});

describe('metadata of an NFT in a file', () => {
  const of: AssetContext = { tokenId: 7n, standard: 'erc721', local: false };
  const file = asset('https://meta.example.com/7');

  it('is read as ERC-721 has it, as plain and bounded text', async () => {
    const { http, asked } = hostOf(
      Response.json({
        ...{ name: 'One\u202eX', description: ` a\n b ${'x'.repeat(5_000)}`, other: {} },
        ...{ image: 'https://img.example.com/7.png', animation_url: 'javascript:alert(1)' },
        external_url: 'http://10.0.0.1/',
        attributes: [
          { trait_type: 'Fur\u202e', value: 'x'.repeat(1_000) },
          { value: 7 },
          { value: {} },
          ...Array.from({ length: 200 }, () => ({ value: true })),
        ],
      }),
    );
    const metadata = await fetchNftMetadata(http, file, of);
    assert.deepEqual(asked, [{ url: 'https://meta.example.com/7', headers: { accept: 'application/json' } }]);
    const { name, description = '', image, animation, externalUrl, attributes } = metadata;
    assert.deepEqual([name, animation, externalUrl], ['One<U+202E>X', undefined, undefined]);
    assert.match(description, /^a b x{990,996}…$/);
    assert.deepEqual(image, { kind: 'https', url: 'https://img.example.com/7.png' });
    assert.match(attributes[0]?.value ?? '', /^x{200}…$/);
    assert.equal(attributes[0]?.trait, 'Fur<U+202E>');
    assert.deepEqual(attributes.slice(1, 3), [
      { trait: undefined, value: '7', display: undefined },
      { trait: undefined, value: 'true', display: undefined },
    ]);
    assert.deepEqual([attributes.length, metadata.attributesSkipped], [99, 104]);
  });

  it('may have its picture in it, as an SVG', async () => {
    const { http } = hostOf(Response.json({ image_data: SVG }));
    const { image } = await fetchNftMetadata(http, file, of);
    assert.equal(image?.kind === 'data' && image.mediaType, 'image/svg+xml');
  });

  it('comes through the gateway from IPFS', async () => {
    const { http, asked } = hostOf(Response.json({ name: 'Seven' }));
    const onIpfs = asset('ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi/7.json');
    await fetchNftMetadata(http, onIpfs, { ...of, ipfsGateway: 'https://ipfs.example.com' });
    assert.match(asked[0]?.url ?? '', /^https:\/\/ipfs\.example\.com\/ipfs\/bafy.+\/7\.json$/);
  });

  for (const [kind, answer] of [
    ['badResponse', new Response('<html>')],
    ['badResponse', Response.json(['a'])],
    ['tooLarge', new Response(new Uint8Array(1024 * 1024 + 1))],
    ['tooLarge', new Response(`{"a":[${'0,'.repeat(30_000)}0]}`)],
    ['tooLarge', new Response(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`)],
  ] as const) {
    it(`is refused as ${kind}`, () =>
      assert.rejects(fetchNftMetadata(hostOf(answer).http, file, of), { kind }));
  }

  it('on this machine is asked for on a network of this machine alone, and followed nowhere inside else', async () => {
    assert.equal(parseAssetUrl('http://127.0.0.1:3000/7'), undefined);
    for (const url of ['http://10.0.0.1/7', 'http://example.com/7', 'http://user:secret@localhost/7']) {
      assert.equal(parseAssetUrl(url, { local: true }), undefined, url);
    }
    const local = { ...of, local: true };
    const { http, asked } = hostOf(redirect('/8'), Response.json({ name: 'Eight' }));
    await fetchNftMetadata(http, asset('http://127.0.0.1:3000/7', true), local);
    assert.equal(asked[1]?.url, 'http://127.0.0.1:3000/8');
    for (const [from, to] of [
      [asset('http://localhost/7', true), 'http://10.0.0.1/8'],
      [file, 'http://127.0.0.1/8'],
    ] as const) {
      await assert.rejects(fetchNftMetadata(hostOf(redirect(to)).http, from, local), { kind: 'redirected' });
    }
  });
});
