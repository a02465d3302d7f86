// A unit of systemd, as far as a machine without systemd can start it: user, capabilities, environment, folders that it may write.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Unit {
  readonly command: readonly string[]
  readonly user: string
  /** Such as `net_raw`. */
  readonly capabilities: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** Below the root: all else is read-only. */
  readonly writable: readonly string[]
  /** Where credentials come from, and where the service finds them. */
  readonly credentials: { readonly from: string; readonly id: string } | undefined
}

export function readUnit(root: string, name: string): Unit {
  const lines = readFileSync(join(root, 'usr/lib/systemd/system', name), 'utf8').split('\n')
  const all = (key: string): string[] =>
    lines.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1))
  const one = (key: string): string => {
    const [value] = all(key)
    if (value === undefined) throw new Error(`The unit ${name} has no line ${key}=.`)
    return value
  }
  for (const [key, value] of [
    ['ProtectSystem', 'strict'],
    ['NoNewPrivileges', 'yes'],
  ] as const)
    if (one(key) !== value) throw new Error(`${key} of ${name} must be ${value}, not ${one(key)}.`)
  if (one('AmbientCapabilities') !== one('CapabilityBoundingSet'))
    throw new Error(`${name} gives other capabilities than it leaves.`)
  const [id, from] = all('LoadCredential')[0]?.split(':') ?? []
  const files = all('EnvironmentFile').map((path) => join(root, path.replace(/^-/, '')))
  const assignments = [...all('Environment'), ...files.flatMap(assignmentsIn)]
  return {
    command: one('ExecStart').split(' '),
    user: one('User'),
    capabilities: one('AmbientCapabilities')
      .split(' ')
      .map((it) => it.replace('CAP_', '').toLowerCase()),
    environment: Object.fromEntries(
      assignments.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ),
    writable: [`var/lib/${one('StateDirectory')}`, `var/cache/${one('CacheDirectory')}`],
    credentials: id !== undefined && from !== undefined ? { from, id } : undefined,
  }
}

const assignmentsIn = (path: string): string[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => /^[A-Z_]+=/.test(line))
    : []
