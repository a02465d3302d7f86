// The parts that Word writes besides a text: styles, settings and fonts.
import type { Draws } from '../draws.ts'
import { RELATIONSHIPS, WORD, WORD_DRAWING } from './linked-picture.ts'

/** By their prefixes. */
const NAMESPACES = {
  wpc: 'http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas',
  mc: 'http://schemas.openxmlformats.org/markup-compatibility/2006',
  o: 'urn:schemas-microsoft-com:office:office',
  r: RELATIONSHIPS,
  m: 'http://schemas.openxmlformats.org/officeDocument/2006/math',
  v: 'urn:schemas-microsoft-com:vml',
  wp14: 'http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing',
  wp: WORD_DRAWING,
  w10: 'urn:schemas-microsoft-com:office:word',
  w: WORD,
  w14: 'http://schemas.microsoft.com/office/word/2010/wordml',
  w15: 'http://schemas.microsoft.com/office/word/2012/wordml',
  w16se: 'http://schemas.microsoft.com/office/word/2015/wordml/symex',
  wpg: 'http://schemas.microsoft.com/office/word/2010/wordprocessingGroup',
  wpi: 'http://schemas.microsoft.com/office/word/2010/wordprocessingInk',
  wne: 'http://schemas.microsoft.com/office/word/2006/wordml',
  wps: 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape',
} as const

type Prefix = keyof typeof NAMESPACES

/** As Word 2016 declares them: what older versions do not know may be ignored. */
function declarations(prefixes: readonly Prefix[]): string {
  const ignorable = (['w14', 'w15', 'w16se', 'wp14'] as const).filter((it) => prefixes.includes(it))
  const declared = prefixes.map((prefix) => `xmlns:${prefix}="${NAMESPACES[prefix]}"`)
  return `${declared.join(' ')} mc:Ignorable="${ignorable.join(' ')}"`
}

const EVERY: Prefix[] = [
  ...(['wpc', 'mc', 'o', 'r', 'm', 'v', 'wp14', 'wp', 'w10', 'w', 'w14', 'w15', 'w16se'] as const),
  ...(['wpg', 'wpi', 'wne', 'wps'] as const),
]
/** Of the main part and of that of macros. */
export const WORD_NAMESPACES = declarations(EVERY)
const OF_SETTINGS = declarations(['mc', 'o', 'r', 'm', 'v', 'w10', 'w', 'w14', 'w15', 'w16se'])
const OF_OTHERS = declarations(['mc', 'r', 'w', 'w14', 'w15', 'w16se'])

export const WEB_SETTINGS = `<w:webSettings ${OF_OTHERS}><w:optimizeForBrowser/><w:allowPNG/></w:webSettings>`

interface Font {
  readonly name: string
  readonly panose: string
  readonly family: string
  /** The ranges of Unicode that it covers. */
  readonly ranges: readonly [first: string, second: string]
}

const FONTS: readonly Font[] = [
  { name: 'Calibri', panose: '020F0502020204030204', family: 'swiss', ranges: ['E4002EFF', 'C200247B'] },
  {
    name: 'Times New Roman',
    panose: '02020603050405020304',
    family: 'roman',
    ranges: ['E0002EFF', 'C000785B'],
  },
  {
    name: 'Calibri Light',
    panose: '020F0302020204030204',
    family: 'swiss',
    ranges: ['E4002EFF', 'C200247B'],
  },
]

export const FONT_TABLE = `<w:fonts ${OF_OTHERS}>${FONTS.map(
  ({ name, panose, family, ranges: [first, second] }) =>
    `<w:font w:name="${name}"><w:panose1 w:val="${panose}"/><w:charset w:val="00"/><w:family w:val="${family}"/><w:pitch w:val="variable"/><w:sig w:usb0="${first}" w:usb1="${second}" w:usb2="00000009" w:usb3="00000000" w:csb0="000001FF" w:csb1="00000000"/></w:font>`,
).join('')}</w:fonts>`

