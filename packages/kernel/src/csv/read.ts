// Reads a CSV file (RFC 4180): cells in quotes may have commas, doubled quotes and line breaks. Lines end in CRLF or LF.

export interface CsvRecord {
  /** The line on which it begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** The file is no CSV from this line on. */
export class CsvError extends Error {
  override readonly name = 'CsvError'
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

const MAX_CELLS = 200
const MAX_CHARACTERS = 100_000

/** The records in their order, without empty lines; throws a `CsvError` where the text is no CSV. */
export function* readCsv(text: string): Generator<CsvRecord> {
  const end = text.length
  // A byte order mark is no part of the first cell.
  let at = text.startsWith('\uFEFF') ? 1 : 0
  let line = 1
  while (at < end) {
    const record = readRecord(text, at, line)
    if (record.cells.length > 1 || record.cells[0] !== '') yield { line, cells: record.cells }
    at = record.end
    line += record.lines
  }
}

interface ReadRecord {
  readonly cells: readonly string[]
  /** The index behind its line end. */
  readonly end: number
  readonly lines: number
}

function readRecord(text: string, from: number, line: number): ReadRecord {
  const cells: string[] = []
  let at = from
  let lines = 0
  for (;;) {
    if (cells.length >= MAX_CELLS) throw new CsvError(line + lines, `has more than ${MAX_CELLS} cells`)
    const cell = text[at] === '"' ? quotedCell(text, at, line + lines) : bareCell(text, at)
    check(cell, line + lines)
    cells.push(cell.text)
    lines += cell.breaks
    at = cell.end
    const next = text[at]
    if (next === ',') {
      at++
      continue
    }
    if (next === '\r') at++
    return { cells, end: Math.min(at + 1, text.length), lines: lines + 1 }
  }
}

interface Cell {
  readonly text: string
  /** The index of the comma, CR or LF behind it, or of the end of the text. */
  readonly end: number
  /** Line breaks inside it. */
  readonly breaks: number
}

/** Ends at a comma, an LF or a CRLF: a CR alone is part of the cell. */
const BARE_END = /,|\r?\n|\r?$/g

function bareCell(text: string, from: number): Cell {
  BARE_END.lastIndex = from
  const end = BARE_END.exec(text)?.index ?? text.length
  return { text: text.slice(from, end), end, breaks: 0 }
}

function quotedCell(text: string, from: number, line: number): Cell {
  let close = text.indexOf('"', from + 1)
  while (close >= 0 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  if (close < 0) throw new CsvError(line, 'has a quote " that is not closed')
  const inside = text.slice(from + 1, close)
  const end = close + 1
  const follows = text.slice(end, end + 2)
  if (!/^(?:$|,|\n|\r\n|\r$)/.test(follows)) {
    if (inside.length > MAX_CHARACTERS) throw tooLong(line, inside.length)
    throw new CsvError(
      line,
      `has ${JSON.stringify(follows[0])} behind a closing quote: a quote inside a cell is doubled`,
    )
  }
  return { text: inside.replaceAll('""', '"'), end, breaks: inside.split('\n').length - 1 }
}

function check({ text }: Cell, line: number): void {
  if (text.length > MAX_CHARACTERS) throw tooLong(line, text.length)
  if (text.includes('\0')) throw new CsvError(line, 'has a NUL character: save the file as text in UTF-8')
}

const tooLong = (line: number, length: number): CsvError =>
  new CsvError(line, `has a cell of ${length} characters: at most ${MAX_CHARACTERS} are read`)
