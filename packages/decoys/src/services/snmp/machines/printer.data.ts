// The tables of a Brother MFC-8860DN: host resources (RFC 2790) and the Printer MIB (RFC 3805).

/** A number, a text, an object's name, a count, or what the machine says. */
export type Cell =
  | number
  | string
  | { readonly oid: string }
  | { readonly count: number }
  | { readonly own: 'serial' | 'pages' | 'drum' | 'memory' }

/** Table, index, the number of the first column, and the row's cells from there on. */
export type Row = readonly [table: string, index: string, from: number, cells: readonly Cell[]]

const HOST = '1.3.6.1.2.1.25'
const PRINTER = '1.3.6.1.2.1.43'
export const MODEL = 'Brother MFC-8860DN'

/** Of nothing, of nobody knows, of some that is left. */
const [OTHER, UNKNOWN, SOME_LEFT] = [-1, -2, -3]
const NONE: Cell = { oid: '0.0' }

/** Unit: micrometres; sheets. The paper is what its pages say. */
const tray = (index: string, label: string, most: number, left: number): Row => [
  `${PRINTER}.8.2.1`,
  index,
  2,
  [2, 4, 297_000, 210_000, 297_000, 210_000, 8, most, left, 0, 'A4', label, '', '', '', '', label, 5],
]
const language = (index: string, family: number, level: string, about: string): Row => [
  `${PRINTER}.15.1.1`,
  index,
  2,
  [family, level, '', about, '', 3, 1_200, 1_200, 2, 2, 3],
]
const supply = (index: string, cells: readonly Cell[]): Row => [`${PRINTER}.11.1.1`, index, 2, cells]

export const ROWS: readonly Row[] = [
  [`${HOST}.2.3.1`, '1', 1, [1, { oid: `${HOST}.2.1.2` }, 'RAM', 1_024, 32_768, { own: 'memory' }, 0]],
  [`${HOST}.3.2.1`, '1', 1, [1, { oid: `${HOST}.3.1.5` }, MODEL, NONE, 2, { count: 0 }]],
  // 3: idle; no error.
  [`${HOST}.3.5.1`, '1', 1, [3, '\0']],
  [`${PRINTER}.5.1.1`, '1', 1, [{ count: 1 }, 1, 3, '', '', 1, 1, 1, 1, 1, 2, 16, 3, 4, 4]],
  [`${PRINTER}.5.1.1`, '1', 16, [MODEL, { own: 'serial' }, { count: 0 }, { count: 0 }]],
  [`${PRINTER}.6.1.1`, '1.1', 2, ['Front Cover', 4]],
  [`${PRINTER}.7.1.1`, '1.1', 2, ['en', 'US', 3]],
  tray('1.1', 'Tray 1', 250, SOME_LEFT),
  tray('1.2', 'MP Tray', 50, 0),
  [`${PRINTER}.9.2.1`, '1.1', 2, [3, 8, 150, UNKNOWN, 0, 'STANDARD', '', '', '', '', 'Standard Bin', 5]],
  [
    `${PRINTER}.10.2.1`,
    '1.1',
    2,
    [4, 7, { own: 'pages' }, { count: 0 }, 1, 0, 3, 1_200, 1_200, 1_600, 1_600, 1_600, 1_600, 0],
  ],
  // Brother says "some left" until it runs low, and its pages say OK.
  supply('1.1', [1, 1, 3, 3, 'Black Toner Cartridge', 7, UNKNOWN, SOME_LEFT]),
  supply('1.2', [1, 0, 3, 9, 'Drum Unit', 7, 25_000, { own: 'drum' }]),
  supply('1.3', [1, 0, 4, 4, 'Waste Toner', OTHER, OTHER, SOME_LEFT]),
  [`${PRINTER}.12.1.1`, '1.1', 2, [1, 1, 'black', 2]],
  [`${PRINTER}.13.4.1`, '1.1', 2, [8, 3, 1_680, 140_000, 85_000, 58_000, 30_000, 5, 'Standard', 0]],
  [`${PRINTER}.14.1.1`, '1.1', 2, [11, '', 1, 1, 3, 1, 0]],
  language('1.1', 37, '', 'Automatic Language Switching'),
  language('1.2', 3, '6', 'PCL6'),
  language('1.3', 6, '3', 'BR-Script3'),
  language('1.4', 47, '', 'Epson FX-850'),
  [`${PRINTER}.16.5.1`, '1.1', 2, ['Sleep']],
]
