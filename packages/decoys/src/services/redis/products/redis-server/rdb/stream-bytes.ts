// A stream in an RDB. Each entry is a node of its own, whose listpack holds a master entry with the fields, then the entry:
//
//   valid 1, deleted 0, fields, name …, 0
//   flags, ms 0, sequence 0, value …, elements
import { FIRST_ID, type Stream, type StreamEntry } from '../values/stream.ts'
import { big } from './byte-reader.ts'
import { listpack } from './listpack.ts'
import { lengthBytes } from './text.ts'

const SAME_FIELDS = 2
const GROUPS = 0

/** `text` writes a text, compressed where that helps. */
export function streamBytes(stream: Stream, text: (value: string) => string): string {
  const { entries, lastId, maxDeletedId, added } = stream
  const numbers = [...lastId, ...(entries[0]?.id ?? FIRST_ID), ...maxDeletedId, added, GROUPS]
  return [
    lengthBytes(entries.length),
    ...entries.map((entry) => text(entry.id.map((part) => big(part, 8)).join('')) + text(node(entry))),
    lengthBytes(entries.length),
    ...numbers.map(lengthBytes),
  ].join('')
}

function node({ fields }: StreamEntry): string {
  const [names, values] = [0, 1].map((odd) => fields.filter((_, at) => at % 2 === odd)) as [
    string[],
    string[],
  ]
  const counts = [1, 0, names.length].map(String)
  return listpack([...counts, ...names, '0', `${SAME_FIELDS}`, '0', '0', ...values, `${values.length + 3}`])
}
