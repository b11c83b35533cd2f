import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { AppError } from '../../../../src/core/index.ts';
import { redactKey, redactText } from '../../../../src/core/secrets/redactKey.ts';

type Write = (text: string) => string;

const hexOf = (character: string, digits: number) =>
  character.charCodeAt(0).toString(16).padStart(digits, '0');
const eachAs = (write: Write) => (text: string) => Array.from(text, write).join('');
const base64: Write = (text) => Buffer.from(text).toString('base64');

/** Each makes of a text another that gives it away. */
const writings: Readonly<Record<string, Write>> = {
  'as it is': (text) => text,
  'in upper case': (text) => text.toUpperCase(),
  'for a URL component': encodeURIComponent,
  'as URLSearchParams': (text) => new URLSearchParams([['key', text]]).toString().slice('key='.length),
  'as URLSearchParams in lower case': (text) =>
    new URLSearchParams([['key', text]]).toString().slice('key='.length).replace(/%../g, lower),
  'percent-encoded whole': eachAs((character) => `%${hexOf(character, 2)}`),
  'percent-encoded whole, in upper case': eachAs((character) => `%${hexOf(character, 2).toUpperCase()}`),
  'for a URL twice': (text) => encodeURIComponent(encodeURIComponent(text)),
  'for HTML': (text) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#x27;'),
  'for HTML by decimal numbers': eachAs((character) => `&#${character.charCodeAt(0)};`),
  'for HTML by padded numbers': eachAs((character) => `&#0${character.charCodeAt(0)};`),
  'for HTML by hex numbers': eachAs((character) => `&#x${hexOf(character, 2)};`),
  'for HTML by hex numbers in upper case': eachAs((character) => `&#X${hexOf(character, 4).toUpperCase()};`),
  'for HTML twice': eachAs((character) => `&amp;#${character.charCodeAt(0)};`),
  'for JSON': (text) => JSON.stringify(text).slice(1, -1),
  'for JSON twice': (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
  'for JSON by codes': eachAs((character) => `\\u${hexOf(character, 4)}`),
  'for JSON by codes in upper case': eachAs((character) => `\\u${hexOf(character, 4).toUpperCase()}`),
  'for JavaScript by codes': eachAs((character) => `\\x${hexOf(character, 2)}`),
  'in hex': (text) => Buffer.from(text).toString('hex'),
  'in base64': base64,
  'in base64 without padding': (text) => base64(text).replaceAll('=', ''),
  'in base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
  'in base64 for URLs, padded': (text) => base64(text).replaceAll('+', '-').replaceAll('/', '_'),
  'in base64 in a URL': (text) => encodeURIComponent(base64(text)),
};
const names = Object.keys(writings);
const hexOfAll = eachAs((character) => hexOf(character, 2));
/** Credentials with the key among them, as they are before base64. */
const credentials: readonly Write[] = [
  (key) => `${key}:`,
  (key) => `:${key}`,
  (key) => `u:${key}`,
  (key) => `Bearer ${key}`,
  (key) => `a user:${key}@data.example`,
];
const keys = fc
  .array(fc.integer({ min: 0x21, max: 0x7e }), { minLength: 8, maxLength: 60 })
  .map((codes) => String.fromCharCode(...codes));

function lower(text: string): string {
  return text.toLowerCase();
}

/** Everything that an error says, however deep. */
function wordsOf(error: Error): string {
  const { details } = error as AppError;
  const whole = inspect(error, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null });
  return [whole, error.message, error.stack, details.serverMessage, JSON.stringify(details.data)].join('\n');
}

