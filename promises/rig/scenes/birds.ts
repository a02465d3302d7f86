// A fleet of links without Birds, enrolled by one code.
import { randomBytes } from 'node:crypto'
import { parseEnrolment } from '@rookery/link/enrolment.ts'
import { keyPair } from '@rookery/link/noise/keys.ts'
import { connectLink, type LinkClient, type LinkClientOptions } from '../load/link-client.ts'
import type { RunningConsole } from './console.ts'

const AT_ONCE = 16

interface Fleet {
  readonly birds: number
  /** What a Bird does besides living; asked for each. */
  readonly optionsOf: () => Partial<LinkClientOptions>
}

/** Puts each into `links` as it connects, so that the caller closes those of a fleet that did not come together. */
export async function connectBirds(
  console: RunningConsole,
  links: LinkClient[],
  { birds, optionsOf }: Fleet,
): Promise<void> {
  const { json } = await console.post('/enrolment/create', { uses: birds, minutes: 60 })
  const { secret } = parseEnrolment(String(json['code']))
  let begun = 0
  const connect = async (): Promise<void> => {
    while (begun++ < birds)
      links.push(
        await connectLink({
          port: console.port,
          key: keyPair(randomBytes(32)),
          enrol: secret,
          spoolId: randomBytes(16).toString('hex'),
          eventOf: () => undefined,
          ...optionsOf(),
        }),
      )
  }
  await Promise.all(Array.from({ length: AT_ONCE }, connect))
}
