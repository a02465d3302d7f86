// Files of text: notes, tables, logs. Longer ones repeat their lines.
import { byWord } from '@rookery/kernel/by-word.ts'
import type { Draw } from '../../../../../machine/draw.ts'
import { paragraph, sentence } from './prose.ts'

const BLOCK_BYTES = 16 * 1024

/** At most 16 KiB of lines for a file of that extension; what lies behind repeats them. */
export function textBlock(extension: string, title: string, from: Draw, size: number): Buffer {
  const line = LINES[extension] ?? ((draw: Draw) => `${paragraph(draw)}\r\n`)
  const lines = [HEADS[extension]?.(title) ?? `${title}\r\n\r\n`]
  const target = Math.min(size, BLOCK_BYTES)
  for (let length = lines[0]!.length; length < target; length += lines.at(-1)!.length) lines.push(line(from))
  return Buffer.from(lines.join(''))
}

const two = (number: number): string => String(number).padStart(2, '0')
const clock = (from: Draw): string =>
  `${two(from.between(6, 20))}:${two(from.between(0, 59))}:${two(from.between(0, 59))}`
const day = (from: Draw): string => `2025-${two(from.between(1, 12))}-${two(from.between(1, 28))}`

const HEADS = byWord<(title: string) => string>({
  csv: () => 'date;cost centre;amount;text\r\n',
  log: () => '',
  json: () => '',
  sql: (title) => `-- ${title}\r\nBEGIN TRANSACTION;\r\n`,
  bat: (title) => `@echo off\r\nrem ${title}\r\n`,
  ini: () => '[General]\r\n',
})

const LINES = byWord<(from: Draw) => string>({
  csv: (from) =>
    `${day(from)};${from.between(1_000, 9_999)};${from.between(100, 99_999) / 100};${sentence(from)}\r\n`,
  log: (from) =>
    `${day(from)} ${clock(from)} ${from.pick(['INFO ', 'INFO ', 'WARN ', 'DEBUG'])} job ${from.between(100, 999)} ` +
    `${from.pick(['started', 'finished', 'waits for the next run', 'skipped: nothing to do'])}\r\n`,
  json: (from) =>
    `{"at":"${day(from)}T${clock(from)}Z","item":${from.between(1, 9_999)},"text":"${sentence(from)}"}\r\n`,
  sql: (from) =>
    `INSERT INTO positions VALUES (${from.between(1, 99_999)}, '${day(from)}', ${from.between(1, 9_999)});\r\n`,
  bat: (from) => `echo ${sentence(from)}\r\n`,
  ini: (from) => `Option${from.between(1, 999)}=${from.between(0, 4_096)}\r\n`,
})
