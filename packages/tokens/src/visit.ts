// A request that names a token, as seen by the channel through which it came: a union of one type a channel folder.
import type { Channel } from './channel.ts'
import { channels } from './channels.gen.ts'

type Channels = typeof channels

export type ChannelName = keyof Channels

/** What a channel sees. */
export type VisitOn<C extends ChannelName> = Channels[C] extends Channel<infer V, infer _> ? V : never

/** What a channel can answer. */
export type AnswerOn<C extends ChannelName> = Channels[C] extends Channel<infer _, infer A> ? A : never

/** A channel at a listener of its own: HTTP is served with TLS, too. */
export type ServedChannel = ChannelName | 'https'

/** The channel whose visits come by HTTPS. */
export const CHANNEL_OF_HTTPS: ChannelName = 'http'

export type Visit = { [C in ChannelName]: VisitOn<C> }[ChannelName]

const byName: { readonly [C in ChannelName]: Channel<Visit> } = channels

/** The channel by which a visit came. */
export const channelOf = ({ channel }: Pick<Visit, 'channel'>): Channel<Visit> => byName[channel]

export const channelNames = Object.keys(channels) as readonly ChannelName[]

export const isChannelName = (name: string): name is ChannelName => Object.hasOwn(channels, name)

export const servedChannels: readonly ServedChannel[] = [...channelNames, 'https' as const].sort()

export const servedChannelOf = (visit: Visit): ServedChannel =>
  visit.channel === 'http' && visit.isSecure ? 'https' : visit.channel

export const isServedChannel = (name: string): name is ServedChannel =>
  servedChannels.some((served) => served === name)
