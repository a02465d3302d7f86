// The real OpenSSH client against the decoy, with every algorithm that the two have in common.
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDecoy, withoutDelays } from '../../../../../lab/ssh/decoy.ts'
import { defaultVersion, versions } from './versions/all.ts'
import { STRICT } from '../../protocol/version.ts'

const known = new Map<string, readonly string[]>()

/** What the client knows of a kind; nothing where there is no client. */
function supported(kind: string): readonly string[] {
  const found = known.get(kind) ?? listed(kind)
  known.set(kind, found)
  return found
}

function listed(kind: string): readonly string[] {
  try {
    return execFileSync('ssh', ['-Q', kind], { encoding: 'utf8' }).trim().split('\n')
  } catch {
    return []
  }
}

const hasClient = supported('kex').length > 0
const { offer } = defaultVersion

/** What the client prints until it is refused. Of an option given twice, the first counts. */
function ssh(port: number, ...options: readonly string[]): Promise<string> {
  const fixed = [
    'BatchMode=yes',
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'LogLevel=VERBOSE',
  ]
  const flags = [...options, ...fixed].flatMap((option) => ['-o', option])
  const args = ['-F', '/dev/null', ...flags, '-p', String(port), 'root@127.0.0.1']
  return new Promise((resolve) => execFile('ssh', args, (_, out, err) => resolve(out + err)))
}

/** The items again and again; there is at least one. */
const turn = <T>(items: readonly T[], n: number): T => items[n % items.length]!

describe.skipIf(!hasClient)('OpenSSH’s client (skipped where there is no ssh)', () => {
  let decoy: Awaited<ReturnType<typeof openDecoy>>
  const folder = mkdtempSync(join(tmpdir(), 'ssh-decoy-'))
  beforeAll(async () => void (decoy = await openDecoy()))
  afterAll(async () => {
    await decoy.host.close()
    rmSync(folder, { recursive: true })
  })

  const kex = offer.kex.filter((name) => name !== STRICT && supported('kex').includes(name))
  const hostKeys = offer.hostKeys.filter((name) => supported('HostKeyAlgorithms').includes(name))
  const ciphers = offer.ciphers.filter((name) => supported('cipher').includes(name))
  const macs = offer.macs.filter((name) => supported('mac').includes(name))
  // AES in counter mode needs a MAC, the other ciphers have one of their own.
  const [counting, sealing] = [true, false].map((counts) =>
    ciphers.filter((it) => it.endsWith('-ctr') === counts),
  )
  const protections = [
    ...sealing!.map((cipher) => [`Ciphers=${cipher}`]),
    ...macs.map((mac, n) => [`Ciphers=${turn(counting!, n)}`, `MACs=${mac}`]),
  ]
  // Each algorithm is the only one of its kind that one login offers.
  const logins = Array.from({ length: Math.max(kex.length, hostKeys.length, protections.length) }, (_, n) =>
    [
      `KexAlgorithms=${turn(kex, n)}`,
      `HostKeyAlgorithms=${turn(hostKeys, n)}`,
      `Compression=${n % 2 === 0 ? 'no' : 'yes'}`,
      ...turn(protections, n),
    ].join(' '),
  )

  test.concurrent.each(logins)('reaches the login with %s', async (options) => {
    expect(await ssh(decoy.port, ...options.split(' '))).toContain('Permission denied (publickey,password).')
  })

  test('offers its key, which raises one event with the fingerprint that ssh-keygen prints', async () => {
    const file = join(folder, 'key')
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
    const fingerprint = execFileSync('ssh-keygen', ['-lf', file], { encoding: 'utf8' }).split(' ')[1]
    const other = await openDecoy()
    await ssh(other.port, `IdentityFile=${file}`, 'IdentitiesOnly=yes')
    await other.host.close()
    expect(other.touches.map(({ fields }) => fields.KEY)).toEqual([`${fingerprint} ssh-ed25519`])
  })

  test.each(versions)('reads the banner of $software', async (version) => {
    const other = await openDecoy({ ...withoutDelays, version, banner: 'Keep out' })
    const text = await ssh(other.port, 'LogLevel=DEBUG1')
    await other.host.close()
    expect(text).toContain('Keep out')
    expect(text).toContain(`remote software version ${version.software}`)
    // Debian 12's client has no ML-KEM: it takes the next method of the newest version.
    const common = version.offer.kex.filter((name) => supported('kex').includes(name))
    expect(common).toContain(/kex: algorithm: (\S+)/.exec(text)?.[1])
    expect(text).toContain('Permission denied (publickey,password).')
  })
})
