// Walks over JSON text (RFC 8259) before it is parsed: deep nesting and many names take many times the memory of the text.
// It keeps positions alone, so that its work is one look at each byte, whatever the text is.
import { MEMBERS, NESTING, VALUES } from '../request-limits.ts'
import { unreadable } from './unreadable.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c

/** A text as the positions of its quotes. */
export interface TextSpan {
  readonly open: number
  readonly close: number
}

/**
 * Answers how many values there are; throws `bad-input` for too many of them, too much nesting, or too many members in
 * one object. `onMember` is called for each member of the
 * outermost object, at most `MEMBERS.max` times, with its name and the position of its colon. The text may be cut off
 * anywhere, and need not be JSON. What follows the outermost value is not looked at: no JSON has anything there.
 */
export function scanJson(bytes: Buffer, onMember?: (name: TextSpan, colon: number) => void): number {
  /** Members of each object that is open. */
  const members: number[] = []
  /** The last text of the outermost object, if no comma or colon came after it. */
  let open = -1
  let close = -1
  let values = 0
  const countValue = (): void => {
    if (++values <= VALUES.max) return
    VALUES.hit()
    throw unreadable(`has more than ${VALUES.max} values`)
  }
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at] ?? 0) {
      case QUOTE: {
        const end = closingQuote(bytes, at)
        if (members.length === 1) [open, close] = [at, end]
        at = end
        break
      }
      case COLON:
        countMember(members)
        if (members.length === 1 && open >= 0) onMember?.({ open, close }, at)
        open = -1
        break
      case COMMA:
        // The first value in a list or object is counted by the bracket, each further one by the comma before it: an empty
        // list or object counts as if it had one.
        countValue()
        open = -1
        break
      case 0x5b: // [
      case 0x7b: // {
        countValue()
        members.push(0)
        if (members.length <= NESTING.max) break
        NESTING.hit()
        throw unreadable(`is nested more than ${NESTING.max} levels deep`)
      case 0x5d: // ]
      case 0x7d: // }
        members.pop()
        if (members.length === 0) return values
    }
  }
  return values
}

function countMember(members: number[]): void {
  const count = (members.pop() ?? 0) + 1
  members.push(count)
  if (count <= MEMBERS.max) return
  MEMBERS.hit()
  throw unreadable(`has an object of more than ${MEMBERS.max} members`)
}

/** Where the text that starts at `start` has its closing quote; the end of the bytes if it has none. */
export function closingQuote(bytes: Buffer, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return Math.min(at, bytes.length)
}
