import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeTransfer } from './transfer-decoding.ts'

for (const [written, read] of [
  ['caf=C3=A9', 'caf\xc3\xa9'],
  ['=c3=a9', '\xc3\xa9'],
  ['=00=FF', '\0\xff'],
  ['one=\r\nline', 'oneline'],
  ['one= \t\r\nline', 'oneline'],
  ['one=\nline', 'oneline'],
  ['two\r\nlines', 'two\r\nlines'],
  ['two  \t\r\nlines\t\nand a third ', 'two\r\nlines\nand a third'],
  ['two=20\r\nlines =20\r\n \t=\r\n', 'two \r\nlines  \r\n \t'],
  ['  a  b\rc  \rd', '  a  b\rc  \rd'],
  ['ends=', 'ends'],
  ['1+1=2', '1+1=2'],
  ['=4', '=4'],
  ['=G1 =1G =fg', '=G1 =1G =fg'],
  ['==41', '=A'],
  ['=\xe941', '=\xe941'],
] as const) {
  test(`quoted-printable ${JSON.stringify(written)} reads ${JSON.stringify(read)}`, () => {
    const decoded = decodeTransfer(Buffer.from(written, 'latin1'), 'quoted-printable')
    assert.equal(Buffer.from(decoded).toString('latin1'), read)
  })
}
