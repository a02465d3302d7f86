// The formats of chats that are known by a plain URL, and which of them a URL is of.
import { discord } from './discord.ts'
import type { Format } from './format.ts'
import { googleChat } from './google-chat.ts'
import { mattermost } from './mattermost.ts'
import { ntfy } from './ntfy.ts'
import { rocketChat } from './rocket-chat.ts'
import { slack } from './slack.ts'
import { teams } from './teams.ts'

export const chatFormats: ReadonlyMap<string, Format> = new Map([
  ['slack', slack],
  ['discord', discord],
  ['google-chat', googleChat],
  ['mattermost', mattermost],
  ['rocket-chat', rocketChat],
  ['teams', teams],
  ['ntfy', ntfy],
])

/** The format of the service at a URL; `isCertain`: nothing else can be there. Undefined where no chat is known to be. */
export function formatAt(href: string): { readonly name: string; readonly isCertain: boolean } | undefined {
  const { hostname, pathname } = new URL(href)
  for (const [name, { own, likely }] of chatFormats) {
    if (own?.test(hostname + pathname)) return { name, isCertain: true }
    if (likely?.test(hostname + pathname)) return { name, isCertain: false }
  }
  return undefined
}

/** The service of a format, as people know it. */
export const serviceOf = (name: string): string => chatFormats.get(name)?.service ?? name
