// A document of ours: a memorandum of one page, as a report generator writes it, in fonts that every reader has (ISO 32000-1, 9.6.2.2).
import type { Draws } from '../../draws.ts'
import { memorandum } from '../../pretexts/memorandum.ts'
import { pastMoment } from '../../pretexts/past-moment.ts'
import { compressedPdf, pdfStream } from './compressed-pdf.ts'

export interface NewPdf {
  readonly filename: string
  readonly bytes: Buffer
}

type Generator = readonly [version: string, year: number]
/** Versions of iText, and the last year of their copyright; all were there before the first document. */
const GENERATORS: readonly [Generator, ...Generator[]] = [
  ['5.5.9', 2015],
  ['5.5.11', 2017],
  ['5.5.13', 2018],
  ['5.5.13.1', 2019],
  ['5.5.13.2', 2020],
  ['5.5.13.3', 2022],
]
const ZONES = ["+00'00'", "+01'00'", "+02'00'", "-05'00'"] as const

/** The page has an action for its opening, with this address. */
export function newPdf(draws: Draws, url: string): NewPdf {
  const { title, author, paragraphs } = memorandum(draws)
  const [version, year] = draws.pick(GENERATORS)
  const written = `D:${pastMoment(draws).replace(/[-:TZ]/g, '')}${draws.pick(ZONES)}`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Contents 4 0 R/Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>/Parent 2 0 R/MediaBox[0 0 595 842]/AA<</O<</S/URI/URI(${escaped(url)})>>>>>>`,
    pdfStream({ dictionary: '', content: Buffer.from(pageContent(title, author, paragraphs), 'latin1') }),
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<</Title(${escaped(title)})/Author(${escaped(author)})/Producer(iText\xae ${version} \xa92000-${year} iText Group NV \\(AGPL-version\\))/CreationDate(${written})/ModDate(${written})>>`,
  ]
  return {
    filename: `${title.replace(/[^A-Za-z0-9]+/g, ' ').trim()}.pdf`,
    bytes: compressedPdf(objects, {
      trailer: `/Root 1 0 R/Info 7 0 R`,
      id: draws.text('0123456789abcdef', 32),
      comment: `iText-${version}`,
    }),
  }
}

const font = (name: string): string =>
  `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`

const LINE_CHARACTERS = 88

/** Lines of 14 points, from the upper left corner down. */
function pageContent(title: string, author: string, paragraphs: readonly string[]): string {
  const lines = paragraphs.flatMap((paragraph) => [...wrapped(paragraph), ''])
  const shown = lines.map((line) => `(${escaped(line)}) Tj T*`)
  return [
    `BT /F2 18 Tf 14 TL 70 760 Td (${escaped(title)}) Tj T* T*`,
    `/F1 11 Tf (${escaped(author)}) Tj T* T* T*`,
    ...shown,
    'ET',
  ].join('\n')
}

const wrapped = (text: string): string[] =>
  text.match(new RegExp(`.{1,${LINE_CHARACTERS}}(?:\\s|$)`, 'g'))?.map((line) => line.trim()) ?? []

const escaped = (text: string): string => text.replace(/[\\()]/g, '\\$&')
