// The kinds of tokens as a gallery and a form need them: folded from their descriptors, with what each lacks here.
import type { TokenKindFacts } from '@rookery/contract/records/token-kind.ts'
import { providersOf, type TokenDescriptor } from '@rookery/tokens/descriptor.ts'
import { descriptors } from '@rookery/tokens/descriptors.gen.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import type { Static } from 'typebox'
import type { Query } from '../../db/query.ts'
import { hostPort } from '../../addresses/host-port.ts'
import { readChannels } from '../../stores/channels/store.ts'
import { channelViews } from './channels.ts'
import type { ProviderViewDeps } from './providers.ts'

type KindFacts = Static<typeof TokenKindFacts>
type Statuses = ProviderViewDeps['registry']['statuses']

const all: readonly TokenDescriptor[] = descriptors

/** How the command of an example begins that works on the file of the token. */
const DOWNLOAD = /^download (\S+) && /

export async function kindViews(
  reader: Query,
  { registry }: Pick<ProviderViewDeps, 'registry'>,
): Promise<Record<string, KindFacts>> {
  const channels = channelViews(await readChannels(reader))
  const portOf = (name: string): string => {
    const listens = channels.find(({ channel }) => channel === name)?.listens ?? ''
    return listens === '' ? '' : String(hostPort(listens).port)
  }
  return Object.fromEntries(
    all.map((descriptor) => {
      const { kind, example, settings } = descriptor
      const lacking = unconfigured(descriptor, registry.statuses)
      return [
        kind,
        {
          name: descriptor.name,
          shelf: descriptor.shelf,
          keywords: [...descriptor.keywords],
          fired_by: descriptor.firedBy,
          silenced_by: descriptor.silencedBy,
          placement: [...descriptor.placement],
          fields: Object.entries(settings).map(([name, setting]) => fieldOf(name, setting)),
          has_file: descriptor.downloads,
          ignores_sites: descriptor.ignoresSites === true,
          takes_provider_metadata: descriptor.takesProviderMetadata === true,
          command: example.touch
            .replace(DOWNLOAD, '')
            .replaceAll(/\$\(field ([\w.]+)\)/g, '{$1}')
            .replaceAll(/\{(dns|mysql|postgres)\}/g, (_, channel: string) => portOf(channel)),
          command_file: DOWNLOAD.exec(example.touch)?.[1] ?? '',
          can_create: lacking.length === 0 || !alwaysNeedsProvider(descriptor),
          lacks: [
            ...lacking.map(
              ({ descriptor: { name }, missing }) => `${name} is not configured: set ${missing.join(', ')}.`,
            ),
            ...channels.filter((channel) => channel.kinds.includes(kind)).flatMap(({ missing }) => missing),
          ],
        },
      ]
    }),
  )
}

/** The providers of the kind, unless one of them is configured: then a token can be had of that. */
function unconfigured(descriptor: TokenDescriptor, statuses: Statuses): Statuses {
  const own = statuses.filter((status) => providersOf(descriptor).includes(status.descriptor.provider))
  return own.some(({ isConfigured }) => isConfigured) ? [] : own
}

/** Whether a token needs it also where nothing but the required is set. */
function alwaysNeedsProvider({ kind, provider, settings }: TokenDescriptor): boolean {
  const defaults = Object.entries(settings).flatMap(([name, it]) =>
    'default' in it ? [[name, it.default]] : [],
  )
  return provider !== undefined && kinds[kind]?.needsProvider?.(Object.fromEntries(defaults)) !== false
}

const fieldOf = (
  name: string,
  { type, description, required = false, ...rules }: TokenDescriptor['settings'][string],
): KindFacts['fields'][number] => ({
  name,
  type,
  description,
  required,
  secret: 'sealed' in rules && rules.sealed === true,
  default: 'default' in rules && rules.default !== undefined ? rules.default : null,
  ...('choices' in rules && { choices: [...rules.choices] }),
  ...('maxLength' in rules && rules.maxLength !== undefined && { max_length: rules.maxLength }),
  ...('maxItems' in rules && { max_items: rules.maxItems }),
  ...('maxBytes' in rules && { max_bytes: rules.maxBytes }),
  ...('formats' in rules && { formats: [...rules.formats] }),
  ...('min' in rules && { min: rules.min, max: rules.max }),
})
