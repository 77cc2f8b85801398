// PDF files, written by hand: what people send, what is broken or locked, and what wants to run, to fetch, or never to end.
import { deflateSync } from 'node:zlib'

type Part = string | { dictionary: string; stream: Buffer }

/** A file of these objects, numbered from 1; the first is its catalogue. */
function pdfOf(parts: readonly Part[], trailer = ''): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const offsets: number[] = []
  let length = pieces[0]?.length ?? 0
  const add = (piece: Buffer) => {
    pieces.push(piece)
    length += piece.length
  }
  for (const [i, part] of parts.entries()) {
    offsets.push(length)
    add(Buffer.from(`${i + 1} 0 obj\n`))
    if (typeof part === 'string') add(Buffer.from(part, 'latin1'))
    else {
      add(Buffer.from(`<< /Length ${part.stream.length} ${part.dictionary} >>\nstream\n`, 'latin1'))
      add(part.stream)
      add(Buffer.from('\nendstream'))
    }
    add(Buffer.from('\nendobj\n'))
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const table = `xref\n0 ${parts.length + 1}\n0000000000 65535 f \n${rows.join('')}`
  add(
    Buffer.from(
      `${table}trailer\n<< /Size ${parts.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(pieces)
}

const content = (operators: string): Part => ({ dictionary: '', stream: Buffer.from(operators) })
const FONTS = '/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>'
const A4 = '[0 0 595 842]'

interface OnePage {
  box?: string
  resources?: string
  page?: string
  catalogue?: string
  /** Numbered from 5. */
  others?: readonly Part[]
}

function onePage(
  operators: string,
  { box = A4, resources = '', page = '', catalogue = '', others = [] }: OnePage = {},
) {
  return pdfOf([
    `<< /Type /Catalog /Pages 2 0 R ${catalogue} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox ${box} /Contents 4 0 R /Resources << ${FONTS} ${resources} >> ${page} >>`,
    content(operators),
    ...others,
  ])
}

/** The words, and below them a box of one colour that covers the middle of the page. */
const drawn = (words: string, colour: string) =>
  `BT /F1 40 Tf 60 740 Td (${words}) Tj ET ${colour} rg 100 300 400 300 re f`

/** Each page says which it is, and has a box in its middle: red, green, blue. */
export function threePages(): Buffer {
  const colours = ['1 0 0', '0 1 0', '0 0 1']
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [3 0 R 5 0 R 7 0 R] /Count 3 /MediaBox ${A4} /Resources << ${FONTS} >> >>`,
    ...colours.flatMap((colour, i) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${4 + 2 * i} 0 R >>`,
      content(drawn(`Invoice 7, sheet ${i + 1}`, colour)),
    ]),
  ])
}

/** Ends where nothing of it can be read. */
export function brokenPdf(): Buffer {
  return Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(2_000, 'x')])
}

/** Opens by a password alone. */
export function lockedPdf(): Buffer {
  const key = 'ab'.repeat(32)
  return pdfOf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox ${A4} >>`,
      `<< /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >>`,
    ],
    '/Encrypt 4 0 R /ID [<00> <00>]',
  )
}

/** What a reader that does as it is told would run, open, ask for and send, at the opening, on each page and when pressed. */
export function obeyingPdf(stranger: string): Buffer {
  const script = `<< /S /JavaScript /JS (app.alert\\(1\\); app.launchURL\\('${stranger}js', true\\); this.submitForm\\('${stranger}form'\\)) >>`
  const uri = `<< /S /URI /URI (${stranger}uri) >>`
  const link = `<< /Type /Annot /Subtype /Link /Rect [0 0 595 842] /Border [0 0 0] /A ${uri} >>`
  return onePage(drawn('Press me', '1 0 0'), {
    catalogue: `/OpenAction 5 0 R /AA << /WC 5 0 R /DP 5 0 R >> /URI << /Base (${stranger}) >>
      /Names << /JavaScript << /Names [(a) 5 0 R] >> /EmbeddedFiles << /Names [(evil.exe) 6 0 R] >> >>
      /AcroForm << /NeedAppearances true /XFA (<xdp:xdp><script>app.alert\\(2\\)</script></xdp:xdp>) /Fields [8 0 R 9 0 R] >>`,
    page: `/AA << /O 5 0 R >> /Annots [${link} 8 0 R 9 0 R 10 0 R]`,
    resources: '/XObject << /Far 11 0 R >>',
    others: [
      script,
      `<< /Type /Filespec /F (evil.exe) /EF << /F 7 0 R >> >>`,
      content('MZ'),
      `<< /Type /Annot /Subtype /Widget /FT /Btn /T (b) /Ff 65536 /Rect [0 0 595 842] /A << /S /SubmitForm /F (${stranger}submit) >> /AA << /U 5 0 R /Fo 5 0 R >> >>`,
      '<< /Type /Annot /Subtype /Widget /FT /Tx /T (t) /V (x) /Rect [10 10 90 30] /AA << /C 5 0 R /F 5 0 R /K 5 0 R >> >>',
      `<< /Type /Annot /Subtype /Screen /Rect [0 0 595 842] /A << /S /Launch /F (${stranger}launch) /Next << /S /GoToR /F (${stranger}goto) /D [0 /Fit] >> >> >>`,
      {
        dictionary: `/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /F << /FS /URL /F (${stranger}stream) >>`,
        stream: Buffer.from([0]),
      },
    ],
  })
}

/** A box of any size; the words of what is drawn are far out of it. */
export function boxedPdf(box: string): Buffer {
  return onePage(drawn('Huge', '1 0 0'), { box })
}

export function manyPages(count: number): Buffer {
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${count} /MediaBox ${A4} /Kids [${Array.from({ length: count }, (_, i) => `${i + 4} 0 R`).join(' ')}] >>`,
    content('1 0 0 rg 100 300 400 300 re f'),
    ...Array.from({ length: count }, () => '<< /Type /Page /Parent 2 0 R /Contents 3 0 R >>'),
  ])
}

/** What names itself: pages, drawings, lengths, fonts and colours. */
export function loopingPdfs(): Buffer[] {
  const form = { dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >>' }
  return [
    pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9 /Parent 2 0 R >>']),
    pdfOf(['<< /Type /Catalog /Pages 1 0 R /Kids [1 0 R] /Count 1 /Parent 1 0 R >>']),
    onePage('/X Do', {
      resources: '/XObject << /X 5 0 R >>',
      others: [{ ...form, stream: Buffer.from('/X Do /X Do') }],
    }),
    onePage('/C cs 1 scn 0 0 595 842 re f', {
      resources: '/ColorSpace << /C 5 0 R >>',
      others: ['[/Indexed 5 0 R 1 6 0 R]', '6 0 R'],
    }),
    onePage('/P0 gs 0 0 9 9 re f', {
      resources: '/ExtGState << /P0 5 0 R >>',
      others: [
        '<< /SMask << /S /Luminosity /G 6 0 R >> >>',
        {
          dictionary: '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /ExtGState << /P0 5 0 R >> >>',
          stream: Buffer.from('/P0 gs 0 0 9 9 re f'),
        },
      ],
    }),
  ]
}

const image = (side: number, stream: Buffer): Part => ({
  dictionary: `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`,
  stream,
})

/** Images that inflate to far more than they are, by what they say and without a word of it; a page, and a font, that do. */
export function inflatingPdfs(bytes: number): Buffer[] {
  const stream = deflateSync(Buffer.alloc(bytes), { level: 1 })
  const resources = '/XObject << /I 5 0 R >>'
  const inflating = { dictionary: '/Filter /FlateDecode', stream }
  return [
    ...[30_000, 10].map((side) => onePage('400 0 0 400 0 0 cm /I Do', { resources, others: [image(side, stream)] })),
    onePage('', { page: '/Contents 5 0 R', others: [inflating] }),
    onePage('BT /F2 40 Tf 60 740 Td (abc) Tj ET', {
      resources: '/Font << /F2 5 0 R >>',
      others: [
        '<< /Type /Font /Subtype /TrueType /BaseFont /X /FirstChar 97 /LastChar 99 /Widths [500 500 500] /FontDescriptor 6 0 R >>',
        '<< /Type /FontDescriptor /FontName /X /Flags 4 /FontBBox [0 0 1 1] /FontFile2 7 0 R >>',
        inflating,
      ],
    }),
  ]
}

/** Drawings of drawings of drawings: ten to the power of `levels`. */
export function endlessPdf(levels: number): Buffer {
  const forms = Array.from({ length: levels }, (_, i): Part => {
    const inner = i + 1 < levels ? `/Resources << /XObject << /X ${i + 6} 0 R >> >>` : ''
    const operators = i + 1 < levels ? '/X Do '.repeat(10) : '0 0 9 9 re f '.repeat(10)
    return { dictionary: `/Type /XObject /Subtype /Form /BBox [0 0 595 842] ${inner}`, stream: Buffer.from(operators) }
  })
  return onePage('/X Do', { resources: '/XObject << /X 5 0 R >>', others: forms })
}

/** Text by a table of characters that the file does not bring along. */
export function unknownTablePdf(): Buffer {
  return onePage('1 0 0 rg 100 300 400 300 re f BT /F2 40 Tf 60 740 Td <0041> Tj ET', {
    resources: '/Font << /F2 5 0 R >>',
    others: [
      '<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light /Encoding /90ms-RKSJ-H /DescendantFonts [6 0 R] >>',
      '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor 7 0 R >>',
      '<< /Type /FontDescriptor /FontName /Ryumin-Light /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>',
    ],
  })
}
