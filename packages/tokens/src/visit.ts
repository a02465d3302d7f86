// A request that names a token, as seen by the channel through which it came: a union of one type a channel folder.
import type { Channel } from './channel.ts'
import { channels } from './channels.gen.ts'

type Channels = typeof channels

export type ChannelName = keyof Channels

/** What a channel sees. */
export type VisitOn<C extends ChannelName> = Channels[C] extends Channel<infer V, infer _> ? V : never

/** What a channel can answer. */
export type AnswerOn<C extends ChannelName> = Channels[C] extends Channel<infer _, infer A> ? A : never

export type Visit = { [C in ChannelName]: VisitOn<C> }[ChannelName]

const byName: { readonly [C in ChannelName]: Channel<Visit> } = channels

/** The channel by which a visit came. */
export const channelOf = ({ channel }: Pick<Visit, 'channel'>): Channel<Visit> => byName[channel]

export const channelNames = Object.keys(channels) as readonly ChannelName[]

export const isChannelName = (name: string): name is ChannelName => Object.hasOwn(channels, name)
