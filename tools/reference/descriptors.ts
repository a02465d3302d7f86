// What decoys, tokens, Birds and the console say about themselves, as pages.
import { consoleLogtypes } from '@rookery/console/logtypes.ts'
import {
  TREE_NODE,
  type ServiceDescriptor,
  type SettingDescriptor,
} from '@rookery/decoys/settings/descriptor.ts'
import { descriptors as services } from '@rookery/decoys/descriptors.gen.ts'
import { instancesOf, portKeysOf } from '@rookery/decoys/settings/instances.ts'
import type { Level, LogtypeDescriptor } from '@rookery/kernel/logtype.ts'
import { birdLogtypes } from '@rookery/link/bird-logtypes.ts'
import { OPTIONS } from '@rookery/console/config/options.ts'
import {
  COMMON_KEYS,
  providersOf,
  type TokenDescriptor,
  type TokenSettingDescriptor,
} from '@rookery/tokens/descriptor.ts'
import { descriptors as kinds } from '@rookery/tokens/descriptors.gen.ts'
import { deviceSettings } from '@rookery/decoys/settings/device.ts'
import { rulesOf } from '@rookery/tokens/settings.ts'
import { block, code, page, stacked, table, type Page } from './markdown.ts'
import { personalitySections } from './personalities.ts'

const LEVELS: Readonly<Record<Level, { readonly name: string; readonly means: string }>> = {
  used: { name: 'Used', means: 'something planted was used: a token, a shared file, a secret' },
  tried: { name: 'Tried', means: 'a login, command or write was tried' },
  looked: { name: 'Looked', means: 'a connection, a page or a scan' },
  house: { name: 'House', means: 'about Rookery itself: offline, rollback, changed settings, tests' },
}

export const decoysPage = (): Page =>
  page('decoys.md', 'Decoys', 'The services that a Bird shows, their settings, and what they report.', [
    'A Bird’s settings are one object whose keys are those of the tables below.',
    stacked(
      '## The Bird itself',
      table(['Setting', 'Type', 'Default', 'What it is'], Object.entries(deviceSettings).map(setting)),
    ),
    ...personalitySections(),
    ...services.map(service),
  ])

/** Incidents that no service and no token raises. */
export const otherIncidentsPage = (): Page =>
  page(
    'incidents.md',
    'Levels and other incidents',
    'How far an intruder went, and what Birds and console report.',
    [
      stacked(
        '## Levels',
        table(
          ['Level', 'What it means'],
          Object.values(LEVELS).map(({ name, means }) => [name, means]),
        ),
      ),
      stacked('## Of the Bird', logtypeTables(birdLogtypes)),
      stacked('## Of the console', logtypeTables(consoleLogtypes)),
    ],
  )

const besides = (ports: ServiceDescriptor['portsBesides'] = []): string[] =>
  ports.length === 0
    ? []
    : [
        `It also listens on ${ports.map(({ port, transport }) => `${port}/${transport}`).join(' and ')}, whatever its settings.`,
      ]

/** Where it can be met, beyond one port by one transport. */
function instances(descriptor: ServiceDescriptor): string[] {
  const names = instancesOf(descriptor)
  const each = names.length === 1 ? 'It listens' : 'Each of them listens'
  return [
    ...(names.length === 1
      ? []
      : [
          `It has ${names.length} instances, ${code(names[0]!)} to ${code(names.at(-1)!)}, each with settings and a port of its own; events name the one that was met. ${code(`${descriptor.service}.enabled`)} switches them all.`,
        ]),
    ...(descriptor.isOnBoth ? [`${each} by TCP and by UDP.`] : []),
  ]
}

/** Of numbered instances one row for a setting that several have, with the defaults of each where they differ. */
function settingRows({ service, settings }: ServiceDescriptor): string[][] {
  const rows = Object.entries(settings).map((entry) => ({ key: entry[0], row: setting(entry) }))
  const alike = Map.groupBy(rows, ({ key }) =>
    key.startsWith(`${service}_`) ? key.slice(key.indexOf('.')) : key,
  )
  return [...alike.values()].map((group) => {
    const [name = '', type = '', fallback = '', what = ''] = group[0]!.row
    const others = group.slice(1).map(({ row }) => row)
    const isSame = others.every((row) => row[2] === fallback)
    return [
      [name, ...others.map((row) => row[0]!)].join(', '),
      type,
      [fallback, ...(isSame ? [] : others.map((row) => row[2]!))].join(', '),
      what,
    ]
  })
}

