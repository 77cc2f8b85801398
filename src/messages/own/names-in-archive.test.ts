import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesInArchive } from './names-in-archive.ts'

const CASES: readonly (readonly [filename: string, name: string])[] = [
  ['notes.txt', 'notes.txt'],
  ['Grüße aus Köln.pdf', 'Grüße aus Köln.pdf'],
  ['報告書.docx', '報告書.docx'],
  ['../../etc/passwd', 'passwd'],
  ['/etc/passwd', 'passwd'],
  ['C:\\Windows\\system32\\cmd.exe', 'cmd.exe'],
  ['C:cmd.exe', 'C_cmd.exe'],
  ['..', 'file'],
  ['...', 'file'],
  ['a/..', 'file'],
  ['', 'file'],
  [' ', 'file'],
  ['.bashrc', 'bashrc'],
  ['a/', 'a'],
  ['con', '_con'],
  ['NUL.txt', '_NUL.txt'],
  ['console.txt', 'console.txt'],
  ['invoice\u202efdp.exe', 'invoicefdp.exe'],
  ['a\u0000b\r\nc\u200b\u2028d.txt', 'abc d.txt'],
  ['half \ud800 pair.txt', 'half \ufffd pair.txt'],
  ['a<b>c|d?e*f"g.txt', 'a_b_c_d_e_f_g.txt'],
  ['archive.tar.gz', 'archive.tar.gz'],
  ['ends in dots. .', 'ends in dots'],
]

test('a name in an archive leads to no other place, and says what is seen', () => {
  for (const [filename, name] of CASES) assert.deepEqual(namesInArchive([filename]), [name])
})

test('no two are the same, however case and accents are spelt', () => {
  assert.deepEqual(namesInArchive(['a.txt', 'A.TXT', 'x/a.txt', 'a (2).txt', 'cafe\u0301', 'caf\u00e9']), [
    ...['a.txt', 'A (2).TXT', 'a (3).txt', 'a (2) (2).txt', 'caf\u00e9', 'caf\u00e9 (2)'],
  ])
  const many = namesInArchive(Array.from({ length: 100 }, () => 'x'.repeat(255)))
  assert.equal(new Set(many).size, 100)
})

test('a long name is shortened to what file systems take, with its extension', () => {
  const [ascii = '', wide = ''] = namesInArchive([`${'a'.repeat(300)}.pdf`, `${'𝒳'.repeat(255)}.pdf`])
  for (const name of [ascii, wide]) {
    assert(Buffer.byteLength(name) <= 200 && name.endsWith('.pdf') && name.isWellFormed(), name)
  }
})
