// Opens decoys for trying tools on them: `node test/serve.ts redis.enabled=true redis.port=6379 …` with the settings to
// change, on 127.0.0.1 (or DECOYS_BIND). Prints every event as a line of JSON unless DECOYS_QUIET is set.
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { openHost } from '../src/host/host.ts'
import type { BirdSettings, Service } from '../src/session.ts'
import type { ServiceDescriptor } from '../src/descriptor.ts'
import { derived, realClock } from './world.ts'

const given = Object.fromEntries(process.argv.slice(2).map((pair) => pair.split('=', 2) as [string, string]))
const folder = new URL('../src/services/', import.meta.url)
const settings: Record<string, unknown> = {}
const services: Service[] = []
for (const name of readdirSync(folder)) {
  if (!existsSync(new URL(`${name}/service.ts`, folder))) continue
  if (!Object.keys(given).some((key) => key.startsWith(`${name}.`))) continue
  services.push(((await import(new URL(`${name}/service.ts`, folder).href)) as { default: Service }).default)
  const { descriptor } = (await import(new URL(`${name}/descriptor.ts`, folder).href)) as {
    descriptor: ServiceDescriptor
  }
  for (const [key, setting] of Object.entries(descriptor.settings)) {
    const text = given[key]
    settings[key] =
      text === undefined
        ? setting.default
        : setting.type === 'boolean'
          ? text === 'true'
          : setting.type === 'port'
            ? Number(text)
            : text
  }
}
let count = 0
const isQuiet = process.env['DECOYS_QUIET'] !== undefined
const host = openHost({
  bind: process.env['DECOYS_BIND'] ?? '127.0.0.1',
  portOffset: 0,
  clock: realClock,
  random: { bytes: (length) => randomBytes(length) },
  derive: derived('bird-for-tools'),
  emit(touch) {
    count += 1
    if (!isQuiet) console.log(JSON.stringify(touch))
  },
})
await host.apply(services.flatMap((service) => service.listeners(settings as BirdSettings)))
console.error(
  host
    .listening()
    .map(({ instance, boundPort }) => `${instance} at ${boundPort}`)
    .join(', '),
)
process.once('SIGTERM', () => {
  console.error(
    `${count} events`,
    JSON.stringify(host.stats),
    `${Math.round(process.memoryUsage().rss / 1e6)} MB`,
  )
  void host.close().then(() => process.exit(0))
})
