// Receivers of services as the API shows them (2.9).
import type { Receiver } from './receiver.ts'

export interface ChatopsRecord {
  readonly channel: string
  readonly configuration_url: string
  readonly team: string
  readonly url: string
}

export const chatopsRecord = ({ url, settings }: Pick<Receiver, 'url' | 'settings'>): ChatopsRecord => ({
  channel: settings['channel'] ?? '',
  configuration_url: settings['configuration_url'] ?? '',
  team: settings['team'] ?? '',
  url,
})

export interface SiemRecord {
  readonly host: string
  readonly port: string
  readonly token: string
}

export const siemRecord = ({ secret, settings }: Pick<Receiver, 'secret' | 'settings'>): SiemRecord => ({
  host: settings['host'] ?? '',
  port: settings['port'] ?? '',
  token: secret,
})
