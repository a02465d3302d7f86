// Shares as folders without a kernel that has cifs: smbnetfs mounts them through FUSE, by Samba's client library.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './command.ts'
import { until } from './until.ts'

export interface Login {
  readonly host: string
  readonly user: string
  readonly password: string
}

/** Without FUSE, a sentence that says what is missing. */
export const missingForSmbnetfs = (): string | undefined =>
  existsSync('/dev/fuse') ? undefined : 'there is no /dev/fuse'

/** The folder has the shares of the host by their names, until it is disposed. */
export async function mountShares(
  { host, user, password }: Login,
  scratch: string,
): Promise<AsyncDisposable & { readonly folder: string }> {
  const [home, network] = [join(scratch, 'home'), join(scratch, 'network')]
  mkdirSync(join(home, '.smb'), { recursive: true })
  mkdirSync(network)
  // It reads no password from a file that others may read.
  const options = { mode: 0o600 }
  writeFileSync(join(home, '.smb/smbnetfs.conf'), `auth "${host}" "${user}" "${password}"\n`, options)
  writeFileSync(join(home, '.smb/smb.conf'), '[global]\nclient min protocol = SMB2\n', options)
  const child = spawn('smbnetfs', ['-f', network], { env: { ...process.env, HOME: home }, stdio: 'ignore' })
  const ended = once(child, 'exit')
  await until(`smbnetfs at ${network}`, async () =>
    (await run('mountpoint', ['-q', network])).code === 0 ? true : undefined,
  )
  return {
    folder: join(network, host),
    async [Symbol.asyncDispose]() {
      child.kill()
      await ended
    },
  }
}
