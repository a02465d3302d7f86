// Probes that people have published to recognise decoys by: none of them recognises ours, whichever product a setting names.
import { expect, test } from 'vitest'
import { converse } from './first-contact.ts'
import { machines } from './machines.ts'
import { publishedProbes } from './published-probes.data.ts'
import { deriveFrom } from './session-context.ts'
import { services } from '../src/services.gen.ts'

test.each(publishedProbes)('$name: the pattern matches what was seen of it', ({ pattern, seen }) => {
  expect(seen).toMatch(pattern)
})

test('sixty probes are published, and each has a name of its own', () => {
  expect(new Set(publishedProbes.map(({ name }) => name)).size).toBe(publishedProbes.length)
  expect(publishedProbes.length).toBeGreaterThanOrEqual(60)
})

test.each(machines)('$name is recognised by no published probe', ({ service, settings }) => {
  const listeners = services[service]!.listeners(settings).filter(({ transport }) => transport === 'tcp')
  for (const listener of listeners)
    for (const { name, send, pattern } of publishedProbes) {
      const requests = send.map((text) => Buffer.from(text, 'latin1'))
      const { text } = converse(listener, deriveFrom('bird-1'), requests)
      expect(pattern.exec(text)?.[0], `${listener.instance}: ${name}`).toBeUndefined()
    }
})
