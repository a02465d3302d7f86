// A list of addresses to ignore: an IP, a CIDR range, `ip:port` or `[ipv6]:port` a line; `#` starts a comment.
import { BlockList } from 'node:net'
import { Fault } from '@rookery/kernel/fault.ts'
import { addRange, inList } from './ranges.ts'

export interface IpEntry {
  /** An address or a CIDR range. */
  readonly range: string
  /** Only traffic to this port; undefined is every port. */
  readonly port: number | undefined
}

export interface IpList {
  /** Without a port only entries for every port count. */
  has(address: string, port?: number): boolean
}

/** Reads one line; undefined when it is empty or a comment; a `bad-input` that names the line when it is wrong. */
export function parseIpLine(line: string, parameter: string): IpEntry | undefined {
  const text = (line.split('#')[0] ?? '').trim()
  if (text === '') return undefined
  const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/.exec(text)
  const plain = /^([^:]+):(\d{1,5})$/.exec(text)
  const range = bracketed?.[1] ?? plain?.[1] ?? text
  const portText = bracketed ? bracketed[2] : plain?.[2]
  const port = portText === undefined ? undefined : Number(portText)
  if (!addRange(new BlockList(), range) || (port !== undefined && port > 65_535)) {
    throw new Fault('bad-input', `Parameter ${parameter} was invalid.`, {
      details: {
        [parameter]: `must have an IP address, a CIDR range or ip:port on each line; ${JSON.stringify(line.slice(0, 80))} is none of them`,
      },
    })
  }
  return { range, port }
}

/** An address or CIDR range, to one port or to all, as a line. */
export function ipLine(address: string, port: number | undefined): string {
  if (port === undefined) return address
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}

/** Compiles lines that were checked before. */
export function compileIpList(lines: readonly string[]): IpList {
  const everyPort = new BlockList()
  const byPort = new Map<number, BlockList>()
  for (const line of lines) {
    const entry = parseIpLine(line, 'list')
    if (!entry) continue
    if (entry.port === undefined) addRange(everyPort, entry.range)
    else {
      const list = byPort.get(entry.port) ?? new BlockList()
      byPort.set(entry.port, list)
      addRange(list, entry.range)
    }
  }
  return {
    has(address, port) {
      if (inList(everyPort, address)) return true
      const list = port === undefined ? undefined : byPort.get(port)
      return list !== undefined && inList(list, address)
    },
  }
}
