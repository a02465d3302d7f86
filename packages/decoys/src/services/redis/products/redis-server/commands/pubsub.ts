// SUBSCRIBE and PUBLISH: messages reach the other connections of the listener.
import { wrongSubcommand } from '../arguments.ts'
import type { Call, Client, Command } from '../model/call.ts'
import { globOf } from '../../../protocol/glob.ts'
import { sendTo } from '../clients/outbox.ts'
import { array, bulk, bulks, integer, nil, push } from '../../../protocol/resp.ts'

/** What a name in a set takes besides its characters, about. */
const NAME_OVERHEAD_BYTES = 64

type Names = (client: Client) => Set<string>
const channelsOf: Names = ({ channels }) => channels
const patternsOf: Names = ({ patterns }) => patterns
const shardChannelsOf: Names = ({ shardChannels }) => shardChannels

/** Shard channels are counted apart. */
const countFor = (of: Names, client: Client): number =>
  of === shardChannelsOf ? client.shardChannels.size : client.channels.size + client.patterns.size

const subscribe =
  (kind: string, of: Names): Command =>
  ({ args, client }) =>
    args
      .slice(1)
      .map((name) => {
        if (!of(client).has(name)) client.subscribedBytes += name.length + NAME_OVERHEAD_BYTES
        of(client).add(name)
        return push([bulk(kind), bulk(name), integer(countFor(of, client))], client.resp)
      })
      .join('')

const unsubscribe =
  (kind: string, of: Names): Command =>
  ({ args, client }) => {
    const names = args.length > 1 ? args.slice(1) : [...of(client)].reverse()
    const count = (): string => integer(countFor(of, client))
    if (names.length === 0) return push([bulk(kind), nil(client.resp), count()], client.resp)
    return names
      .map((name) => {
        if (of(client).delete(name)) client.subscribedBytes -= name.length + NAME_OVERHEAD_BYTES
        return push([bulk(kind), bulk(name), count()], client.resp)
      })
      .join('')
  }

const publish =
  (kind: 'message' | 'smessage', of: Names): Command =>
  (call) => {
    const { args, server } = call
    const [, channel = '', message = ''] = args
    const receivers = [...server.clients].filter((client) => of(client).has(channel))
    for (const client of receivers)
      sendTo(server, client, push([kind, channel, message].map(bulk), client.resp))
    return integer(receivers.length + (kind === 'message' ? publishToPatterns(call, channel, message) : 0))
  }

function publishToPatterns(call: Call, channel: string, message: string): number {
  const { server, work } = call
  let count = 0
  for (const client of server.clients) {
    for (const pattern of client.patterns) {
      if (!globOf(pattern, work.spend)(channel)) continue
      count += 1
      sendTo(server, client, push(['pmessage', pattern, channel, message].map(bulk), client.resp))
    }
  }
  return count
}

const channels =
  (of: Names): Command =>
  ({ args, server, work }) => {
    const all = new Set([...server.clients].flatMap((client) => [...of(client)]))
    if (args.length > 3) throw wrongSubcommand({ args })
    const [, , pattern] = args
    return bulks([...all].filter(globOf(pattern ?? '*', work.spend)))
  }

const numSub =
  (of: Names): Command =>
  ({ args, server, work }) => {
    work.spend(args.length * (1 + server.clients.size))
    return array(
      args.slice(2).flatMap((name) => {
        const count = [...server.clients].filter((client) => of(client).has(name)).length
        return [bulk(name), integer(count)]
      }),
    )
  }

export const isSubscribed = ({ channels, patterns, shardChannels }: Client): boolean =>
  channels.size + patterns.size + shardChannels.size > 0

export const pubsub: Record<string, Command> = {
  subscribe: subscribe('subscribe', channelsOf),
  psubscribe: subscribe('psubscribe', patternsOf),
  ssubscribe: subscribe('ssubscribe', shardChannelsOf),
  unsubscribe: unsubscribe('unsubscribe', channelsOf),
  punsubscribe: unsubscribe('punsubscribe', patternsOf),
  sunsubscribe: unsubscribe('sunsubscribe', shardChannelsOf),
  publish: publish('message', channelsOf),
  spublish: publish('smessage', shardChannelsOf),
  'pubsub|channels': channels(channelsOf),
  'pubsub|shardchannels': channels(shardChannelsOf),
  'pubsub|numsub': numSub(channelsOf),
  'pubsub|shardnumsub': numSub(shardChannelsOf),
  'pubsub|numpat': ({ server }) =>
    integer(new Set([...server.clients].flatMap((client) => [...client.patterns])).size),
}
