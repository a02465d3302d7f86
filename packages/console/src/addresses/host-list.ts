// Lists of host names to ignore: one name a line, with every name below it; `*.name` says the same; `#` starts a
// comment.
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { entryOf, wrongLine } from './ip-list.ts'

export interface HostList {
  readonly isEmpty: boolean
  has(name: string): boolean
  /** The line, as it was typed, whose name is this one or one above it; undefined when none is. */
  entryFor(name: string): string | undefined
}

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/
const MAX_CHARACTERS = 253

/** A host name in its canonical spelling; undefined for any other text. */
export function hostName(text: string): string | undefined {
  const trimmed = text.trim().replace(/\.$/, '')
  if (isIP(trimmed) !== 0) return undefined
  const name = /^[\x20-\x7e]*$/.test(trimmed) ? trimmed.toLowerCase() : domainToASCII(trimmed)
  if (name.length > MAX_CHARACTERS || !name.split('.').every((label) => LABEL.test(label))) return undefined
  return name
}

/** Reads one line; undefined when it is empty or a comment; a `bad-input` that names the line when it is wrong. */
export function parseHostLine(line: string, parameter: string): string | undefined {
  const text = entryOf(line)
  if (text === '') return undefined
  const name = hostName(text.replace(/^\*\./, ''))
  if (name !== undefined) return name
  throw wrongLine(line, parameter, 'a host name (every name below it is ignored, too)')
}

/** Compiles lines that have been checked. */
export function compileHostList(lines: readonly string[]): HostList {
  const lineOf = new Map<string, string>()
  for (const line of lines) {
    const name = parseHostLine(line, 'list')
    if (name !== undefined && !lineOf.has(name)) lineOf.set(name, line)
  }
  function entryFor(text: string): string | undefined {
    // A reverse zone may contain anything: text that is no host name matches nothing.
    for (let name = hostName(text); name !== undefined; name = parentOf(name)) {
      const line = lineOf.get(name)
      if (line !== undefined) return line
    }
    return undefined
  }
  return { isEmpty: lineOf.size === 0, entryFor, has: (name) => entryFor(name) !== undefined }
}

function parentOf(name: string): string | undefined {
  const dot = name.indexOf('.')
  return dot < 0 ? undefined : name.slice(dot + 1)
}
