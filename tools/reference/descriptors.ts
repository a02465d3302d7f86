// What decoys and tokens say of themselves, as pages.
import { descriptors as services } from '@rookery/decoys/descriptors.gen.ts'
import type { ServiceDescriptor, SettingDescriptor } from '@rookery/decoys/descriptor.ts'
import type { TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import { descriptors as kinds } from '@rookery/tokens/descriptors.gen.ts'
import { block, code, page, stacked, table, type Page } from './markdown.ts'

export const decoysPage = (): Page =>
  page('decoys.md', 'Decoys', 'The services that a Bird shows, their settings, and what they report.', [
    'A Bird’s settings are one object whose keys are those of the tables below.',
    ...services.map(service),
  ])

function service({ service, title, transport, settings, logtypes, example }: ServiceDescriptor): string {
  const { default: port } = settings[`${service}.port`] ?? {}
  const reached = example.replaceAll('{host}', '192.0.2.10').replaceAll('{port}', String(port))
  return stacked(
    `## ${title} (${code(service)})`,
    `Over ${transport.toUpperCase()}. To touch it:`,
    block('sh', reached),
    table(['Setting', 'Type', 'Default', 'What it is'], Object.entries(settings).map(setting)),
    table(
      ['Logtype', 'Incident', 'Event keys'],
      logtypes.map(({ logtype, summary, keys }) => [logtype, summary, keys.map(code).join(' ')]),
    ),
  )
}

function setting([name, about]: [string, SettingDescriptor]): string[] {
  const { type, default: fallback, title, choices, maxLength, shape, fixed } = about
  const more = [
    choices ? `one of ${choices.map(code).join(', ')}` : '',
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    shape === 'texts' ? 'an object of texts by name' : shape === 'objects' ? 'a list of objects' : '',
    fixed ? 'nobody can change it' : '',
  ].filter(Boolean)
  return [
    code(name),
    type === 'boolean' ? 'true or false' : type,
    fallback === '' ? 'empty' : code(typeof fallback === 'string' ? fallback : JSON.stringify(fallback)),
    [title, ...more].join('; '),
  ]
}

export const tokensPage = (): Page =>
  page('token-kinds.md', 'Kinds of tokens', 'The kinds of tokens that a factory makes.', [
    'Event keys are those of every token: `decoytoken`, `type`, `dst_port`, `src_host`, `event_name`, `headers`.',
    ...kinds.map(kind),
  ])

function kind({ kind, name, logtype, summary, settings, downloads }: TokenDescriptor): string {
  return stacked(
    `## ${name} (${code(kind)})`,
    `Logtype ${logtype}, ${summary}. ${downloads ? 'Has a file to download.' : 'Has no file.'}`,
    table(
      ['Parameter', 'Type', 'Required', 'What it is'],
      Object.entries(settings).map(([parameter, { type, title, required, default: fallback }]) => [
        code(parameter),
        type === 'boolean' ? 'true or false' : type,
        required ? 'yes' : fallback === undefined ? 'no' : `default ${code(JSON.stringify(fallback))}`,
        title,
      ]),
    ),
  )
}
