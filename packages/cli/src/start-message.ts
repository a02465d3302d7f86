// The message after `npm start`: addresses, files, and a command that raises the first incident.
import { existsSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import type { PortBesides } from '@rookery/decoys/settings/descriptor.ts'
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import { serviceOfInstance, touchCommand } from '@rookery/decoys/settings/instances.ts'
import type { BirdState } from '@rookery/bird/options.ts'
import type { Console } from '@rookery/console/build.ts'
import { printedAddress, printedHost } from '@rookery/console/addresses/reachable-address.ts'
import { VERSION } from '@rookery/console/version.ts'
import { sensorLines } from './sensor-lines.ts'

const line = (label: string, text: string): string => `  ${label.padEnd(12)}${text}\n`

/** Relative when it is below the working directory, otherwise absolute. */
const shorten = (path: string): string => {
  const short = relative(process.cwd(), path)
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short
}

/** With its folder, in the working directory, too: a service works in its data, and a name alone in a journal says not where. */
export const shortenFile = (path: string): string => join(shorten(dirname(path)), basename(path))

/** The key as a shell reads it. There is no file when the operator has chosen the key. */
const shellKey = (keyFile: string): string =>
  existsSync(keyFile) ? `$(cat ${shortenFile(keyFile)})` : '<your API key>'

/** The console's addresses, its first API key and its data directory. */
export function consoleMessage(
  {
    apiUrl,
    consoleHttpsUrl,
    setupUrl,
    tokensUrl,
    httpsAddress,
    dnsAddress,
    firstKeyFile,
    folder,
    base,
  }: Console,
  bootstrapKey: boolean,
): string {
  let text = `\nRookery ${VERSION}\n\n`
  if (apiUrl !== undefined) text += line('Console', `${apiUrl}   (its API: ${apiUrl}/docs)`)
  if (consoleHttpsUrl !== undefined) text += line('', consoleHttpsUrl)
  if (setupUrl !== undefined) text += line('Set up', `${setupUrl}   (once, within 30 minutes)`)
  if (tokensUrl !== undefined) text += line('Tokens', tokensUrl)
  if (httpsAddress !== undefined) text += line('', `https://${printedAddress(httpsAddress)}`)
  if (dnsAddress !== undefined) text += line('Token DNS', `${printedAddress(dnsAddress)}   (UDP and TCP)`)
  if (firstKeyFile !== undefined) text += line('API key', `written to ${shortenFile(firstKeyFile)}`)
  else
    text += line(
      'API key',
      bootstrapKey
        ? 'the value of ROOKERY_BOOTSTRAP_KEY at the first start'
        : `made at an earlier start (the first one: ${shortenFile(folder.adminKey)})`,
    )
  text += line('Data', shorten(folder.path))
  return base.lostInLog === undefined ? text : text + line('', `Data was lost: ${base.lostInLog}.`)
}

const OTHER_PORTS = line('', 'Set ROOKERY_BIRD_PORT_OFFSET=30000: all ports move, SSH to 30022.')

export const BIRD_DELAYED =
  line('Local Bird', 'its decoys do not listen yet. Does the log name a port that is in use?') + OTHER_PORTS

/** Its usual port, for which its command is; not one that it opens besides, and by one transport. */
function isOfSettings({ instance, transport, port }: BirdState['listening'][number]): boolean {
  const descriptor = serviceOfInstance(descriptors, instance)
  const isBesides = (it: PortBesides): boolean => it.transport === transport && it.port === port
  return descriptor?.transport === transport && !descriptor.portsBesides?.some(isBesides)
}

/** A command for each decoy of the local Bird. */
export function birdMessage(
  { nodeId, listening, notStanding, sensors }: BirdState,
  bind: string,
  apiUrl: string,
  keyFile: string,
): string {
  const host = printedHost(bind)
  let text = line('Local Bird', `${nodeId ?? ''} on ${host}:`)
  const decoys = listening.filter(isOfSettings).map(({ instance, boundPort }) => {
    const example = serviceOfInstance(descriptors, instance)?.example ?? ''
    return {
      instance,
      boundPort,
      command: touchCommand(example, host, boundPort),
    }
  })
  // One that notices port scans has no port of its own; what it does not see stands below.
  const watching = sensors
    .filter(({ reason }) => reason === '')
    .map(({ instance }) => ({
      instance,
      boundPort: '',
      command: touchCommand(serviceOfInstance(descriptors, instance)?.example ?? '', host, 0),
    }))
  const shown = [...decoys, ...watching]
  const width = Math.max(7, ...[...shown, ...notStanding].map(({ instance }) => instance.length))
  for (const { instance, boundPort, command } of shown)
    text += `    ${instance.padEnd(width)} ${String(boundPort).padEnd(6)} ${command}\n`
  for (const { instance, reason } of notStanding)
    text += `    ${instance.padEnd(width)} does not listen: ${reason}\n`
  if (notStanding.length > 0) text += OTHER_PORTS
  text += sensorLines(sensors)
  const first = decoys.find(({ command }) => command.startsWith('curl'))
  if (first) {
    text += '\nRaise the first incident, and look at it:\n\n'
    text += `  ${first.command}\n`
    text += `  curl -s -H "X-Auth-Token: ${shellKey(keyFile)}" ${apiUrl}/api/v1/incidents/unacknowledged\n\n`
  }
  return text + 'Ctrl-C stops it.\n'
}
