import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AppError } from '../../../../src/core/index.ts';
import { formatErrorForLog } from '../../../../src/host/log.ts';
import { formatMarkdownParagraphs, formatMarkdownRow } from '../../../../src/host/ui/markdownBlocks.ts';
import {
  escapeLogRecord,
  escapeMarkdown,
  escapeUiLines,
  escapeUiText,
} from '../../../../src/host/ui/untrustedText.ts';
import { hostileNames } from '../../../fixtures/hostileNames.ts';
import { hostileTexts } from '../../../fixtures/hostileTexts.ts';
import { findLinks, findUnsafeParts } from '../../../support/untrustedText.ts';

const MAX_CHARS = 300;

describe('A text on its way to the editor', () => {
  it('is tried with many that mean harm, most of which the editor would act on', () => {
    // The editor's own pattern takes the square of the time on a long run of brackets.
    const texts = Object.values(hostileTexts).map((text) => text.slice(0, 2000));
    assert.ok(texts.length >= 60, `${texts.length}`);
    assert.ok(texts.filter((text) => findLinks(text).length > 0).length >= 20);
    assert.ok(texts.filter((text) => findUnsafeParts(text).length > 0).length >= 40);
  });

  for (const [what, text] of Object.entries({ ...hostileTexts, ...hostileNames })) {
    it(`makes no link and no icon, and hides nothing: ${what}`, () => {
      const shown = escapeUiText(text, MAX_CHARS);
      assert.deepEqual(findUnsafeParts(shown), []);
      assert.ok([...shown].length <= MAX_CHARS + 1, `${[...shown].length} characters`);
      assert.equal(escapeUiText(shown, MAX_CHARS), shown, 'what is harmless stays as it is');
    });
  }

  it('is harmless whatever it is made of', () => {
    const part = fc.constantFrom(
      ...[
        '[',
        ']',
        '(',
        ')',
        '$',
        'a',
        ' ',
        'command:x',
        'https://x',
        '\u200b',
        '\u0301',
        '\ud83d',
        '👩',
        '\u200d',
        '\ufe0f',
        '🏽',
        '1',
        '\u20e3',
        '\n',
        '…',
      ],
    );
    const texts = fc.array(part, { maxLength: 60 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, longest) => {
        const shown = escapeUiText(text, longest);
        assert.deepEqual(findUnsafeParts(shown), []);
        assert.equal(escapeUiText(shown, longest), shown);
      }),
    );
  });

  it('keeps what is meant to be read', () => {
    const words = 'Palm, chain 11297108109: refused the call (HTTP 403) · “a[0]” $5 #1 <b> & 100 %';
    assert.equal(escapeUiText(words, MAX_CHARS), words);
    assert.equal(escapeUiText('[a](command:b) $(c)', MAX_CHARS), '[a] (command:b) $ (c)');
  });

  it('says that it was cut', () => {
    assert.equal(escapeUiText('abcdef', 3), 'abc…');
    assert.equal(escapeUiText(' '.repeat(24) + 'x'.repeat(9), 3), '…');
  });

  it('has the lines that it was given, and none that a text brought along', () => {
    const lines = escapeUiLines(['one', undefined, '', false, 'two\nforged'], MAX_CHARS);
    assert.equal(lines, 'one\ntwo<U+000A>forged');
  });
});