/** What Word 2013 and later say of themselves. */
const COMPATIBLE_SETTINGS = {
  compatibilityMode: 15,
  overrideTableStyleFontSizeAndJustification: 1,
  enableOpenTypeFeatures: 1,
  doNotFlipMirrorIndents: 1,
  differentiateMultirowTableHeaders: 1,
}

/** `sessions` are the numbers by which Word tells apart when a text was written; the first one is that of the document. */
export const settingsPart = (sessions: readonly string[]): string =>
  `<w:settings ${OF_SETTINGS}><w:zoom w:percent="100"/><w:defaultTabStop w:val="708"/>` +
  '<w:hyphenationZone w:val="425"/><w:characterSpacingControl w:val="doNotCompress"/><w:compat>' +
  Object.entries(COMPATIBLE_SETTINGS)
    .map(
      ([name, value]) =>
        `<w:compatSetting w:name="${name}" w:uri="http://schemas.microsoft.com/office/word" w:val="${value}"/>`,
    )
    .join('') +
  `</w:compat><w:rsids><w:rsidRoot w:val="${sessions[0] ?? ''}"/>${sessions
    .toSorted()
    .map((session) => `<w:rsid w:val="${session}"/>`)
    .join('')}</w:rsids>` +
  '<m:mathPr><m:mathFont m:val="Cambria Math"/><m:brkBin m:val="before"/><m:brkBinSub m:val="--"/><m:smallFrac m:val="0"/><m:dispDef/><m:lMargin m:val="0"/><m:rMargin m:val="0"/><m:defJc m:val="centerGroup"/><m:wrapIndent m:val="1440"/><m:intLim m:val="subSup"/><m:naryLim m:val="undOvr"/></m:mathPr>' +
  '<w:themeFontLang w:val="en-GB"/><w:clrSchemeMapping w:bg1="light1" w:t1="dark1" w:bg2="light2" w:t2="dark2" w:accent1="accent1" w:accent2="accent2" w:accent3="accent3" w:accent4="accent4" w:accent5="accent5" w:accent6="accent6" w:hyperlink="hyperlink" w:followedHyperlink="followedHyperlink"/>' +
  '<w:decimalSymbol w:val="."/><w:listSeparator w:val=","/></w:settings>'

const style = (id: string, halfPoints: number, after: number, more = ''): string =>
  `<w:style w:type="paragraph"${id === 'Normal' ? ' w:default="1"' : ''} w:styleId="${id}"><w:name w:val="${id}"/>` +
  `${id === 'Normal' ? '' : '<w:basedOn w:val="Normal"/><w:next w:val="Normal"/>'}<w:qFormat/>` +
  `<w:pPr><w:spacing w:after="${after}" w:line="259" w:lineRule="auto"/></w:pPr><w:rPr>${more}<w:sz w:val="${halfPoints}"/></w:rPr></w:style>`

/** Sizes and colours differ by document, as templates of companies do. */
export function stylesPart(draws: Draws): string {
  const after = draws.integer(4, 10) * 20
  const title = `<w:b/><w:color w:val="${draws.text('01234567', 6)}"/>`
  return (
    `<w:styles ${OF_OTHERS}><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:asciiTheme="minorHAnsi" w:eastAsiaTheme="minorHAnsi" w:hAnsiTheme="minorHAnsi" w:cstheme="minorBidi"/>` +
    '<w:sz w:val="22"/><w:szCs w:val="22"/><w:lang w:val="en-GB" w:eastAsia="en-US" w:bidi="ar-SA"/></w:rPr></w:rPrDefault><w:pPrDefault/></w:docDefaults>' +
    `${style('Normal', 22, after)}${style('Title', draws.integer(15, 24) * 2, after, title)}${style('Subtitle', 22, after, '<w:i/>')}</w:styles>`
  )
}