function service(descriptor: ServiceDescriptor): string {
  const { service, title, settings, logtypes, reportsFor, example, scanLine, portsBesides, judgedBy } =
    descriptor
  const { presets = [] } = descriptor
  const port = String(settings[portKeysOf(descriptor)[0] ?? '']?.default)
  const fill = (text: string): string => text.replaceAll('{host}', '192.0.2.10').replaceAll('{port}', port)
  return stacked(
    `## ${title} (${code(service)})`,
    ...(scanLine === undefined
      ? [
          'It opens no port: it notices who tries those of the machine. The local Bird of `npm start` listens on loopback, where it watches the ports of its decoys alone: name them, as in `nmap -Pn -sV -p 20021,20022,20080,26379 127.0.0.1`.',
        ]
      : ['What a port scan shows with the default settings:', block('text', fill(scanLine))]),
    ...instances(descriptor),
    ...besides(portsBesides),
    ...(judgedBy === undefined ? [] : [judgedBy]),
    'To touch it:',
    block('sh', fill(example)),
    table(['Setting', 'Type', 'Default', 'What it is'], settingRows(descriptor)),
    ...presets.map(({ title, settings }) =>
      stacked(`As ${title}:`, block('json', JSON.stringify(settings, null, 2))),
    ),
    logtypes.length > 0 ? logtypeTables(logtypes) : `Its events are those of ${code(reportsFor ?? service)}.`,
  )
}

/** What an event holds, then what an incident means. */
const logtypeTables = (logtypes: readonly LogtypeDescriptor[]): string =>
  stacked(
    table(
      ['Logtype', 'Incident', 'Level', 'Best evidence', 'Event keys'],
      logtypes.map(({ logtype, summary, level, evidence, keys }) => [
        logtype,
        summary,
        LEVELS[level].name,
        evidence.map(code).join(' '),
        keys.map(code).join(' '),
      ]),
    ),
    table(
      ['Logtype', 'What it means', 'What to do next'],
      logtypes.map(({ logtype, meaning, next }) => [logtype, meaning, next.join(' ')]),
    ),
  )

function setting([name, about]: [string, SettingDescriptor]): string[] {
  const { type, default: fallback, title, choices, maxLength, format, names, fields, fixed, noEffect } = about
  const { minimum, maximum, whenEmpty } = about
  const more = [
    choices ? `one of ${choices.map(code).join(', ')}` : '',
    type === 'object' ? 'an object of texts by name' : '',
    type === 'tree' ? `a list of nodes, each with ${TREE_NODE}` : '',
    names ? `each name ${names.expectation}` : '',
    fields ? `objects with ${fields.map(code).join(', ')}` : '',
    minimum === undefined ? '' : `at least ${minimum}`,
    maximum === undefined ? '' : `at most ${maximum}`,
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    format ? format.expectation : '',
    fixed ? 'people cannot change it' : '',
  ].filter(Boolean)
  return [
    code(name),
    type === 'boolean' ? 'true or false' : type,
    fallback === '' ? 'empty' : code(typeof fallback === 'string' ? fallback : JSON.stringify(fallback)),
    [title, ...more].join('; ') +
      (whenEmpty ? `. When empty: ${whenEmpty}` : '') +
      (noEffect ? `. No effect: ${noEffect}` : ''),
  ]
}

