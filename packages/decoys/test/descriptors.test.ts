import { describe, expect, it } from 'vitest'
import { logtypeProblems } from '@rookery/kernel/test/logtype-problems.ts'
import { realServers } from './real-servers.ts'
import { descriptors } from '../src/descriptors.gen.ts'
import { portKeysOf, switchesOf } from '../src/settings/instances.ts'
import { serviceFolders } from './service-folders.ts'

const logtypes = descriptors.flatMap(({ service, logtypes }) =>
  logtypes.map((logtype) => ({ service, ...logtype })),
)

it('every service has a descriptor, and no two share a logtype or a slug', () => {
  expect(descriptors.map(({ service }) => service)).toEqual(
    serviceFolders.map(({ service }) => service).sort(),
  )
  for (const key of ['logtype', 'slug'] as const) {
    const values = logtypes.map((it) => it[key])
    expect(new Set(values).size).toBe(values.length)
  }
})

it.each(logtypes)(
  '$service: logtype $logtype says level, best evidence, meaning and next step',
  (descriptor) => {
    expect(logtypeProblems(descriptor)).toEqual([])
  },
)

it('a service raises logtypes of its own, or those of another service', () => {
  for (const { service, logtypes, reportsFor } of descriptors)
    expect(logtypes.length > 0 || descriptors.some((other) => other.service === reportsFor), service).toBe(
      true,
    )
})

it.each(descriptors)(
  '$service has a switch that is off by default, unless it opens no port, and an example with host',
  (it) => {
    const isOn = it.transport === undefined
    expect(it.settings[`${it.service}.enabled`]).toMatchObject({ type: 'boolean', default: isOn })
    expect(it.example).toContain('{host}')
  },
)

it('a decoy that is compared with no real server says what its judges are', () => {
  const compared = new Set(realServers.map(({ service }) => service))
  for (const { service, transport, ...more } of descriptors) {
    if (transport === undefined || compared.has(service)) continue
    expect('judgedBy' in more ? more.judgedBy : '', service).toMatch(/^No real .*\.$/)
  }
})

const withPort = descriptors.filter(({ transport }) => transport !== undefined)

describe.each(withPort)('$service', (descriptor) => {
  const { transport, settings, example, scanLine } = descriptor
  // `microsoft-ds?`: nmap knows the port, and no product gave itself away. `telnet`: it knows the protocol alone. `open|filtered`: it
  // looks at no answer from another port.
  it('has a port, also in its example, and a scan line as nmap prints it', () => {
    for (const key of portKeysOf(descriptor)) expect(settings[key]).toMatchObject({ type: 'port' })
    for (const key of switchesOf(descriptor)) expect(settings[key]).toMatchObject({ type: 'boolean' })
    expect(example).toContain('{port}')
    expect(scanLine).toMatch(
      new RegExp(`^\\{port\\}/${transport} open(\\|filtered)? (ssl/)?[a-z][a-z0-9-]*(\\?|( \\S+)*)$`),
    )
  })
})
