// What a person sees after `npm start`: where everything is, and the line to copy that raises the first incident.
import { existsSync } from 'node:fs'
import { isAbsolute, relative } from 'node:path'
import { descriptors } from '@rookery/decoys/descriptors.gen.ts'
import type { BirdState } from '@rookery/bird/options.ts'
import type { Console } from '@rookery/console/build.ts'
import { VERSION } from '@rookery/console/version.ts'

const line = (label: string, text: string): string => `  ${label.padEnd(12)}${text}\n`

/** As short as it can be copied: relative below this folder, whole elsewhere. */
const shown = (path: string): string => {
  const short = relative(process.cwd(), path)
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short
}

/** How a shell gets at the key; a key that somebody else gave is not ours to know. */
const keyIn = (keyFile: string): string =>
  existsSync(keyFile) ? `$(cat ${shown(keyFile)})` : '<your API key>'

/** Where the console is and how to get in. */
export function consoleGreeting(
  { apiUrl, tokensUrl, firstKeyFile, folder }: Console,
  bootstrapKey: boolean,
): string {
  let text = `\nRookery ${VERSION}\n\n`
  if (apiUrl !== undefined) text += line('Console', `${apiUrl}   (its API: ${apiUrl}/docs)`)
  if (tokensUrl !== undefined) text += line('Tokens', tokensUrl)
  if (firstKeyFile !== undefined) text += line('API key', `written to ${shown(firstKeyFile)}`)
  else
    text += line(
      'API key',
      bootstrapKey
        ? 'as given by ROOKERY_BOOTSTRAP_KEY at the first start'
        : `made before (the first one: ${shown(folder.adminKey)})`,
    )
  return text + line('Data', shown(folder.path))
}

export const birdIsLate =
  line('Local Bird', 'its decoys do not listen yet. If a port is in use (the log says so),') +
  line('', 'ROOKERY_BIRD_PORT_OFFSET=30000 moves them all: SSH is then at 30022.')

/** How to touch each decoy of the local Bird. */
export function birdGreeting(
  { nodeId, listening }: BirdState,
  host: string,
  apiUrl: string,
  keyFile: string,
): string {
  let text = line('Local Bird', `${nodeId ?? ''} on ${host}:`)
  const hints = listening.map(({ instance, boundPort }) => {
    const example = descriptors.find(({ service }) => service === instance)?.example ?? ''
    return {
      instance,
      boundPort,
      command: example.replaceAll('{host}', host).replaceAll('{port}', String(boundPort)),
    }
  })
  for (const { instance, boundPort, command } of hints) {
    text += `    ${instance.padEnd(7)} ${String(boundPort).padEnd(6)} ${command}\n`
  }
  const first = hints.find(({ command }) => command.startsWith('curl'))
  if (first) {
    text += '\nRaise the first incident, and look at it:\n\n'
    text += `  ${first.command}\n`
    text += `  curl -s -H "X-Auth-Token: ${keyIn(keyFile)}" ${apiUrl}/api/v1/incidents/unacknowledged\n\n`
  }
  return text + 'Ctrl-C stops it.\n'
}
