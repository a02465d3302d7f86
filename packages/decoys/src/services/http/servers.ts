// The web servers that skins are shown by, by the name in `skin.json`, and their sessions.
import type { SessionRunner } from '../../session/session.ts'
import { httpSession, type HttpSettings } from './protocol/session.ts'
import type { ServerName } from './protocol/skin.ts'
import { apache } from './products/apache/server.ts'
import { iis } from './products/iis/server.ts'
import { lighttpd } from './products/lighttpd/server.ts'
import { nginx } from './products/nginx/server.ts'
import { printer } from './products/printer/server.ts'
import type { WebServer } from './protocol/web-server.ts'

export const servers: Readonly<Record<ServerName, WebServer>> = {
  apache,
  nginx,
  lighttpd,
  iis,
  printer,
}

/** Sessions of the server that shows the skin. */
export const webSession = (settings: Omit<HttpSettings, 'server'>): SessionRunner =>
  httpSession({ ...settings, server: servers[settings.skin.server] })
