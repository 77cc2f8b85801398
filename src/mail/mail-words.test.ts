import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { hasPhrase, phraseOf, type SearchedMail, splitWords, wordsOfMail } from './mail-words.ts'

const EMPTY: SearchedMail = {
  ...{ subject: '', from: null, recipients: [], text: null, html: null, filenames: [], hasAttachment: false },
}
const wordsOf = (mail: Partial<SearchedMail>) => wordsOfMail({ ...EMPTY, ...mail })

describe('words of a mail', () => {
  for (const [text, words, why] of [
    ['Your INVOICE, of May!', ['your', 'invoice', 'of', 'may'], 'without case and signs'],
    ['Łódź Straße Ångström œuvre', ['lodz', 'strasse', 'angstrom', 'oeuvre'], 'without accents and strokes'],
    ["l'addition example.com 3.14 a_b", ['l', 'addition', 'example', 'com', '3', '14', 'a', 'b'], 'parted by signs'],
    ['Rech\u00adnung a\u200bb', ['rechnung', 'a', 'b'], 'a soft hyphen parts none, a blank without width does'],
    ['東京の請求書です', ['東京', 'の', '請求', '書', 'です'], 'Japanese by its words'],
    ['ภาษาไทย', ['ภาษา', 'ไทย'], 'Thai by its words'],
    ['Привет, мир', ['привет', 'мир'], 'Cyrillic'],
    ['שלום عالم', ['שלום', 'عالم'], 'from right to left'],
    ['हिन्दी', ['हिन्दी'], 'vowels stay with their letters'],
    ['😀 … --', [], 'what is no word'],
  ] as const) {
    test(why, () => assert.deepEqual(splitWords(text), words))
  }

  test('a word of a field counts there and anywhere; addresses are whole, by their domain and in their parts', () => {
    const from = { address: 'Ada.Lovelace@MÜNCHEN.example', name: 'Ada L.' }
    const words = wordsOf({ from, subject: 'Plan', recipients: [{ address: 'bob@example.com', name: null }] })
    const whole = 'ada.lovelace@xn--mnchen-3ya.example'
    for (const word of [`f${whole}`, `w${whole}`, 'f@xn--mnchen-3ya.example', 'fada', 'wlovelace', 'fmunchen', 'splan'])
      assert(words.includes(word), `${word} of ${words}`)
    for (const word of ['wplan', 'rbob@example.com', 'rbob', 'wexample', 'w@example.com'])
      assert(words.includes(word), word)
    for (const word of ['splan@', 'fbob', 'rada', 'fplan']) assert(!words.includes(word), word)
  })

  test('of HTML its text counts, and neither its markup nor what it hides', () => {
    const html = `<html><head><title>Titled</title><style>.styled{}</style></head><body class="classy">
      <!-- commented --><!--[if mso]>conditional<![endif]--><script>scripted()</script>
      <div style="display:none;max-height:0">preheader <div>nested</div> still</div>
      <span hidden>unseen</span><p style='color:red; DISPLAY : NONE'>shouted</p><i style="mso-hide:all">outlook</i>
      <b style="font-size:0">tiny</b><b style="font-size:0.9em">small</b><img hidden alt="picture">
      Wor<b>ld</b><br>next<td>cell</td>&Uuml;ber&shy;gang <a href="https://linked.example">here</a></body></html>`
    assert.deepEqual(
      wordsOf({ html }).slice(1),
      ['small', 'world', 'next', 'cell', 'ubergang', 'here'].map((word) => `w${word}`),
    )
  })

  test('what hides and is never closed, or closes more than was opened, ends', () => {
    assert.deepEqual(wordsOf({ html: 'seen<div hidden>a<div>b</div>' }), ['.', 'wseen'])
    assert.deepEqual(wordsOf({ html: 'a</div></div><p hidden>x</p>b' }), ['.', 'wa', 'wb'])
  })

  test('text and HTML both count, and files by their names', () => {
    const mail = {
      text: 'plain ada@example.com.',
      html: '<p>rich</p>',
      filenames: ['Report-2026.PDF'],
      hasAttachment: true,
    }
    const words = wordsOf(mail)
    for (const word of ['+', 'wplain', 'wada@example.com', 'wrich', 'wreport', 'w2026', 'wpdf'])
      assert(words.includes(word), word)
    assert(!wordsOf({ text: 'x' }).includes('+'))
  })

  test('words are bounded, those of the header before those of the text, and 64 Ki characters of it', () => {
    const many = Array.from({ length: 20_000 }, (_, i) => `n${i.toString(36)}`).join(' ')
    const words = wordsOf({ subject: 'First', text: many })
    assert.equal(words.length, 8_000)
    assert(words.includes('wfirst'))
    const behind = (chars: number) => wordsOf({ text: `${' '.repeat(chars)}last` }).includes('wlast')
    assert.deepEqual([behind(65_532), behind(65_533)], [true, false])
    const octets = wordsOf({ text: Array.from({ length: 5_000 }, (_, i) => `${i}${'é'.repeat(95)}`).join(' ') })
    assert(Buffer.byteLength(octets.join('')) <= 400_010)
    assert.deepEqual(
      wordsOf({ text: 'x'.repeat(101) }).map((word) => word.length),
      [1, 101],
    )
  })

  test('no text takes long, whatever it is made of', () => {
    const beganMs = performance.now()
    for (const hostile of [
      '<',
      '<!--',
      '<div hidden>',
      '<style',
      '@',
      'a@',
      'ก',
      '東',
      "'",
      '<b style=display:none',
      '\u0301',
    ]) {
      const text = hostile.repeat(Math.ceil(262_144 / hostile.length))
      wordsOf({ text, html: text, subject: text.slice(0, 998) })
    }
    assert(performance.now() - beganMs < 5_000, `${performance.now() - beganMs} ms`)
  })

  test('no word ends within a character', () => {
    for (const face of ['\u{1f600}', '\u{1f600}x', '\u{20000}']) {
      const text = `${face.repeat(99)}@${face.repeat(99)} ${'x'.repeat(65_300)} ${face.repeat(200)}`
      for (const one of [text, `y${text}`]) for (const word of wordsOf({ text: one })) assert(word.isWellFormed(), word)
    }
  })

  test('any text can be looked for by each of its words and as a whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const kept = new Set(wordsOf({ text }))
        for (const word of splitWords(text)) assert(kept.has(`w${word}`), word)
        assert(hasPhrase(phraseOf(`before ${text} behind`), phraseOf(text), false), text)
      }),
    )
  })
})

describe('phrases', () => {
  for (const [text, phrase, isBeginning, has] of [
    ['The quick, brown fox', 'quick brown', false, true],
    ['The quick, brown fox', 'QUICK  Brówn', false, true],
    ['The quick, brown fox', 'quick fox', false, false],
    ['The quick, brown fox', 'quick bro', false, false],
    ['The quick, brown fox', 'quick bro', true, true],
    ['The quick, brown fox', 'uick brown', false, false],
    ['今日は東京の発票です', '東京の発票', false, true],
    ['example.com', 'example com', false, true],
    ['anything', '!!', false, true],
  ] as const) {
    test(`${text} ${has ? 'has' : 'lacks'} ${phrase}${isBeginning ? '…' : ''}`, () =>
      assert.equal(hasPhrase(phraseOf(text), phraseOf(phrase), isBeginning), has))
  }
})
