// What a web server shows under these settings: an uploaded webroot, or a skin.
import { ownSettings } from '../../settings/own-settings.ts'
import { storyKey } from '../../machine/story.ts'
import type { BirdFolders, BirdSettings, Listener } from '../../session/session.ts'
import { descriptor as https } from '../https/descriptor.ts'
import { descriptor as http } from './descriptor.ts'
import { loadSkin } from './load-skin.ts'
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

/** Both depend on the settings of both, but never stand where there is a webroot: another may be uploaded under the same settings. */
export const keptWhileSame = (settings: BirdSettings): Pick<Listener, 'dependsOn'> =>
  settings['http.userwebroot_present'] === true
    ? {}
    : { dependsOn: ownSettings(settings, http, https) + storyKey(settings) }