describe('Text in Markdown', () => {
  it('has no markup, link, HTML, entity or icon left that the editor would act on', () => {
    for (const hostile of [
      '[a](command:b)',
      '**a**',
      '<img src=x>',
      '`a`',
      '# a',
      '$(bug)',
      '![a](b)',
      '~~a~~',
      'a|b',
    ]) {
      assert.doesNotMatch(escapeMarkdown(hostile), /(?<!\\)[[\]()*<>`#!~|]/, hostile);
    }
    assert.equal(escapeMarkdown('&lt;b&gt;'), '&amp;lt;b&amp;gt;');
    assert.doesNotMatch(escapeMarkdown('$(bug)'), /\$\\?\(/);
    assert.equal(escapeMarkdown('https://evil.example'), '`https://evil.example`');
  });

  for (const [what, text] of Object.entries({ ...hostileTexts, ...hostileNames })) {
    it(`has a backslash before all that Markdown acts on: ${what}`, () => {
      const shown = escapeMarkdown(text);
      const unescaped = withoutCode(shown).replaceAll('&amp;', '');
      assert.doesNotMatch(unescaped, /[\\`*_{}[\]()#+\-.!|<>~$:@&\n\t]/);
      assert.deepEqual(findUnsafeParts(shown), []);
    });
  }

  it('keeps spaces, so that it wraps', () => {
    assert.equal(escapeMarkdown('two words, ok'), 'two words, ok');
  });

  // What markdown-it 12 with linkify, marked and GitHub link without markup; the first does so despite backslashes.
  const linked = {
    ...{
      host: 'evil.example',
      file: 'README.md',
      'host in another script': 'evil.рф',
      port: 'evil.example:80/x',
    },
    ...{ URL: 'https://evil.example/x?y=1', 'no scheme': '//evil.example', 'no letters': 'http://1.2.3.4/x' },
    ...{
      'e-mail': 'me@evil.example',
      mention: '@all',
      'issue elsewhere': 'a/b#12',
      www: 'www.a',
    },
  };
  for (const [what, word] of Object.entries(linked)) {
    it(`is no link that a renderer would make by itself: ${what}`, () => {
      assert.equal(escapeMarkdown(`See ${word} now`), `See \`${word}\` now`);
      assert.equal(formatMarkdownRow([word, `(${word}`]), `| \`${word}\` | \\(\`${word}\` |\n`);
      assert.doesNotMatch(withoutCode(escapeMarkdown(`![x](${word})\`${word}\`|${word}\\`)), /\p{L}{2}/u);
    });
  }

  it('leaves numbers, and sentences in a table, as they are', () => {
    assert.equal(escapeMarkdown('1.5 ETH'), '1\\.5 ETH');
    assert.equal(formatMarkdownRow(['-1.5 (20 %)', '1,250', '']), '| -1.5 (20 %) | 1,250 |  |\n');
    assert.equal(formatMarkdownRow([{ code: '0x`|1' }]), "| `0x'\\|1` |\n");
  });

  it('has a paragraph for each line, in which nothing of a server is live', () => {
    const lines = ['Complete', undefined, 'refused: ![x](https://evil.example/x.png)\n\n# forged'];
    assert.equal(
      formatMarkdownParagraphs(lines),
      'Complete\n\nrefused\\: \\!\\[x\\] \\(`https://evil.example/x.png`\\)\\<U\\+000A\\>\\<U\\+000A\\>\\# forged\n\n',
    );
  });
});

/** Escaped Markdown without what stands behind a backslash, and without words that are code. */
function withoutCode(markdown: string): string {
  return markdown.replace(/\\[\\`*_{}[\]()#+\-.!|<>~$:@]/g, '').replace(/`[^\s\\`*{}[\]()!|<>~$]+`/g, '');
}

const FORGED = '2026-11-21 12:00:00.000 [info] #1 POST https://trusted.example 200 5 ms 10 bytes';
const lineEnds = ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029'];

describe('A record of the output', () => {
  for (const lineEnd of lineEnds) {
    it(`shows by indentation that a line belongs to it: ${JSON.stringify(lineEnd)}`, () => {
      assert.equal(escapeLogRecord(`failed${lineEnd}${FORGED}`), `failed\n    ${FORGED}`);
    });
  }

  for (const [what, text] of Object.entries(hostileTexts)) {
    it(`hides nothing, forges nothing and is bounded: ${what}`, () => {
      const record = escapeLogRecord(text);
      assert.doesNotMatch(record, /[^\P{C}\n\ufffd]|[\u2028\u2029]/u);
      assert.doesNotMatch(record, /\n(?! {4})/);
      assert.ok(record.length <= 25_000, `${record.length} characters`);
    });

    it(`is one line for an error with the words of a server: ${what}`, () => {
      const serverMessage = text;
      const errors = [
        new AppError('rpc', 'Refused.', { serverMessage }),
        new AppError('badInput', text),
        text,
      ];
      for (const error of errors)
        assert.doesNotMatch(formatErrorForLog(error), /[\n\r\v\f\u0085\u2028\u2029]/);
    });

    it(`has no line but frames of the stack for an error of the program: ${what}`, () => {
      const [first = '', ...frames] = formatErrorForLog(new TypeError(text)).split('\n');
      assert.match(first, /^TypeError:/);
      assert.ok(frames.length > 0);
      for (const frame of frames) {
        assert.match(frame, /^ +at /);
        assert.doesNotMatch(frame, /trusted\.js/);
      }
    });
  }

  it('is a text for whatever was thrown', () => {
    for (const thrown of [undefined, null, 7, {}, new Error('')]) {
      assert.notEqual(formatErrorForLog(thrown), '');
    }
  });
});
