// Logs in over SSH as OpenSSH's client of Debian 12 does, with its lists: sntrup761x25519, ssh-ed25519, ChaCha20. That client
// takes four times as long as the server, which would be measured idle, with cold caches.
import { MSG } from '../../../packages/decoys/src/services/ssh/protocol/codec/messages.ts'
import { openClient, usualOffer } from '../../../packages/decoys/lab/ssh/client.ts'
import * as requests from '../../../packages/decoys/lab/ssh/requests.ts'
import { defaultVersion } from '../../../packages/decoys/src/services/ssh/products/openssh/versions/all.ts'
import { STRICT } from '../../../packages/decoys/src/services/ssh/protocol/version.ts'
import type { BusySshLogins } from './busy-ssh-logins.ts'
import { serveJobs } from './serve-jobs.ts'
import type { SshLogins } from './ssh-logins.ts'

const { kex, hostKeys, ciphers, macs } = defaultVersion.offer
const offer = {
  ...usualOffer,
  kex: [...kex.filter((name) => name !== STRICT), 'ext-info-c', 'kex-strict-c-v00@openssh.com'],
  hostKeys: hostKeys.toReversed(),
  ciphers,
  macs,
  compression: ['none', 'zlib@openssh.com', 'zlib'],
}

async function run({ host, port, connections, count }: BusySshLogins): Promise<SshLogins> {
  const failures: string[] = []
  let left = count
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const failure = await logIn(host, port).catch(String)
      if (failure) failures.push(failure)
    }
  }
  await Promise.all(Array.from({ length: connections }, lane))
  return { refused: count - failures.length, failures: failures.slice(0, 3) }
}

/** What went wrong, if it was not refused. */
async function logIn(host: string, port: number): Promise<string | undefined> {
  const client = await openClient(port, host)
  try {
    await client.exchange(offer)
    for (const request of [
      requests.serviceRequest('ssh-userauth'),
      requests.none('root'),
      requests.password('root', 'wrong'),
    ]) {
      client.send(request)
      const answer = await client.receive()
      if (answer?.[0] !== (request[0] === MSG.serviceRequest ? MSG.serviceAccept : MSG.authFailure))
        return `message ${request[0]} was answered with ${answer?.[0] ?? 'a close'}`
    }
    return undefined
  } finally {
    client.destroy()
  }
}

serveJobs(run)
