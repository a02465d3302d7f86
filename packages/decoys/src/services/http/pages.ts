// What a web server shows under these settings: an uploaded webroot, or a skin.
import { ownSettings } from '../../settings/own-settings.ts'
import { machineKind } from '../../machine/machine-kind.ts'
import { storyKey, storyOf } from '../../machine/story.ts'
import type { BirdFolders, BirdSettings, Listener } from '../../session/session.ts'
import { descriptor as https } from '../https/descriptor.ts'
import { descriptor as http } from './descriptor.ts'
import { loadSkin } from './load-skin.ts'
import type { HttpSettings } from './protocol/session.ts'
import type { Skin } from './protocol/skin.ts'
import { loadWebroot } from './webroot.ts'

/** http and https show the same. */
const webroots = new WeakMap<BirdSettings, Skin>()

export function pagesOf(settings: BirdSettings, folders: BirdFolders | undefined): Skin {
  const skin = loadSkin(String(settings['http.skin']))
  if (settings['http.userwebroot_present'] !== true) return skin
  if (!folders) throw new Error('http.userwebroot_present is true, but there is no folder for a webroot here')
  const webroot = webroots.get(settings) ?? loadWebroot(folders.webroot, skin)
  webroots.set(settings, webroot)
  return webroot
}

/** What a controller has of its own: its name as the realm, and an Apache that names neither release nor system. */
export function claimsOf(settings: BirdSettings, { server }: Skin): Pick<HttpSettings, 'banner' | 'realmOf'> {
  const banner = String(settings['http.banner'])
  if (machineKind(settings) !== 'plc') return { banner }
  return {
    banner: banner === '' && server === 'apache' ? 'Apache' : banner,
    realmOf: (derive) => storyOf(settings, derive).controller.identity[4].replaceAll(/["\\]/g, '\\$&'),
  }
}

/** Both depend on the settings of both, but never stand where there is a webroot: another may be uploaded under the same settings. */
export const keptWhileSame = (settings: BirdSettings): Pick<Listener, 'dependsOn'> =>
  settings['http.userwebroot_present'] === true
    ? {}
    : { dependsOn: ownSettings(settings, http, https) + storyKey(settings) }
