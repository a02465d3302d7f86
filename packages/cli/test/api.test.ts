// `rookery api` against a real console, as a user or a script calls it.
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeAuthority } from '@rookery/console/test/certificates.ts'
import { isShort } from '@rookery/kernel/test/size.ts'
import { ADMIN, newFolder, createTokens, rookery, serve } from './run-rookery.ts'

it('reads, changes and downloads, and its exit code names the result', async () => {
  const folder = newFolder()
  const console = await serve(newFolder())
  const api = (...args: string[]) =>
    rookery(['api', ...args, '--console', console.apiUrl], { ROOKERY_API_KEY: ADMIN })

  const note = 'third floor;\n"left" $HOME `id` \u001b[2J \u202e --x'
  expect(await api('flock/note/add', '--flock-id', 'flock:default', `--note=${note}`)).toMatchObject({
    code: 0,
    stdout: '{"result":"success"}\n',
    stderr: '',
  })
  const read = await api('flock/note', '--flock_id', 'flock:default')
  expect(JSON.parse(read.stdout)).toEqual({ result: 'success', note })
  expect(read.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)

  // A list of lines from a file, a file to a file, a file to the standard output.
  const list = join(folder, 'ips.txt')
  writeFileSync(list, '# scanners\n192.0.2.7\n198.51.100.0/24\n')
  expect((await api('settings/whitelisting/whitelist_ips', '--whitelist_ips', `@${list}`)).code).toBe(0)
  const asked = await api('settings/is_ip_ignored', '--src_ip', '198.51.100.9')
  expect(asked.stdout).toContain('true')
  const { global_api_key } = JSON.parse(
    (await api('auth_token/add', '--auth_token_type', 'read-only', '--note', 'n')).stdout,
  ) as { global_api_key: { key_id: string; auth_token: string } }
  const ini = join(folder, 'rookery.ini')
  const saved = await api('auth_token/download', '--key_id', global_api_key.key_id, '--output', ini)
  expect([saved.code, saved.stdout]).toEqual([0, ''])
  expect(readFileSync(ini, 'utf8')).toContain(global_api_key.auth_token)
  expect(statSync(ini).mode & 0o777).toBe(0o600)
  expect((await api('auth_token/download', '--key_id', global_api_key.key_id)).stdout).toContain('[Rookery]')

  const refused = await api('flock/note', '--flock_id', 'flock:none')
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toMatch(/^Flock does not exist\. \(not-found, 404, request [0-9a-f]{16}\)\n$/)
  const wrong = await api('incidents/all', '--limit', 'many')
  expect([wrong.code, wrong.stderr.split('\n')[1]]).toEqual([1, expect.stringMatching(/^ {2}limit must be/)])
  expect((await api('incidents/serch')).code).toBe(2)
  expect((await api('flock/note')).code).toBe(2)
  // A parameter may have the name of a flag of the program.
  expect((await api('ping', '--version', '1')).stderr).toContain('ping has no parameter --version')
})

it('tokens are imported from a CSV, once however often, and each mistake is named', async ({ skip }) => {
  skip(isShort)
  const folder = newFolder()
  const console = await serve(newFolder())
  const importTokens = (csv: string, ...args: string[]) => {
    const path = join(folder, 'tokens.csv')
    writeFileSync(path, csv)
    return rookery(['tokens', 'import', path, '--console', console.apiUrl, ...args], {
      ROOKERY_API_KEY: ADMIN,
    })
  }
  const csv = '\uFEFFkind,memo\r\nhttp,Wiki page\r\ndns,Old server\r\n'
  const first = await importTokens(csv)
  expect([first.code, first.stderr]).toEqual([0, ''])
  expect(first.stdout).toMatch(/^row,decoytoken,kind,memo,.*\r\n1,\w{25},http,Wiki page,.*\r\n2,\w{25},dns,/)
  const saved = join(folder, 'created.csv')
  expect((await importTokens(csv, '--output', saved)).code).toBe(0)
  expect(readFileSync(saved, 'utf8')).toBe(first.stdout)
  const refused = await importTokens('kind,memo\nhtp,x\n')
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toMatch(
    /1 mistake, so no token was created.*\n {2}line 2, column kind must be one of/,
  )
})

