// The theme of a document (ECMA-376, part 1, 14.2.7): the fonts of Office, and colours of a company of its own.
import type { Draws } from '../draws.ts'
import { DRAWING } from './linked-picture.ts'

export const THEME_TYPE = 'application/vnd.openxmlformats-officedocument.theme+xml'

const ACCENTS = 6

export function themePart(draws: Draws): string {
  const rgb = (name: string, value: string): string => `<a:${name}><a:srgbClr val="${value}"/></a:${name}>`
  const colour = (): string => draws.text('0123456789ABCDEF', 6)
  const accents = Array.from({ length: ACCENTS }, (_, n) => rgb(`accent${n + 1}`, colour()))
  return (
    `<a:theme xmlns:a="${DRAWING}" name="Office Theme"><a:themeElements>` +
    `<a:clrScheme name="Custom ${draws.integer(1, 9)}"><a:dk1><a:sysClr val="windowText" lastClr="000000"/></a:dk1>` +
    `<a:lt1><a:sysClr val="window" lastClr="FFFFFF"/></a:lt1>${rgb('dk2', '44546A')}${rgb('lt2', 'E7E6E6')}` +
    `${accents.join('')}${rgb('hlink', '0563C1')}${rgb('folHlink', '954F72')}</a:clrScheme>` +
    `<a:fontScheme name="Office">${fonts('major', 'Calibri Light', '020F0302020204030204')}` +
    `${fonts('minor', 'Calibri', '020F0502020204030204')}</a:fontScheme>${FORMATS}</a:themeElements>` +
    '<a:objectDefaults/><a:extraClrSchemeLst/></a:theme>'
  )
}

const fonts = (kind: string, latin: string, panose: string): string =>
  `<a:${kind}Font><a:latin typeface="${latin}" panose="${panose}"/><a:ea typeface=""/><a:cs typeface=""/></a:${kind}Font>`

const PLACEHOLDER = '<a:schemeClr val="phClr"/>'
const SOLID = `<a:solidFill>${PLACEHOLDER}</a:solidFill>`

interface Stop {
  readonly at: number
  /** Changes of the colour, in thousandths of a per cent. */
  readonly changes: Readonly<Record<string, number>>
}

const gradient = (...stops: readonly Stop[]): string => {
  const stop = ({ at, changes }: Stop): string => {
    const changed = Object.entries(changes).map(([name, value]) => `<a:${name} val="${value}"/>`)
    return `<a:gs pos="${at}"><a:schemeClr val="phClr">${changed.join('')}</a:schemeClr></a:gs>`
  }
  return `<a:gradFill rotWithShape="1"><a:gsLst>${stops.map(stop).join('')}</a:gsLst><a:lin ang="5400000" scaled="0"/></a:gradFill>`
}

const line = (width: number): string =>
  `<a:ln w="${width}" cap="flat" cmpd="sng" algn="ctr">${SOLID}<a:prstDash val="solid"/><a:miter lim="800000"/></a:ln>`

const NO_EFFECT = '<a:effectStyle><a:effectLst/></a:effectStyle>'

const FORMATS =
  `<a:fmtScheme name="Office"><a:fillStyleLst>${SOLID}` +
  gradient(
    { at: 0, changes: { lumMod: 110_000, satMod: 105_000, tint: 67_000 } },
    { at: 50_000, changes: { lumMod: 105_000, satMod: 103_000, tint: 73_000 } },
    { at: 100_000, changes: { lumMod: 105_000, satMod: 109_000, tint: 81_000 } },
  ) +
  gradient(
    { at: 0, changes: { satMod: 103_000, lumMod: 102_000, tint: 94_000 } },
    { at: 50_000, changes: { satMod: 110_000, lumMod: 100_000, shade: 100_000 } },
    { at: 100_000, changes: { lumMod: 99_000, satMod: 120_000, shade: 78_000 } },
  ) +
  `</a:fillStyleLst><a:lnStyleLst>${line(6_350)}${line(12_700)}${line(19_050)}</a:lnStyleLst>` +
  `<a:effectStyleLst>${NO_EFFECT}${NO_EFFECT}<a:effectStyle><a:effectLst>` +
  '<a:outerShdw blurRad="57150" dist="19050" dir="5400000" algn="ctr" rotWithShape="0"><a:srgbClr val="000000"><a:alpha val="63000"/></a:srgbClr></a:outerShdw>' +
  `</a:effectLst></a:effectStyle></a:effectStyleLst><a:bgFillStyleLst>${SOLID}` +
  '<a:solidFill><a:schemeClr val="phClr"><a:tint val="95000"/><a:satMod val="170000"/></a:schemeClr></a:solidFill>' +
  gradient(
    { at: 0, changes: { tint: 93_000, satMod: 150_000, shade: 98_000, lumMod: 102_000 } },
    { at: 50_000, changes: { tint: 98_000, satMod: 130_000, shade: 90_000, lumMod: 103_000 } },
    { at: 100_000, changes: { shade: 63_000, satMod: 120_000 } },
  ) +
  '</a:bgFillStyleLst></a:fmtScheme>'
