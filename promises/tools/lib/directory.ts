// A domain of Samba, with a domain controller and a Kerberos client of this machine.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './command.ts'
import { until } from './until.ts'
import { SYSTEM_PATH } from './as-system.ts'

/** Samba leaves loopback out: it has an interface of its own, in the network namespace of the proof. */
export const CONTROLLER = '192.0.2.77'
export const PASSWORD = 'Right-pass-1'

const REALM = 'AD.EXAMPLE'
const env = { PATH: SYSTEM_PATH }

export interface Directory {
  /** Where Samba writes each logon as JSON. */
  readonly log: string
  /** Logs on; answers whether the password was right. */
  readonly logOn: (account: string, password: string) => Promise<boolean>
  readonly stop: () => void
}

/** Makes the domain with these accounts, once for each folder, and starts its controller. */
export async function startDirectory(folder: string, accounts: readonly string[]): Promise<Directory> {
  const state = join(folder, 'directory')
  const log = join(folder, 'logons.json')
  if (!existsSync(state)) await provision(folder, state, accounts)
  writeFileSync(log, '')
  const controller = spawn(
    'samba',
    [
      ...['-F', '--no-process-group', '-M', 'single', `--configfile=${join(state, 'etc/smb.conf')}`],
      `--option=log level=1 auth_json_audit:3@${log}`,
      `--option=log file=${join(state, 'log.%m')}`,
      `--option=pid directory=${state}`,
      '--option=server services=kdc, ldap, cldap',
    ],
    { env, stdio: 'ignore' },
  )
  const kerberos = {
    ...env,
    KRB5_CONFIG: join(folder, 'krb5.conf'),
    KRB5CCNAME: `FILE:${join(folder, 'tickets')}`,
  }
  return {
    log,
    async logOn(account, password) {
      const { code } = await run('kinit', [account], { env: kerberos, input: `${password}\n` })
      return code === 0
    },
    stop: () => void controller.kill('SIGTERM'),
  }
}

async function provision(folder: string, state: string, accounts: readonly string[]): Promise<void> {
  const command = async (program: string, ...args: readonly string[]): Promise<void> => {
    const { code, stderr } = await run(program, args, { env, patienceMs: 60_000 })
    assert.equal(code, 0, stderr)
  }
  await command('ip', 'tuntap', 'add', 'directory', 'mode', 'tap')
  await command('ip', 'addr', 'add', `${CONTROLLER}/24`, 'dev', 'directory')
  await command('ip', 'link', 'set', 'directory', 'up')
  mkdirSync(state)
  await command(
    'samba-tool',
    ...['domain', 'provision', `--realm=${REALM}`, '--domain=AD', '--server-role=dc', '--dns-backend=NONE'],
    ...[`--adminpass=${PASSWORD}`, `--host-ip=${CONTROLLER}`, '--host-name=dc1', `--targetdir=${state}`],
    ...[`--option=interfaces=${CONTROLLER}`, '--option=bind interfaces only=yes', '--option=vfs objects='],
  )
  mkdirSync(join(state, 'state/cache'), { recursive: true })
  mkdirSync(join(state, 'cache'), { recursive: true })
  const users = ['-H', join(state, 'private/sam.ldb'), `--configfile=${join(state, 'etc/smb.conf')}`]
  for (const account of accounts) await command('samba-tool', 'user', 'create', account, PASSWORD, ...users)
  writeFileSync(
    join(folder, 'krb5.conf'),
    `[libdefaults]
 default_realm = ${REALM}
 dns_lookup_kdc = false
[realms]
 ${REALM} = {
  kdc = ${CONTROLLER}
 }
`,
  )
}

/** Resolves once the controller lets this account in. */
export const untilItAnswers = ({ logOn }: Directory, account: string): Promise<true> =>
  until(
    'the domain controller answers',
    async () => (await logOn(account, PASSWORD)) || undefined,
    20_000,
    100,
  )
