// The IP stack of a network namespace that is the Bird's own: it answers as the system that the decoys claim, as far as the
// kernel lets it be set (ip-sysctl of the Linux documentation).
import { readFileSync, writeFileSync } from 'node:fs'
import { machineKind, type MachineKind } from '@rookery/decoys/machine/machine-kind.ts'
import type { BirdSettings } from '@rookery/decoys/session/session.ts'

const FOLDER = '/proc/sys/net'

/** TTL, timestamps (RFC 7323) and the memory that the shift of the window follows from: 8 of Windows, 7 of Debian's kernel 6.1. */
const WINDOWS = {
  'ipv4/ip_default_ttl': '128',
  'ipv4/tcp_timestamps': '0',
  'ipv4/tcp_rmem': '4096 131072 16776960',
}
const DEBIAN: typeof WINDOWS = {
  'ipv4/ip_default_ttl': '64',
  'ipv4/tcp_timestamps': '1',
  'ipv4/tcp_rmem': '4096 131072 6291456',
}
const NAMES = ['ipv4/ip_default_ttl', 'ipv4/tcp_timestamps', 'ipv4/tcp_rmem'] as const
const STACKS: Readonly<Record<MachineKind, typeof WINDOWS | undefined>> = {
  'windows-server': WINDOWS,
  'windows-workstation': WINDOWS,
  linux: DEBIAN,
  nas: DEBIAN,
  'phone-system': DEBIAN,
  plc: undefined,
  printer: undefined,
  router: undefined,
}

/** Of the namespace that this process is in. */
export interface StackFiles {
  readonly read: (name: string) => string
  readonly write: (name: string, value: string) => void
}

const systemFiles: StackFiles = {
  read: (name) => readFileSync(`${FOLDER}/${name}`, 'utf8').trim(),
  write: (name, value) => writeFileSync(`${FOLDER}/${name}`, value),
}

/**
 * Answers a function of the settings in force, which answers why the stack stays as it is, as a sentence; undefined when it is as
 * they claim. Devices get what the namespace was set to before.
 */
export function ipStack(files = systemFiles): (settings: BirdSettings) => string | undefined {
  const before = new Map<string, string>()
  return (settings) => {
    const stack = STACKS[machineKind(settings)]
    try {
      for (const name of NAMES) {
        const current = files.read(name).split(/\s+/).join(' ')
        if (!before.has(name)) before.set(name, current)
        const wanted = stack?.[name] ?? before.get(name)
        if (wanted !== undefined && wanted !== current) files.write(name, wanted)
      }
      return undefined
    } catch (error) {
      const { code = 'an error' } = error as NodeJS.ErrnoException
      const wanted = Object.entries(stack ?? {}).map(
        ([name, value]) => `net.${name.replace('/', '.')}="${value}"`,
      )
      return `The IP stack cannot be set (${code}), so packets show this machine's: run the Bird as root or with CAP_NET_ADMIN and a writable /proc/sys, or have ${wanted.join(', ')} set for its namespace.`
    }
  }
}
