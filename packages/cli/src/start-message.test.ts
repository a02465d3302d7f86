// What `npm start` prints of a Bird on which everything is switched on.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { BirdState } from '@rookery/bird/options.ts'
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { portKeysOf } from '@rookery/decoys/settings/instances.ts'
import type { ServiceDescriptor } from '@rookery/decoys/settings/descriptor.ts'
import { birdMessage, shortenFile } from './start-message.ts'

/** Of each instance of each service. */
const listening = descriptors.flatMap((descriptor: ServiceDescriptor) => {
  const { transport, settings } = descriptor
  if (transport === undefined) return []
  return portKeysOf(descriptor).map((key) => {
    const port = Number(settings[key]?.default)
    return { instance: key.replace('.port', ''), transport, port, boundPort: port + 20_000 }
  })
})

test('the greeting names each of the nineteen services, with a command that can be copied', () => {
  expect(descriptors).toHaveLength(19)
  const state: BirdState = {
    phase: 'registered',
    deviceIdHash: '',
    pairingPhrase: undefined,
    linkError: undefined,
    settingsTag: '',
    spooled: 0,
    nodeId: '3f1c9a5e7b2d4860',
    listening,
    notStanding: [],
    sensors: [{ instance: 'portscan', way: 'packets' as const, reason: '' }],
  }
  const text = birdMessage(state, '127.0.0.1', 'http://127.0.0.1:7780', 'key')
  for (const { instance, boundPort } of listening)
    expect(text).toMatch(new RegExp(`^ {4}${instance.padEnd(12)} ${boundPort} +\\S`, 'm'))
  expect(text).not.toMatch(/\{host\}|\{port\}/)
  expect(text).toContain(`\n    ${'portscan'.padEnd(12)} ${' '.repeat(6)} nmap -Pn -sV 127.0.0.1\n`)
})

test('the first key is named with its folder, also by a service that works in it', () => {
  const inService = join(process.cwd(), 'admin.key')
  expect(shortenFile(inService)).toBe(inService)
  expect(shortenFile(join(process.cwd(), 'data', 'admin.key'))).toBe('data/admin.key')
  expect(shortenFile('/var/lib/rookery/admin.key')).toBe('/var/lib/rookery/admin.key')
})
