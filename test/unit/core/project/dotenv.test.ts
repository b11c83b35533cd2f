import assert from 'node:assert/strict';
import { parseDotenv } from '../../../../src/core/index.ts';

const parse = (text: string, environment: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(parseDotenv(text, (name) => environment[name]));

describe('The variables of a .env file', () => {
  it('are values as they are, in quotes, with spaces, after "export"', () => {
    const text = [
      'PLAIN=https://rpc.example/v2/abc',
      '  export SPACED = two words \t',
      `SINGLE='a # "b" $PLAIN'`,
      `DOUBLE="a # 'b'" # after`,
      'EMPTY=',
      'not a line',
      '1ST=no',
      'LAST=end',
    ];
    const values = {
      PLAIN: 'https://rpc.example/v2/abc',
      SPACED: 'two words',
      SINGLE: 'a # "b" $PLAIN',
      DOUBLE: "a # 'b'",
      EMPTY: '',
      LAST: 'end',
    };
    for (const lineEnd of ['\n', '\r\n']) assert.deepEqual(parse(text.join(lineEnd)), values);
  });

  it('end before a comment, and keep a sign in a word', () => {
    assert.deepEqual(parse('#NO=1\nA=b # c\nD=e#f\n # G=h\nI=#j'), { A: 'b', D: 'e#f', I: '' });
  });

  it('hold the first of two values, and those of other variables', () => {
    const text = `KEY=abc\nKEY=def\nURL=https://rpc.example/\${KEY}\nOTHER="$HOME/$KEY/$NONE"\nRAW='$KEY'`;
    const values = { KEY: 'abc', URL: 'https://rpc.example/abc', OTHER: '/abc/', RAW: '$KEY' };
    assert.deepEqual(parse(text), values);
    assert.equal(parse(text, { KEY: 'of the shell' }).URL, 'https://rpc.example/of the shell');
  });
});
