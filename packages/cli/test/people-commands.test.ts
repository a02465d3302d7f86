// Commands for the people of a console, on its machine, also while it serves.
import { spawn, spawnSync } from 'node:child_process'
import { Secret, TOTP } from 'otpauth'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MAIN, newFolder, rookery, serve, type Ended, type ServeProcess } from './run-rookery.ts'

const at = (dataDir: string) => ({ ROOKERY_DATA_DIR: dataDir })
const EMAIL = 'ann@example.com'
const OLD = 'kestrel over the harbour'
const NEW = 'plover behind the dunes'

interface Answer {
  readonly status: number
  readonly json: Readonly<Record<string, unknown>>
  readonly cookie: string
}

async function ask(
  { apiUrl }: ServeProcess,
  path: string,
  form?: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${apiUrl}/api/v1${path}`, {
    headers,
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  })
  return {
    status: response.status,
    json: (await response.json()) as Answer['json'],
    cookie: /^[^;]*/.exec(response.headers.get('set-cookie') ?? '')?.[0] ?? '',
  }
}

/** Runs `rookery user password` with a line on its standard input. */
const setPassword = (dataDir: string, email: string, line: string): Promise<Ended> =>
  rookery(['user', 'password', email], { ...at(dataDir), LINE: line }, [
    'sh',
    '-c',
    'printf "%s\\n" "$LINE" | "$@"',
    'sh',
  ])

const codeOf = (link: string): string => new URL(link.trim()).hash.slice(1)

it('`setup-link` prints a link that works as that of the start, until there is a user', async () => {
  const dataDir = newFolder()
  const console = await serve(dataDir)
  const printed = /Set up +(http:\S+)/.exec(console.output())?.[1] ?? ''
  expect(printed).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/setup#[0-9a-f]{32}$/)
  expect((await ask(console, `/ticket/read?code=${codeOf(printed)}`)).status).toBe(200)

  const env = { ...at(dataDir), ROOKERY_LISTEN: '0.0.0.0:8080' }
  const another = await rookery(['setup-link'], env)
  expect([another.code, another.stderr]).toEqual([0, ''])
  expect(another.stdout).toMatch(/^http:\/\/127\.0\.0\.1:8080\/setup#[0-9a-f]{32}\n$/)
  expect((await rookery(['user', 'list'], at(dataDir))).stdout).toBe(
    'There is no user yet: `rookery setup-link` prints a link that makes the first one.\n',
  )
  const used = await ask(console, '/ticket/use', {
    code: codeOf(another.stdout),
    email: EMAIL,
    password: OLD,
  })
  expect([used.status, used.json['me']]).toMatchObject([200, { email: EMAIL }])
  const after = await rookery(['setup-link'], env)
  expect([after.code, after.stdout, after.stderr]).toEqual([
    1,
    '',
    'There is a user already: sign in. `rookery user list` shows who can, `rookery user password <email>` sets a new password.\n',
  ])
  const listed = await rookery(['user', 'list'], at(dataDir))
  expect(listed.stdout).toMatch(/^ann@example\.com {2}admin {2}signed in \d{4}-\d\d-\d\dT\d\d:\d\dZ\n$/)
})

it('`user password` sets a password that counts at once, and ends the sessions of its user', async () => {
  const dataDir = newFolder()
  const console = await serve(dataDir, { ROOKERY_BOOTSTRAP_EMAIL: EMAIL, ROOKERY_BOOTSTRAP_PASSWORD: OLD })
  expect(console.output()).not.toContain('Set up')
  const signIn = (password: string) => ask(console, '/session/password', { email: EMAIL, password })
  const { json, cookie } = await signIn(OLD)
  const halves = { Cookie: cookie, 'X-Rookery-Page': String(json['page_half']) }
  const isSignedIn = async () => (await ask(console, '/session', undefined, halves)).json['signed_in']
  expect(await isSignedIn()).toBe(true)

  const weak = await setPassword(dataDir, EMAIL, 'short')
  expect([weak.code, weak.stderr]).toEqual([1, expect.stringContaining('must have 12 to')])
  const unknown = await setPassword(dataDir, 'bea@example.com', NEW)
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    'There is no user "bea@example.com": `rookery user list` lists them.\n',
  ])
  expect(await isSignedIn()).toBe(true)

  const set = await setPassword(dataDir, EMAIL.toUpperCase(), NEW)
  expect([set.code, set.stdout, set.stderr]).toEqual([
    0,
    `The password of ${EMAIL} is changed. Sessions ended: 1.\n`,
    '',
  ])
  expect(await isSignedIn()).toBe(false)
  expect([(await signIn(OLD)).status, (await signIn(NEW)).status]).toEqual([401, 200])
  const { json: trail } = await console.get('/audit_trail/fetch', { user: 'local' })
  expect(trail['audit_trail']).toMatchObject([
    { action_type: 'users.update', message: `Change a password: email ${EMAIL}.` },
  ])
})

it('`user reset-factors` lets in with the password again who lost a second factor', async () => {
  const dataDir = newFolder()
  const console = await serve(dataDir, { ROOKERY_BOOTSTRAP_EMAIL: EMAIL, ROOKERY_BOOTSTRAP_PASSWORD: OLD })
  const signIn = () => ask(console, '/session/password', { email: EMAIL, password: OLD })
  const { json, cookie } = await signIn()
  const halves = { Cookie: cookie, 'X-Rookery-Page': String(json['page_half']) }
  const { json: app } = await ask(console, '/me/totp/begin', {}, halves)
  const code = new TOTP({ secret: Secret.fromBase32(String(app['secret'])) }).generate()
  expect((await ask(console, '/me/totp/confirm', { code }, halves)).status).toBe(200)
  expect((await signIn()).json).toMatchObject({ needs_factor: true })
  expect((await rookery(['user', 'list'], at(dataDir))).stdout).toContain('Z, second factor\n')

  const unknown = await rookery(['user', 'reset-factors', 'bea@example.com'], at(dataDir))
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('There is no user')])
  const reset = await rookery(['user', 'reset-factors', EMAIL.toUpperCase()], at(dataDir))
  expect([reset.code, reset.stdout]).toEqual([
    0,
    `${EMAIL} has no second factor any more, and signs in by the password. Sessions ended: 2.\n`,
  ])
  expect((await ask(console, '/session', undefined, halves)).json['signed_in']).toBe(false)
  expect((await signIn()).json).toMatchObject({ needs_factor: false })
  const { json: trail } = await console.get('/audit_trail/fetch', { user: 'local' })
  expect(trail['audit_trail']).toMatchObject([{ action_type: 'users.reset_factors' }])
})

describe.skipIf(spawnSync('script', ['--version']).status !== 0)('at a terminal', () => {
  /** Types each line when its question is there; answers what the terminal showed. */
  async function typeInto(dataDir: string, lines: readonly string[]): Promise<string> {
    const command = `${process.execPath} --disable-warning=ExperimentalWarning ${MAIN} user password ${EMAIL}`
    const child = spawn('script', ['-qec', command, '/dev/null'], { env: { ...process.env, ...at(dataDir) } })
    onTestFinished(() => void child.kill('SIGKILL'))
    let shown = ''
    let typed = 0
    child.stdout.on('data', (piece: Buffer) => {
      shown += piece.toString()
      if (shown.split(': ').length - 1 > typed && /: $/.test(shown)) child.stdin.write(`${lines[typed++]}\r`)
    })
    await new Promise((done) => child.once('close', done))
    return shown
  }

  it('a password is asked for twice, and not shown', async () => {
    const dataDir = newFolder()
    const console = await serve(dataDir, { ROOKERY_BOOTSTRAP_EMAIL: EMAIL, ROOKERY_BOOTSTRAP_PASSWORD: OLD })
    const differs = await typeInto(dataDir, [NEW, OLD])
    expect(differs).toContain('The two passwords are not the same; nothing is changed.')
    const shown = await typeInto(dataDir, [NEW, NEW])
    expect(shown).toContain(`New password of ${EMAIL}: `)
    expect(shown).toContain(`The password of ${EMAIL} is changed. Sessions ended: 0.`)
    expect(shown + differs).not.toContain('plover')
    expect((await ask(console, '/session/password', { email: EMAIL, password: NEW })).status).toBe(200)
  })
})
