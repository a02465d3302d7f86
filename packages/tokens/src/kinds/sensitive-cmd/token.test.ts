import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { Fault } from '@rookery/kernel/fault.ts'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { DnsVisit } from '../../channels/dns/visit.ts'
import { readSettings } from '../../settings.ts'
import { forgeFile } from '../../../test/forge-file.ts'
import { descriptor } from './descriptor.ts'
import forge from './forge.ts'
import { payloadOf } from './payload.ts'
import kind from './token.ts'

const address = { tokenId: 'abc', url: 'http://t.example/abc', hostname: 'abc.t.example' }
const rendersOf = (process_name: string): Readonly<Record<string, string>> =>
  kind.renders(address, readSettings(descriptor, { process_name }))

const visit = (name: string): DnsVisit => ({
  channel: 'dns',
  qname: `${name}.abc.t.example`,
  qtype: 'A',
  labels: name === '' ? [] : name.split('.'),
  network: '192.0.2.0/24',
  isNx: false,
  srcHost: '192.0.2.7',
  dstPort: 53,
  headers: {},
})

describe('the sensitive-cmd kind', () => {
  it('is quiet until the name is whole, and shows who ran what, and where', () => {
    const settings = { process_name: ['klist', 'nltest'] }
    const dns = kind.on.dns
    const whole = 'cdb-1.un.uroot.cmd.abcdefgh-1'
    const labels = whole.split('.')
    for (let at = 1; at <= labels.length; at++)
      expect(dns?.judge?.(visit(labels.slice(at).join('.')), settings, 0)).toBe('quiet')
    expect(dns?.judge?.(visit(`x.${whole}`), settings, 0)).toBe('quiet')
    expect(dns?.judge?.(visit(whole), settings, 0)).toBe('fire')
    expect(dns?.invocation?.(visit(whole), settings, 0)).toBe('abcdefgh')
    expect(dns?.describe?.(visit(whole), settings, 0)).toMatchObject({
      computer: 'db-1',
      user: 'root',
      process: 'nltest',
      invocation_id: 'abcdefgh',
    })
    expect(payloadOf(['c', 'un', 'u', 'cmd', '01234567'])).toMatchObject({ computer: '', processIndex: 0 })
  })

  it('refuses what names no program, and a program that is named twice', () => {
    const reasonOf = (names: string): unknown => {
      try {
        rendersOf(names)
      } catch (error) {
        return error instanceof Fault ? error.details?.['process_name'] : error
      }
      return undefined
    }
    for (const wrong of ['.', '..', '.exe', '-n', 'klist.'])
      expect(reasonOf(`whoami,${wrong}`)).toBe(
        `must be names of programs, which begin with a letter, a digit or _ and end in no dot, not ${wrong}`,
      )
    expect(reasonOf('whoami,WHOAMI.exe')).toBe('must name each program once, not WHOAMI.exe again')
  })

  it('says nothing of its purpose in the script, which an intruder may read', () => {
    for (const system of ['linux', 'macos'])
      expect(rendersOf('whoami,klist')[system]).not.toMatch(/^# |usr.local|PATH\./m)
  })

  it('reads any labels without a throw', () => {
    fc.assert(fc.property(fc.array(fc.string()), (labels) => void payloadOf(labels)))
  })

  it('refuses names that would break out of a template', () => {
    for (const name of ['a b', 'a"b', "a'b", 'a\\b', 'a;b', '$(id)', 'a/b', 'a\nb', 'x'.repeat(65), '`id`'])
      expect(() => rendersOf(name), name).toThrow('Parameter process_name was invalid.')
    expect(() => rendersOf('')).toThrow()
  })

  it('plants registry keys for each program, each value in one line with its quotes escaped', () => {
    const { windows = '' } = rendersOf('klist, nltest.EXE')
    const lines = windows.split('\r\n')
    expect(lines[0]).toBe('Windows Registry Editor Version 5.00')
    expect(
      lines.filter((line) => line.startsWith('[')).map((line) => line.split('\\').slice(-2).join('/')),
    ).toEqual([
      'Image File Execution Options/klist.exe]',
      'SilentProcessExit/klist.exe]',
      'Image File Execution Options/nltest.EXE]',
      'SilentProcessExit/nltest.EXE]',
    ])
    const monitors = lines.filter((line) => line.startsWith('"MonitorProcess"'))
    expect(monitors).toHaveLength(2)
    for (const line of lines.filter((it) => it.startsWith('"')))
      expect(line).toMatch(/^"\w+"=("([^"\\]|\\["\\])*"|dword:[0-9]{8})$/)
    expect(monitors[1]).toContain(`+'-1'`)
    expect(monitors[0]).toContain('.abc.t.example')
  })

  it('makes the registry keys a file that regedit reads: UTF-16LE behind a byte order mark', async () => {
    const settings = readSettings(descriptor, { process_name: 'klist' })
    const { filename, bytes } = await forgeFile(forge, { address, settings })
    expect(filename).toMatch(/\.reg$/)
    expect([...bytes.subarray(0, 4)]).toEqual([0xff, 0xfe, 0x57, 0])
    expect(new TextDecoder('utf-16le').decode(bytes)).toBe(rendersOf('klist')['windows'])
  })

  it('refuses programs that the look-up on Windows runs itself: it would never end', () => {
    for (const name of ['powershell', 'klist, PowerShell.exe', 'conhost.exe'])
      expect(() => rendersOf(name), name).toThrow('Parameter process_name was invalid.')
  })

  it('plants a script that runs programs which are planted, too, at once', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rookery-command-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const script = rendersOf('id,uname')['linux'] ?? ''
    const bound = `depth=$((depth+1)); export depth; [ $depth -le 4 ] || { touch ${folder}/deep; exit 1; }`
    for (const name of ['id', 'uname']) {
      writeFileSync(join(folder, name), script.replace('#!/bin/sh', `#!/bin/sh\n${bound}`))
      chmodSync(join(folder, name), 0o755)
    }
    const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}` }
    expect(execFileSync('id', ['-u'], { env, encoding: 'utf8', timeout: 5_000 })).toMatch(/^\d+\n$/)
    expect(existsSync(join(folder, 'deep'))).toBe(false)
  })

  it('plants a script that sh can read, whatever the programs are called', () => {
    for (const system of ['linux', 'macos'])
      execFileSync('sh', ['-n'], { input: rendersOf('klist,e.f,_g')[system] ?? '' })
  })

  it('plants a script that looks the name up and then runs the program as it was called', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rookery-command-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const put = (path: string, text: string): void => {
      mkdirSync(join(folder, path, '..'), { recursive: true })
      writeFileSync(join(folder, path), text)
      chmodSync(join(folder, path), 0o755)
    }
    put('planted/nltest', rendersOf('klist,nltest.exe')['linux'] ?? '')
    put('real/nltest', '#!/bin/sh\nprintf "real %s|" "$@"\nexit 3\n')
    put(
      'tools/getent',
      `#!/bin/sh\necho "$2" > ${folder}/asked.new && mv ${folder}/asked.new ${folder}/asked\n`,
    )
    symlinkSync(join(folder, 'planted'), join(folder, 'alias'))
    const PATH = `${folder}/planted/:${folder}/alias:${folder}/tools:${folder}/real:${process.env['PATH'] ?? ''}`
    const script = `nltest 'a b' c; status=$?; for n in 1 2 3 4 5 6 7 8 9; do [ -e ${folder}/asked ] && break; sleep 0.2; done; exit $status`
    let status: unknown
    let said = ''
    try {
      execFileSync('sh', ['-c', script], { env: { PATH }, encoding: 'utf8', timeout: 10_000 })
    } catch (error) {
      ;({ status, stdout: said } = error as { status: number; stdout: string })
    }
    expect([status, said]).toEqual([3, 'real a b|real c|'])
    const asked = readFileSync(join(folder, 'asked'), 'utf8').trim().toLowerCase()
    expect(asked).toMatch(/^c[a-z0-9-]*\.un\.u[a-z0-9-]*\.cmd\.[a-f0-9]{8}-1\.abc\.t\.example$/)
    expect(kind.on.dns?.judge?.(visit(asked.replace('.abc.t.example', '')), {}, 0)).toBe('fire')
  })
})
