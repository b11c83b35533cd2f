import assert from 'node:assert/strict';
import {
  type AppError,
  assetAddress,
  parseAssetUrl,
  requireIpfsGateway,
} from '../../../../src/core/index.ts';

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
    ];
    for (const [written, path] of loaded) {
      const asset = parseAssetUrl(written);
      assert.deepEqual(asset, { kind: 'ipfs', path }, written);
      assert.equal(asset && assetAddress(asset, gateway), `https://ipfs.example.com/ipfs/${path}`);
    }
  });

  it('is taken as the file itself, of a kind that shows and within its bound', () => {
    const svg = 'data:image/svg+xml;base64,PHN2Zy8+';
    const asset = parseAssetUrl(svg);
    assert.deepEqual(asset, { kind: 'data', url: svg, mediaType: 'image/svg+xml' });
    assert.equal(asset && assetAddress(asset, 'https://ipfs.example.com'), svg);
    assert.equal(parseAssetUrl(`data:image/png;base64,${'A'.repeat(256 * 1024)}`), undefined);
    for (const other of [
      'data:text/html,<script>',
      'data:,x',
      'data:application/javascript,x',
      'data:image/png',
    ]) {
      assert.equal(parseAssetUrl(other), undefined, other);
    }
  });

  it('is refused in any other form', () => {
    const refused = [
      ...['', ' ', 'picture.png', '//img.example.com/a.png', 7, null, undefined, {}],
      ...['http://img.example.com/a.png', 'ftp://img.example.com/a', 'file:///etc/passwd', 'ar://abc'],
      ...[
        'javascript:alert(1)',
        'command:workbench.action.quit',
        'vscode://x.y/z',
        'blob:https://a.example/1',
      ],
      ...['https://user:pass@img.example.com/', 'https://user@img.example.com/'],
      ...[
        'https://localhost/a',
        'https://127.0.0.1/a',
        'https://[::1]/a',
        'https://2130706433/',
        'https://0x7f.1/',
      ],
      ...[
        'https://169.254.169.254/latest',
        'https://printer.local/',
        'https://db.internal/',
        'https://a.localhost/',
      ],
      ...[
        `ipfs://${CID0}/../../x`,
        `ipfs://${CID0}/%2e%2e/x`,
        `ipfs://${CID0}/%E0%A4%A`,
        'ipfs://',
        'ipfs://../x',
      ],
      ...[
        'ipfs://evil.example.com/x',
        `ipfs://${CID0}/\ud800`,
        `https://img.example.com/${'x'.repeat(2_048)}`,
      ],
    ];
    for (const text of refused) assert.equal(parseAssetUrl(text), undefined, String(text));
  });

  it('needs a gateway that is one', () => {
    assert.equal(
      requireIpfsGateway(' https://gw.example.com/some/path// '),
      'https://gw.example.com/some/path',
    );
    for (const text of [
      '',
      'gw.example.com',
      'http://gw.example.com',
      'https://gw.example.com/?x=1',
      'https://10.0.0.1',
    ]) {
      assert.throws(
        () => requireIpfsGateway(text),
        (error: AppError) => error.kind === 'badInput' && error.details.field === 'ipfsGateway',
        text,
      );
    }
  });
});