it('a token is tested, one line a step, and the exit code says whether it passed', async ({ skip }) => {
  skip(isShort)
  const console = await serve(newFolder())
  const [url = ''] = await createTokens(console, 1)
  const [id = ''] = /[a-z0-9]{25}/.exec(url) ?? []
  const tested = await rookery(['tokens', 'test', id, '--console', console.apiUrl], {
    ROOKERY_API_KEY: ADMIN,
  })
  expect(tested.code).toBe(0)
  expect(tested.stdout).toMatch(
    /^ok {4}http +listener .*\nok {4}http +touch .* answered 200\.\nok {4}http +record /,
  )
  const missing = await rookery(['tokens', 'test', 'x', '--console', console.apiUrl], {
    ROOKERY_API_KEY: ADMIN,
  })
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringMatching(/^Could not find the decoytoken/)])
})

it('on the machine of the console it needs neither address nor key', async ({ skip }) => {
  skip(isShort)
  const dataDir = newFolder()
  const console = await serve(dataDir, { ROOKERY_BOOTSTRAP_KEY: '' })
  const key = join(dataDir, 'admin.key')
  expect(existsSync(key)).toBe(true)
  const here = { ROOKERY_DATA_DIR: dataDir, ROOKERY_LISTEN: new URL(console.apiUrl).host }
  expect(await rookery(['api', 'ping'], here)).toMatchObject({ code: 0, stdout: '{"result":"success"}\n' })
  const file = join(newFolder(), 'key')
  writeFileSync(file, readFileSync(key))
  chmodSync(key, 0o600)
  const named = ['api', 'ping', '--console', console.apiUrl, '--key-file', file]
  expect((await rookery(named)).code).toBe(0)
})

it('a factory needs only its factory_auth', async () => {
  const console = await serve(newFolder())
  await createTokens(console, 1)
  const { json } = await console.get('/decoytoken/list_factories')
  const [{ factory_auth = '' } = {}] = json['factories'] as unknown as { factory_auth: string }[]
  const file = join(newFolder(), 'factory_auth')
  writeFileSync(file, factory_auth)
  const made = await rookery(
    [
      'api',
      'decoytoken/factory/create',
      '--factory_auth',
      `@${file}`,
      '--kind',
      'http',
      '--memo',
      'm',
      '--console',
      console.apiUrl,
    ],
    { ROOKERY_DATA_DIR: newFolder() },
  )
  expect([made.code, made.stderr]).toEqual([0, ''])
  expect(made.stdout).toContain('"kind":"http"')
})

it('the key of this machine is not sent to another, and a file without a key is not sent at all', async ({
  skip,
}) => {
  skip(isShort)
  const requests: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    requests.push(request.headers)
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"result":"success"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const dataDir = newFolder()
  writeFileSync(join(dataDir, 'admin.key'), `${ADMIN}\n`)
  writeFileSync(join(dataDir, 'shadow'), 'root:x:0:0\n')
  const env = { ROOKERY_DATA_DIR: dataDir }
  // This name is not one of loopback, even if it resolves to it.
  const elsewhere = await rookery(['api', 'ping', '--console', `http://console.example.org:${port}`], env)
  expect([elsewhere.code, elsewhere.stderr]).toEqual([2, expect.stringContaining('There is no API key')])
  const shadow = [
    'api',
    'ping',
    '--console',
    `http://127.0.0.1:${port}`,
    '--key-file',
    join(dataDir, 'shadow'),
  ]
  expect((await rookery(shadow, env)).stderr).toContain('is no API key')
  expect(requests).toEqual([])
  expect((await rookery(['api', 'ping', '--console', `http://127.0.0.1:${port}`], env)).code).toBe(0)
  expect(requests.map((it) => it['x-auth-token'])).toEqual([ADMIN])
  const nobody = await rookery(['api', 'ping', '--console', 'http://127.0.0.1:9'], env)
  expect([nobody.code, nobody.stderr]).toEqual([1, expect.stringContaining('No console answers at')])
})

it('a certificate of an unknown authority is refused with what to do, which then works', async () => {
  const authority = makeAuthority()
  const server = createTlsServer(authority.issue(['127.0.0.1']), (_request, response) =>
    response.end('{"result":"success"}'),
  )
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => void server.close())
  const ping = ['api', 'ping', '--console', `https://127.0.0.1:${(server.address() as AddressInfo).port}`]
  const refused = await rookery(ping, { ROOKERY_API_KEY: ADMIN })
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('set NODE_EXTRA_CA_CERTS')])
  expect(refused.stderr).not.toContain('No console answers')
  const file = join(newFolder(), 'authority.pem')
  writeFileSync(file, authority.ca)
  const env = { ROOKERY_API_KEY: ADMIN, NODE_EXTRA_CA_CERTS: file }
  expect(await rookery(ping, env)).toMatchObject({ code: 0, stdout: '{"result":"success"}\n' })
})
