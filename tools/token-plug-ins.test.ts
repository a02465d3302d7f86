// Kinds and channels are plug-ins: a folder is all that a new one needs. Tried in a copy of the packages that fold them.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import ts from 'typescript-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from './clone.mjs'
import { generate } from './generate.ts'
import { loadedBy } from './loaded-by.ts'
import type { TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import { descriptors } from '@rookery/tokens/descriptors.gen.ts'

const CHANNEL = `
import { channel, type VisitBase } from '../../channel.ts'

export interface DoorVisit extends VisitBase {
  readonly channel: 'door'
  readonly knocks: number
}

export default channel<DoorVisit, string>({
  name: 'door',
  visitMs: 60_000,
  visitor: ({ knocks }) => String(knocks),
  eventName: () => 'knock',
  sanitize: (visit) => ({ ...visit, knocks: 0 }),
  blank: () => 'silence',
})
`

const DESCRIPTOR = `
import { describeKind } from '../../descriptor.ts'

export const descriptor = describeKind({
  kind: 'side-door',
  name: 'Side door',
  shelf: 'Doors',
  keywords: ['door'],
  firedBy: 'Somebody knocks twice.',
  silencedBy: 'Nobody knocks.',
  placement: ['Put it next to the rookery.'],
  logtype: '17998',
  summary: 'Door Opened',
  slug: 'door',
  level: 'tried',
  keys: ['knocks'],
  evidence: ['knocks'],
  meaning: 'Somebody stands at the door.',
  next: ['Look who it is.'],
  example: { settings: { key_validity: '30d' }, touch: 'true' },
  settings: {
    key_validity: { type: 'duration', description: 'How long the key opens it', required: true, min: '1d', max: '1y' },
    wood: { type: 'choice', description: 'What it is made of', choices: ['oak', 'pine'], default: 'oak' },
  },
})
`

const TOKEN = `
import { token } from '../../token.ts'
import { descriptor } from './descriptor.ts'

export default token(descriptor, {
  renders: ({ hostname }, { key_validity, wood }) => ({ door: [hostname, wood, key_validity + 1].join(' ') }),
  on: {
    door: {
      judge: ({ knocks }) => (knocks > 1 ? 'fire' : 'quiet'),
      describe: ({ knocks }) => ({ knocks }),
      answer: () => 'creak',
    },
  },
})
`

/** What the compiler must take, and what it must not. */
const TYPES = `
import type { Visit, VisitOn } from './packages/tokens/src/visit.ts'
import { groups } from './packages/contract/src/groups.gen.ts'
import type { Params } from './packages/contract/src/operation.ts'

const common = { srcHost: '192.0.2.7', dstPort: 80, headers: {} }
export const visits: Visit[] = [
  { channel: 'door', knocks: 2, ...common },
  { channel: 'http', method: 'GET', path: '/', ...common },
  // @ts-expect-error A visit of the door says how often somebody knocked.
  { channel: 'door', ...common },
  // @ts-expect-error There is no such channel.
  { channel: 'window', ...common },
]
export const knocks = (visit: VisitOn<'door'>): number => visit.knocks
type Created = Params<typeof groups.tokenFactory.create>
export const wood: Created['wood'] = 'pine'
// @ts-expect-error The descriptor does not offer it.
export const stone: Created['wood'] = 'stone'
`

const SCRIPT = `
import { groups } from './packages/contract/src/groups.gen.ts'
import { kinds } from './packages/tokens/src/kinds.gen.ts'
import { readSettings } from './packages/tokens/src/settings.ts'
import { describeVisit, judgeVisit } from './packages/tokens/src/token.ts'
import { channelOf } from './packages/tokens/src/visit.ts'

const kind = kinds['side-door']
const visit = { channel: 'door', knocks: 2, srcHost: '192.0.2.7', dstPort: 80, headers: {} }
const byHttp = { ...visit, channel: 'http', method: 'GET', path: '/' }
const settings = readSettings(kind.descriptor, { key_validity: '2d' })
const parameter = ({ params }, name) => params.properties[name]
console.log(JSON.stringify({
  settings,
  renders: kind.renders({ tokenId: 'id', url: 'u', hostname: 'id.example' }, settings),
  verdicts: [visit, { ...visit, knocks: 1 }, byHttp].map((it) => judgeVisit(kind, it, settings, 0)),
  events: [visit, byHttp].map((it) => describeVisit(kind, it, settings, 0)),
  answer: kind.on.door.answer(visit, settings),
  channel: [channelOf(visit).visitMs, channelOf(visit).visitor(visit), channelOf(visit).sanitize(visit).knocks],
  parameters: [
    parameter(groups.tokenFactory.create, 'key_validity').description,
    parameter(groups.tokenFactory.create, 'wood').default,
    parameter(groups.tokens.create, 'wood').description,
    'default' in parameter(groups.tokens.update, 'wood'),
  ],
}))
`

/** What the package imports from the registry. */
function librariesOf(name: string): string[] {
  const path = join(root, 'packages', name, 'package.json')
  const { dependencies } = JSON.parse(readFileSync(path, 'utf8')) as { dependencies: Record<string, string> }
  return Object.keys(dependencies).filter((library) => !library.startsWith('@rookery/'))
}

describe('a new kind and a new channel', () => {
  let clone = ''
  const put = (path: string, text: string): void => {
    mkdirSync(join(clone, dirname(path)), { recursive: true })
    writeFileSync(join(clone, path), text)
  }

  beforeAll(() => {
    clone = mkdtempSync(join(tmpdir(), 'rookery-plug-ins-'))
    const modules = join(clone, 'node_modules')
    mkdirSync(join(modules, '@rookery'), { recursive: true })
    for (const name of ['typebox', '@types', 'undici-types', ...librariesOf('tokens')]) {
      // A name may have a scope, which is a folder.
      mkdirSync(dirname(join(modules, name)), { recursive: true })
      symlinkSync(join(root, 'node_modules', name), join(modules, name))
    }
    for (const name of ['kernel', 'decoys', 'tokens', 'contract']) {
      for (const part of ['package.json', 'src'])
        cpSync(join(root, 'packages', name, part), join(clone, 'packages', name, part), {
          recursive: true,
          filter: (path) => !path.endsWith('.gen.ts'),
        })
      symlinkSync(join(clone, 'packages', name), join(modules, '@rookery', name))
    }
    put('packages/tokens/src/channels/door/channel.ts', CHANNEL)
    put('packages/tokens/src/kinds/side-door/descriptor.ts', DESCRIPTOR)
    put('packages/tokens/src/kinds/side-door/token.ts', TOKEN)
    generate(clone)
  })
  afterAll(() => rmSync(clone, { recursive: true, force: true }))

  it('are known by their folders alone: parameters, settings, visits, verdicts and answers', () => {
    put('package.json', '{"type":"module"}')
    put('script.ts', SCRIPT)
    const said = execFileSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', join(clone, 'script.ts')],
      {
        encoding: 'utf8',
      },
    )
    const dayMs = 86_400_000
    expect(JSON.parse(said)).toEqual({
      settings: { key_validity: 2 * dayMs, wood: 'oak' },
      renders: { door: `id.example oak ${2 * dayMs + 1}` },
      verdicts: ['fire', 'quiet', 'fire'],
      events: [{ knocks: 2 }, {}],
      answer: 'creak',
      channel: [60_000, '2', 0],
      parameters: [
        'How long the key opens it; required for side-door; from 1d to 1y, with the units y, mo, w, d, h',
        'oak',
        'What it is made of; for side-door; one of oak, pine',
        false,
      ],
    })
  })

  it('are typed by their folders alone', () => {
    put('types.ts', TYPES)
    const { compilerOptions } = ts.parseConfigFileTextToJson(
      'tsconfig.json',
      readFileSync(join(root, 'tsconfig.json'), 'utf8'),
    ).config as { compilerOptions: object }
    put(
      'tsconfig.json',
      JSON.stringify({
        compilerOptions,
        include: ['types.ts', 'packages/tokens/src'],
        exclude: ['**/*.test.ts'],
      }),
    )
    const { stdout } = spawnSync(
      process.execPath,
      [join(root, 'node_modules/typescript/bin/tsc'), '-p', clone],
      {
        encoding: 'utf8',
      },
    )
    expect(stdout).toBe('')
  })
})

