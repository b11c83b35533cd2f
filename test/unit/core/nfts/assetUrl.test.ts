import assert from 'node:assert/strict';
import { type AppError, requireIpfsGateway } from '../../../../src/core/index.ts';
import { parseAssetUrl, toAssetRequestUrl } from '../../../../src/core/nfts/assetUrl.ts';

const CID0 = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPbdG';
const CID1 = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';

describe('URL of an NFT asset', () => {
  it('is taken with https and a public name', () => {
    assert.deepEqual(parseAssetUrl(' https://img.example.com/a b.png?x=1 '), {
      ...{ kind: 'https', url: 'https://img.example.com/a%20b.png?x=1' },
    });
  });

  it('is taken from IPFS, in the forms that people write, and loaded through the gateway', () => {
    const gateway = requireIpfsGateway('https://ipfs.example.com/');
    const loaded: [string, string][] = [
      [`ipfs://${CID1}/17.png`, `${CID1}/17.png`],
      [`ipfs://ipfs/${CID0}/a%20b/ü.json`, `${CID0}/a%20b/%C3%BC.json`],
      [`IPFS://${CID0}`, CID0],
      [`ipfs://${CID0}/x?download=1#top`, `${CID0}/x`],
      [`ipfs://${CID1}/100%25.png`, `${CID1}/100%25.png`],
      [`/ipfs/${CID0}/1.json`, `${CID0}/1.json`],
      [`ipfs/${CID0}/1.json`, `${CID0}/1.json`],
      [`ipfs:/ipfs/${CID1}/1`, `${CID1}/1`],
      [`ipfs:///ipfs/${CID1}/1`, `${CID1}/1`],
      [`${CID0}/1.json`, `${CID0}/1.json`],
      [CID1, CID1],
    ];
    for (const [written, path] of loaded) {
      const asset = parseAssetUrl(written);
      assert.deepEqual(asset, { kind: 'ipfs', path }, written);
      assert.equal(asset && toAssetRequestUrl(asset, gateway), `https://ipfs.example.com/ipfs/${path}`);
    }
  });

  it('is taken from Arweave, by a host that can be named', () => {
    const id = '4QQFLd0tIIu0uGu-V6QFeQy5RRbqUFaX3y9PVw75rJM';
    for (const [written, path] of [
      [`ar://${id}/0`, `${id}/0`],
      [`AR://${id}`, id],
      [`ar://${id}/a b.json?x=1#y`, `${id}/a%20b.json`],
    ]) {
      assert.deepEqual(parseAssetUrl(written), { kind: 'https', url: `https://arweave.net/${path}` });
    }
    for (const other of [`ar://${id}x`, 'ar://name/0', 'ar://../x', `ar://${id}/../x`, `ar://a@${id}`]) {
      assert.equal(parseAssetUrl(other), undefined, other);
    }
  });

  it('is taken as the file itself, of a kind that shows and within its bound', () => {
    const svg = 'data:image/svg+xml;base64,PHN2Zy8+';
    const asset = parseAssetUrl(svg);
    assert.deepEqual(asset, { kind: 'data', url: svg, mediaType: 'image/svg+xml' });
    assert.equal(asset && toAssetRequestUrl(asset, 'https://ipfs.example.com'), svg);
    assert.equal(parseAssetUrl(`data:image/png;base64,${'A'.repeat(256 * 1024)}`), undefined);
    for (const other of ['data:text/html,<script>', 'data:,x', 'data:image/png'])
      assert.equal(parseAssetUrl(other), undefined, other);
  });

  it('is refused in any other form', () => {
    const refused = [
      ...['bananapie/1', '/ipfs/../x', '/ipfs/', '/ipns/name', '{"name":"One"}'],
      ...['', ' ', 'picture.png', '//img.example.com/a.png', 7, null, undefined, {}],
      ...['http://img.example.com/a.png', 'file:///etc/passwd', 'javascript:alert(1)', 'ar://abc'],
      ...['https://user:pass@img.example.com/', 'https://user@img.example.com/'],
      ...['ipfs://', 'ipfs://../x', `ipfs://${CID0}/../../x`, `ipfs://${CID0}/%2e%2e/x`],
      ...[`ipfs://${CID0}/%E0%A4%A`, `ipfs://${CID0}/\ud800`, 'ipfs://evil.example.com/x'],
      `https://img.example.com/${'x'.repeat(2_048)}`,
    ];
    for (const text of refused) assert.equal(parseAssetUrl(text), undefined, String(text));
  });

  const insiders: Readonly<Record<string, readonly string[]>> = {
    'an IP address in any notation': [
      ...['127.0.0.1', '127.0.0.1.', '0x7f.1', '8.8.8.8', '①②⑦.0.0.1', '127。0。0。1', '1.2.3.4.5'],
      ...['[::1]', '[::ffff:127.0.0.1]', '[2001:db8::1]'],
    ],
    'a single label': ['localhost', 'com', 'com.', 'xn--fiqs8s', 'ⓛocalhost'],
    'a name of a private network': [
      ...['a.local', 'a.LOCAL', 'a.local.', 'a.ｌｏｃａｌ', 'a.lo\u00adcal', 'a.intern%61l', 'a.home.arpa'],
      ...['a.localhost', 'default.svc', 'svc.cluster.local', 'a.onion', 'a.test', 'router.lan'],
    ],
    'a service that leads inside': [
      ...['fritz.box', 'www.Fritz.Box.', 'tplinkwifi.net', 'router.asus.com', 'x.mafreebox.freebox.fr'],
      ...['127.0.0.1.nip.io', '7f000001.nip.io', '--1.sslip.io', 'nip.io', 'NIP.IO.', 'a.b.localtest.me'],
      ...['localhost.example.com', 'a.localhost.example.com', 'machine.tail1234.ts.net'],
    ],
    'a private address in its name': [
      ...['127.0.0.1.example.com', '10.1.2.3.example.com', 'a.192.168.0.1.example.com'],
      ...['a-172-16-0-1.example.com', '169.254.169.254.example.com', '100-64-0-1.example.com'],
      ...['0.0.0.0.example.com', '1.10.0.0.1.example.com', '255-255-255-255.example.com'],
    ],
    'no name at all': [
      ...['a..example.com', '.example.com', 'example.com..', 'a.b1', 'a.-', 'a.x'],
      `${'a'.repeat(64)}.com`,
    ],
    'another port': ['img.example.com:8443', 'img.example.com:80'],
  };
  for (const [what, hosts] of Object.entries(insiders)) {
    it(`is refused where the host is ${what}, and so is a gateway`, () => {
      for (const host of hosts) {
        assert.equal(parseAssetUrl(`https://${host}/a.png`), undefined, host);
        assert.throws(() => requireIpfsGateway(`https://${host}`), { kind: 'badInput' }, host);
      }
    });
  }

  it('is taken of every other public name', () => {
    for (const host of [
      ...['example.com', 'a.b.c.example.co.uk', 'img.example.com.', 'img.example.com:443'],
      ...['my_cdn.example.com', 'local.example.com', 'internal.io', 'nip.io.example.com', 'notnip.io'],
      ...['asus.com', 'www.freebox.fr', 'meraki.com', 'notfritz.box', 'fritz.box.example.com'],
      ...['münchen.de', '例え.テスト.みんな', 'a.xn--p1ai', '1.example.com', '1-2-3-4.example.com'],
      ...['172-32-0-1.example.com', 'v10-0-0-1a.example.com', `${'a'.repeat(63)}.com`],
    ]) {
      assert.equal(parseAssetUrl(`https://${host}/a.png`)?.kind, 'https', host);
      assert.ok(requireIpfsGateway(`https://${host}`).startsWith('https://'), host);
    }
  });

  it('needs a gateway that is one', () => {
    assert.equal(
      requireIpfsGateway(' https://gw.example.com/some/path// '),
      'https://gw.example.com/some/path',
    );
    for (const text of ['', 'gw.example.com', 'http://gw.example.com', 'https://gw.example.com/?x=1']) {
      assert.throws(
        () => requireIpfsGateway(text),
        (error: AppError) => error.kind === 'badInput' && error.details.field === 'ipfsGateway',
        text,
      );
    }
  });
});