describe('A key in an error', () => {
  for (const [name, write] of Object.entries(writings)) {
    it(`is struck out of every text of it: ${name}`, () => {
      fc.assert(
        fc.property(keys, (key) => {
          const written = write(key);
          const said = `No ${written} here`;
          const cause = new Error('fetch failed', {
            cause: Object.assign(new Error(said), { code: 'ETEST' }),
          });
          const data = { list: [said, { [written]: true }], depth: 7 };
          const error = redactKey(
            new AppError('unauthorized', said, { status: 401, serverMessage: said, data, cause }),
            key,
          );
          assert.equal(error.message, 'No (key) here');
          assert.equal(error.details.serverMessage, 'No (key) here');
          assert.deepEqual(error.details.data, { list: ['No (key) here', { '(key)': true }], depth: 7 });
          assert.deepEqual([error.kind, error.details.status], ['unauthorized', 401]);
          const words = wordsOf(error);
          assert.ok(!words.includes(written) && !words.includes(key), words);
          assert.ok(words.includes('ETEST'), 'the code of the system is kept');
        }),
      );
    });
  }

  it('is struck out where base64 has it amid other text', () => {
    fc.assert(
      fc.property(keys, fc.constantFrom(...credentials), fc.boolean(), (key, write, forUrls) => {
        const encoding = forUrls ? 'base64url' : 'base64';
        const written = Buffer.from(write(key)).toString(encoding);
        const serverMessage = `Basic ${written} is unknown`;
        const struck = redactKey(new AppError('server', 'Failed.', { serverMessage }), key).details
          .serverMessage;
        const [, before, after] = /^Basic ([\w+/-]*)\(key\)([\w+/=-]*) is unknown$/.exec(struck ?? '') ?? [];
        assert.ok(before !== undefined && after !== undefined, struck);
        // What is left is of the text beside the key: 6 bits a character, of which the last one fills some up.
        const bits = (before + after).replaceAll('=', '').length * 6;
        assert.ok(bits < write('').length * 8 + 6, struck);
      }),
    );
  });

  it('is struck out where writings of several kinds stand together', () => {
    fc.assert(
      fc.property(keys, fc.array(fc.constantFrom(...names), { maxLength: 8 }), (key, chosen) => {
        const written = chosen.map((name) => writings[name]?.(key) ?? '');
        const serverMessage = written.join(' | ');
        const error = redactKey(new AppError('server', 'Failed.', { serverMessage }), key);
        assert.equal(error.details.serverMessage, written.map(() => '(key)').join(' | '));
      }),
    );
  });

  it('is struck out where its characters are escaped each in its own way, or the message ends amid it', () => {
    const ways = names.filter((name) => !/base64|in hex|upper|twice/.test(name));
    fc.assert(
      fc.property(
        keys,
        fc.infiniteStream(fc.constantFrom(...ways)),
        fc.double({ min: 0.6, max: 1, noNaN: true }),
        (key, stream, part) => {
          const written = Array.from(key, (character) => writings[stream.next().value]?.(character) ?? '');
          const least = Math.max(8, Math.ceil(part * key.length));
          const serverMessage = `No ${written.slice(0, least).join('')}`;
          const error = redactKey(new AppError('server', 'Failed.', { serverMessage }), key);
          assert.equal(error.details.serverMessage, 'No (key)');
        },
      ),
    );
  });

  it('leaves every other text as it is', () => {
    const texts = fc.array(
      fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), fc.constant('%26&amp;\\')),
    );
    fc.assert(
      fc.property(texts, (parts) => {
        const serverMessage = parts.join('');
        const error = new AppError('server', 'Failed.', { serverMessage, data: [serverMessage, null, 1] });
        assert.equal(redactKey(error, 'ckey_0123456789abcdef0123456789a'), error);
      }),
    );
  });

  it('of few characters takes the words of others along, as they have those by chance', () => {
    for (const key of ['a', 'e!', '401', 'key', 'server']) {
      const cause = Object.assign(new Error(`getaddrinfo ${key}`), { code: 'ENOTFOUND' });
      const details = { status: 401, serverMessage: `The key ${key} is unknown.`, data: { key }, cause };
      const error = redactKey(new AppError('unauthorized', 'It refused the request (401).', details), key);
      assert.equal(error.message, 'It refused the request (401).');
      assert.deepEqual(Object.keys(error.details).sort(), ['cause', 'status']);
      assert.equal((error.cause as Error).message, 'ENOTFOUND');
      const repeated = new AppError('rpc', `The server refused: ${details.serverMessage}`, details);
      assert.equal(redactKey(repeated, key).message, 'The server refused');
      const redirected = new AppError('redirected', `The server redirects to https://${key}.example.`);
      assert.equal(redactKey(redirected, key).message, 'The server redirects to another address.');
    }
  });

  it('is found in what a cause has beside its message, and in causes that go in a circle', () => {
    const key = 'ckey_0123456789abcdef0123456789a';
    const circle = new Error('first');
    circle.cause = new Error('second', { cause: circle });
    const error = new AppError('network', 'Failed.', { cause: circle });
    assert.equal(redactKey(error, key), error);
    const causes = [
      Object.assign(new TypeError('Invalid URL'), { input: `https://data.example/?key=${key}` }),
      new AggregateError([new Error(`no route for ${key}`)], 'all failed'),
      Object.assign(new Error('failed'), { request: { headers: new Uint8Array(8) } }),
      `text with ${key}`,
    ];
    for (const cause of causes) {
      const redacted = redactKey(new AppError('network', 'Failed.', { cause }), key);
      assert.equal(redacted.cause, undefined);
      assert.ok(!wordsOf(redacted).includes(key));
    }
  });

  it('takes no long search, whatever the server repeats', () => {
    // Seconds where it would be hours if it took the square of the length.
    const key = `${'%'.repeat(30)}${'&amp;'.repeat(20)}`;
    for (const unit of ['%25', '&amp;', '\\', '%', '&#', 'a', '&#0000']) {
      const serverMessage = unit.repeat(50_000 / unit.length);
      const error = new AppError('server', 'Failed.', { serverMessage });
      assert.equal(redactKey(error, key), error, unit);
    }
  });
});

