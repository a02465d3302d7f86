// The web servers that skins are shown by, by the name in `skin.json`.
import type { ServerName } from '../skin.ts'
import { apache } from './apache/server.ts'
import { iis } from './iis/server.ts'
import { lighttpd } from './lighttpd/server.ts'
import { nginx } from './nginx/server.ts'
import { printer } from './printer/server.ts'
import type { WebServer } from './web-server.ts'

export const servers: Readonly<Record<ServerName, WebServer>> = {
  apache,
  nginx,
  lighttpd,
  iis,
  printer,
}