export const tokensPage = (): Page =>
  page('token-kinds.md', 'Kinds of tokens', 'The kinds of tokens that can be created.', [
    `Every event has the keys ${COMMON_KEYS.map(code).join(', ')}; each kind adds its own.`,
    `Files on the disk of the console add ${code('geo_info')} and ${code('is_tor_relay')} (see [Where a source is](../geography.md)).`,
    `An event with a User-Agent that names a known program has ${code('looks_like')}, such as ${code('curl 8.5.0, a program')}: anybody can write it, so nothing is decided by it.`,
    `An event that came by HTTPS has ${code('ja4')} where its kind names the key: the fingerprint of the client’s TLS, such as ${code('t13d1516h2_8daaf6152771_e5627efa2ab1')} (JA4 by FoxIO). A proxy in front that speaks HTTPS itself leaves it out.`,
    'Kinds whose logtype is 16901 or 17901 and on are Rookery’s own; the others are those of the specification.',
    'Each kind has two commands to try it on a fresh `npm start`: the first creates a token, the second fires it. They need curl and jq, and these lines first, in the folder of the checkout:',
    block('sh', TRYING),
    `Then ${code('api "$API/incidents/unacknowledged" | jq .incidents')} shows the incident. Some kinds plant what a provider issues: until its options are set, the first command is refused (409) with their names, as [Making tokens reachable](../token-channels.md#providers) explains.`,
    ...kinds.map(kind),
  ])

const TRYING = `API=http://127.0.0.1:8080/api/v1 KEY=$(cat data/admin.key)
api() { curl -sS -H "X-Auth-Token: $KEY" "$@"; }
field() { jq -r ".decoytoken.$1" token.json; }
download() { api -o "$1" "$API/decoytoken/download?decoytoken=$(field decoytoken)"; }`

/** Where a fresh start listens. */
const PORTS = {
  dns: OPTIONS.ROOKERY_DNS_LISTEN,
  mysql: OPTIONS.ROOKERY_TOKENS_MYSQL_LISTEN,
  postgres: OPTIONS.ROOKERY_TOKENS_POSTGRES_LISTEN,
}

/** The commands that create a token and fire it. */
function trying(about: TokenDescriptor): string {
  const { kind, example } = about
  const settings = Object.entries(example.settings).map(([name, value]) => ` -F ${name}=${value}`)
  const touch = Object.entries(PORTS).reduce(
    (text, [name, { default: at }]) => text.replaceAll(`{${name}}`, at.split(':').at(-1) ?? ''),
    example.touch,
  )
  const providers = providersOf(about).map(code)
  const needs = example.needs.map(code).join(', ')
  return stacked(
    `To try it${needs === '' ? '' : ` (with ${needs})`}:`,
    block(
      'sh',
      `api -F kind=${kind} -F 'memo=An example'${settings.join('')} "$API/decoytoken/create" | tee token.json\n${touch}`,
    ),
    ...filesOf(about).map((file) => `Put a file of yours there as ${code(file)} first.`),
    ...(providers.length > 0 ? [`Providers that issue it, or may: ${providers.join(', ')}.`] : []),
  )
}

/** Those that the checkout does not have. */
const filesOf = ({ example }: TokenDescriptor): string[] =>
  Object.values(example.settings)
    .filter((value) => value.startsWith('@') && !value.startsWith('@packages/'))
    .map((value) => value.slice(1))

function kind(about: TokenDescriptor): string {
  const { logtype, summary, level, settings, downloads } = about
  return stacked(
    `## ${about.name} (${code(about.kind)})`,
    `Logtype ${logtype}, ${summary}; level ${level}. ${downloads ? 'Has a file to download.' : 'Has no file.'}`,
    table(
      ['', ''],
      [
        ['Shelf', about.shelf],
        ['Found by', about.keywords.join(', ')],
        ['Fires', about.firedBy],
        ['Stays silent', about.silencedBy],
        ['Where to put it', about.placement.join(' ')],
        ['Event keys', about.keys.map(code).join(' ')],
        ['Best evidence', about.evidence.map(code).join(' ')],
        ['What an incident means', about.meaning],
        ['What to do next', about.next.join(' ')],
      ],
    ),
    table(
      ['Parameter', 'Type', 'Required', 'What it is'],
      Object.entries<TokenSettingDescriptor>(settings).map(parameter),
    ),
    trying(about),
  )
}

function parameter([name, about]: [string, TokenSettingDescriptor]): string[] {
  const fallback = 'default' in about ? about.default : undefined
  return [
    code(name),
    about.type === 'boolean' ? 'true or false' : about.type,
    about.required ? 'yes' : fallback === undefined ? 'no' : `default ${code(JSON.stringify(fallback))}`,
    [about.description, rulesOf(about)].filter(Boolean).join('; '),
  ]
}