describe('A key in the body of a response', () => {
  const key = 'Zk3_0123456789abcdef0123456789aQ';
  const escaped = eachAs((character) => `%${hexOf(character, 2)}`)(key);
  /** Rests at each opportunity. */
  const countRests = async (text: string) => {
    let rests = 0;
    const slices = { isOver: () => true, rest: async () => void rests++ };
    return { redacted: await redactText(text, key, slices), rests };
  };

  it('is searched in pieces, whatever the server repeats', async () => {
    const size = 256 * 1024;
    for (const unit of ['%41', '%5a', '&amp;', '\\', 'zk', key.slice(0, 15), hexOfAll(key)]) {
      const text = `0x${unit.repeat(size / unit.length)}`;
      const { redacted, rests } = await countRests(text);
      assert.equal(redacted, text, unit);
      // Five forms of the key, each in pieces of 16 Ki characters.
      assert.ok(rests >= (5 * size) / (16 * 1024) - 5, `${unit}: ${rests} rests`);
    }
  });

  it('is redacted across the borders of pieces, also far into a body', async () => {
    for (const written of [key, escaped, hexOfAll(key), base64(key)]) {
      const border = 16 * 1024;
      for (const offset of [
        border - written.length,
        border - 9,
        border - 1,
        border,
        border + 1,
        20 * border,
      ]) {
        const { redacted } = await countRests(`${'.'.repeat(offset)}${written} .`);
        assert.equal(redacted, `${'.'.repeat(offset)}(key) .`);
      }
    }
  });

  it('that is repeated ten thousand times takes the whole body with it', async () => {
    assert.equal((await countRests(`${key} `.repeat(10_001))).redacted, '(key)');
    assert.equal((await countRests(`${key} `.repeat(10_000))).redacted, '(key) '.repeat(10_000));
  });

  it('stays in hex data, where it is a coincidence', async () => {
    const data = `0x${'00'.repeat(100)}${hexOfAll(key)}${'00'.repeat(100)}${hexOfAll(key)}`;
    const { redacted } = await countRests(`${data} ${hexOfAll(key)} ${data}`);
    assert.equal(redacted, `${data} (key) ${data}`);
  });
});