describe('the console', () => {
  const FORGE_PROCESS = join(root, 'packages/console/src/flows/forge/forge.process.ts')

  it('makes the files of tokens in the forge process alone', () => {
    const isForge = (path: string): boolean => /(\/forge|forges\.gen|forge\.process)\.ts$/.test(path)
    expect([...loadedBy(FORGE_PROCESS)].filter(isForge)).not.toEqual([])
    expect([...loadedBy(join(root, 'packages/cli/src/main.ts'))].filter(isForge)).toEqual([])
  })
})

describe('contract and console', () => {
  const all: readonly TokenDescriptor[] = descriptors
  const kindNames = new Set(all.map(({ kind }) => kind))
  const settingNames = new Set(all.flatMap(({ settings }) => Object.keys(settings)))
  /** Where such a text names a protocol, as `{ channel: 'http' }` and an OpenAPI security scheme do. */
  const PROTOCOL_KEYS = ['channel', 'type']

  /** Every mention of a kind by a text of its own, or of a kind's setting by any name. */
  function mentions(path: string, text: string): string[] {
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
    const found: string[] = []
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node) && settingNames.has(node.text)) found.push(`${path}: ${node.text}`)
      if (ts.isStringLiteralLike(node)) {
        const { parent } = node
        const isProtocol = ts.isPropertyAssignment(parent) && PROTOCOL_KEYS.includes(parent.name.getText())
        if ((settingNames.has(node.text) || kindNames.has(node.text)) && !isProtocol)
          found.push(`${path}: '${node.text}'`)
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
    return found
  }

  it('name no kind and no setting of a kind', () => {
    const files = ['contract', 'console'].flatMap((name) =>
      readdirSync(join(root, 'packages', name, 'src'), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts') && !/\.(test|gen)\.ts$/.test(path))
        .map((path) => join('packages', name, 'src', path)),
    )
    expect(files.flatMap((path) => mentions(path, readFileSync(join(root, path), 'utf8')))).toEqual([])
  })

  it('would be caught at it', () => {
    const [kind = ''] = kindNames
    const [setting = ''] = settingNames
    expect(
      mentions('a.ts', `if (row.kind === '${kind}') f({ ${setting}: true }, given['${setting}'])`),
    ).toEqual([`a.ts: '${kind}'`, `a.ts: ${setting}`, `a.ts: '${setting}'`])
    expect(mentions('a.ts', `visit({ channel: '${kind}' })`)).toEqual([])
  })
})
