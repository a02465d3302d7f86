// Walks over JSON text (RFC 8259) before it is parsed: deep nesting and many names take many times the memory of the text.
import { MEMBERS, NESTING } from '../request-limits.ts'
import { unreadable } from './unreadable.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c

/**
 * Throws `bad-input` for too much nesting, or too many members in one object. `onText` is called for each member of the
 * outermost object whose value is a text. The text may be cut off anywhere, and need not be JSON.
 */
export function scanJson(bytes: Buffer, onText?: (name: string, value: string) => void): void {
  /** Members of each object that is open. */
  const members: number[] = []
  let lastText: string | undefined
  let name: string | undefined
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at] ?? 0) {
      case QUOTE: {
        const end = endOfText(bytes, at)
        // Only names and values of the outermost object are looked at.
        if (onText && end < bytes.length && members.length === 1) {
          lastText = readText(bytes, at, end)
          if (name !== undefined && lastText !== undefined) onText(name, lastText)
        }
        at = end
        break
      }
      case COLON:
        countMember(members)
        if (members.length === 1) name = lastText
        break
      case COMMA:
        if (members.length === 1) name = undefined
        break
      case 0x5b: // [
      case 0x7b: // {
        members.push(0)
        if (members.length <= NESTING.max) break
        NESTING.hit()
        throw unreadable(`is nested more than ${NESTING.max} levels deep`)
      case 0x5d: // ]
      case 0x7d: // }
        members.pop()
    }
  }
}

function countMember(members: number[]): void {
  const count = (members.pop() ?? 0) + 1
  members.push(count)
  if (count <= MEMBERS.max) return
  MEMBERS.hit()
  throw unreadable(`has an object of more than ${MEMBERS.max} members`)
}

/** Where the text that starts at `start` has its closing quote; the end of the bytes if it has none. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return Math.min(at, bytes.length)
}

/** Undefined for an escape that JSON does not know. */
function readText(bytes: Buffer, start: number, end: number): string | undefined {
  try {
    return JSON.parse(bytes.toString('utf8', start, end + 1)) as string
  } catch {
    return undefined
  }
}
